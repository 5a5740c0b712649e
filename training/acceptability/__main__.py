"""Rebuild the shipped acceptability head.

`python -m training.acceptability RATINGS CORPORA`: the head stands on what the shipped detector
makes of sentences, which is worked out once.
"""

from __future__ import annotations

import argparse
import gc
from pathlib import Path

import torch

from naturalness.files.resources import load_manifest
from naturalness.models.detector import detector
from naturalness.models.metrics.gruen.judges import ACCEPTABILITY_ASSET
from training.acceptability.export import write
from training.acceptability.learning import drawn, fit
from training.acceptability.sources import RATED, corpus_sentences, damaged_pairs, rated_pairs
from training.default_model.sets import SETS
from training.detector.mixture import Source
from training.manifest import ASSETS, CORPORA, record

SEED = 0


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ratings", type=Path)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--threads", type=int, default=2, help="of the processor (2)")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    pieces = detector().network.pieces
    source = Source.of(corpus_sentences(args.corpora, SEED))
    print(f"{len(source.sentences)} sentences", flush=True)
    gc.freeze()  # a million words that stay: not to be looked through again and again
    pairs = drawn(damaged_pairs(source, pieces, SEED), rated_pairs(args.ratings, pieces, SEED))
    model = fit(pairs, seed=SEED)
    write({k: v.numpy() for k, v in model.state_dict().items()}, ASSETS / ACCEPTABILITY_ASSET)
    record(
        ACCEPTABILITY_ASSET,
        kind="acceptability head",
        licence="CC BY-SA 4.0",
        sources=[*CORPORA, *({"name": name, "licence": SETS[name].licence} for name in RATED)],
        path=ACCEPTABILITY_ASSET,
        description="on the detector's last layer: how acceptable a sentence is",
        command="python -m training.acceptability RATINGS CORPORA",
        figures={"pairs": len(pairs), "detector": load_manifest()["detector"].checksum},
    )


if __name__ == "__main__":
    main()
