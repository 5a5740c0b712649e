"""Rebuild the shipped damage detector.

`python -m training.detector SILVER --work DIR`: SILVER is the working folder of `training.english`,
which holds corpus sentences with tags and arcs. Training leaves checkpoints in DIR and goes on from
the last one.
"""

from __future__ import annotations

import argparse
import gc
from collections import Counter
from pathlib import Path

import torch

from naturalness.models.wordlist import load_wordlist
from training.detector.drafts import read_sentences
from training.detector.learning import fit
from training.detector.mixture import Source
from training.detector.network import pretrained
from training.encoder import frequent_pieces

STEPS = 5_000


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("silver", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=STEPS, help=f"batches ({STEPS})")
    parser.add_argument("--threads", type=int, default=1, help="of the processor (1)")
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    given.work.mkdir(parents=True, exist_ok=True)
    source = Source.of(list(read_sentences(sorted(given.silver.glob("silver-?.jsonl")))))
    print(f"{len(source.sentences)} sentences")
    gc.freeze()  # two million words that stay: not to be looked through again and again
    vocabulary = frequent_pieces(Counter(dict(load_wordlist().counts)))
    fit(
        pretrained(vocabulary, drop=0.0), source, given.work / "detector.pt", steps=given.steps,
        after=lambda line: print(line, flush=True),
    )  # fmt: skip


if __name__ == "__main__":
    main()
