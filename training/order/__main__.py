"""Rebuild the shipped order head.

`python -m training.order CORPORA --work DIR`: the head stands on the lower layers of the shipped
detector. Training leaves a checkpoint in its folder and goes on from there.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import torch

from naturalness.models.metrics.gruen.coherence import ASSET
from naturalness.models.pieces import Pieces
from naturalness.resources import load_manifest
from training.detector.shipped import shipped
from training.encoder import HEADS
from training.language.corpora import REGISTERS
from training.manifest import ASSETS, CORPORA, MINILM, record
from training.order.export import write
from training.order.learning import accuracy, fit, held_out
from training.order.network import pretrained
from training.order.passages import documents

STEPS = 1_200


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=STEPS, help=f"batches ({STEPS})")
    parser.add_argument("--threads", type=int, default=2, help="of the processor (2)")
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    given.work.mkdir(parents=True, exist_ok=True)
    detector = shipped()
    pieces = Pieces.of(detector.vocabulary)
    registers = {name: documents(given.corpora / f"{name}.txt.xz") for name in REGISTERS}
    kept = held_out(given.corpora, pieces)
    torch.manual_seed(0)
    model = fit(pretrained(detector), registers, kept, pieces, given.work / "order.pt",
                steps=given.steps)  # fmt: skip
    found = accuracy(model, kept, pieces)
    print(json.dumps(found, indent=1))
    write({k: v.numpy() for k, v in model.own().items()}, ASSETS / ASSET, heads=HEADS)
    record(
        ASSET, kind="order head", licence="CC BY-SA 4.0", sources=[MINILM, *CORPORA], path=ASSET,
        description="two layers on the detector's: whether two parts of a text are in their order",
        command="python -m training.order CORPORA --work DIR",
        figures={"right_order_preferred": found["mean"][0], "each_right": found["mean"][1],
                 "steps": given.steps, "detector": load_manifest()["detector"].checksum},
    )  # fmt: skip


if __name__ == "__main__":
    main()
