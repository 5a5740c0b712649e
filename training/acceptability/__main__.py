"""Rebuild the shipped acceptability head.

`python -m training.acceptability RATINGS CORPORA --work DIR`: the head stands on the lower layers
of the shipped detector. Training leaves a checkpoint in its folder and goes on from there.
"""

from __future__ import annotations

import argparse
import gc
from pathlib import Path

import torch

from naturalness.files.resources import load_manifest
from naturalness.models.metrics.gruen.judges import ACCEPTABILITY_ASSET
from naturalness.models.pieces import Pieces
from training.acceptability.export import write
from training.acceptability.learning import fit
from training.acceptability.network import begun
from training.acceptability.sources import RATED, corpus_sentences, damaged_pairs, rated_pairs
from training.default_model.sets import SETS
from training.detector.mixture import Source
from training.detector.shipped import shipped
from training.encoder import HEADS
from training.manifest import ASSETS, CORPORA, record

STEPS = 1_200
SEED = 0


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ratings", type=Path)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=STEPS, help=f"batches ({STEPS})")
    parser.add_argument("--threads", type=int, default=2, help="of the processor (2)")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(SEED)
    args.work.mkdir(parents=True, exist_ok=True)
    detector = shipped()
    pieces = Pieces.of(detector.vocabulary)
    source = Source.of(corpus_sentences(args.corpora, SEED))
    print(f"{len(source.sentences)} sentences", flush=True)
    gc.freeze()  # a million words that stay: not to be looked through again and again
    model = fit(
        begun(detector),
        damaged_pairs(source, pieces, SEED),
        rated_pairs(args.ratings, pieces, SEED),
        pieces,
        args.work / "acceptability.pt",
        steps=args.steps,
    )
    write({k: v.numpy() for k, v in model.head_weights().items()}, ASSETS / ACCEPTABILITY_ASSET, heads=HEADS)
    record(
        ACCEPTABILITY_ASSET,
        kind="acceptability head",
        licence="CC BY-SA 4.0",
        sources=[*CORPORA, *({"name": name, "licence": SETS[name].licence} for name in RATED)],
        path=ACCEPTABILITY_ASSET,
        description="two layers on the detector's: how acceptable a sentence is",
        command="python -m training.acceptability RATINGS CORPORA --work DIR",
        figures={"steps": args.steps, "detector": load_manifest()["detector"].checksum},
    )


if __name__ == "__main__":
    main()
