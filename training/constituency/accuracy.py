"""Labelled bracket F1 of a network in torch: `python -m training.constituency.accuracy DIR/chart.pt TREEBANKS`.

The treebanks are those of `benchmarks.constituency`, which measures what ships.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch

from naturalness.models.detector import detector
from training.constituency.batches import Body
from training.constituency.examples import example
from training.constituency.learning import accuracy
from training.constituency.network import load
from training.constituency.treebank import TREES, read_trees

PARTS = (("gum", "test"), ("gum", "gentle"), ("wsj", "sample"), ("stories", "all"))
"""Treebank and split."""


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("network", type=Path)
    parser.add_argument("treebanks", type=Path)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    model, body = load(args.network), Body(detector().network)
    for name, split in PARTS:
        trees = [t for t in read_trees(args.treebanks / TREES[name]) if t.split == split and body.fits(t.words)]
        counts = accuracy(model, body, [example(t.root, t.words, t.tags, 0) for t in trees])
        print(f"{name} {split}: {counts.sentences} sentences, F1 {counts.f1:.2f}", flush=True)


if __name__ == "__main__":
    main()
