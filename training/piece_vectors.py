"""Rebuild the vectors of word pieces that the narrow detector reads: `python -m training.piece_vectors`.

They are MiniLM's vectors of the shipped pieces, in four bits.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from naturalness.files.archive import SMALL, pack
from naturalness.models.pieces import (
    ASSET,
    BLOCK,
    DESCRIPTION,
    FORMAT_VERSION,
    NIBBLES,
    SCALES,
    TABLE,
    PieceVectors,
    join_nibbles,
    open_vectors,
    piece_vectors,
)
from training.arguments import command_parser
from training.detector.steps import nearest_steps, whole
from training.encoder import minilm_vectors
from training.manifest import ASSETS, record


def write_vectors(vocabulary: Sequence[str], table: Tensor, folder: Path) -> PieceVectors:
    """Write the vectors of a vocabulary, and return them as the package reads them."""
    blocks = table.detach().reshape(-1, BLOCK)
    steps = nearest_steps(blocks)
    numbers = whole(blocks, steps).to(torch.int8).numpy().reshape(len(vocabulary), -1, BLOCK)
    scales = steps.numpy().reshape(len(vocabulary), -1).astype(np.float32)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / TABLE).write_bytes(pack({NIBBLES: join_nibbles(numbers), SCALES: scales}, SMALL, deflated=False))
    about = {"format_version": FORMAT_VERSION, "vocabulary": list(vocabulary)}
    (folder / DESCRIPTION).write_text(json.dumps(about, ensure_ascii=False) + "\n", encoding="utf-8")
    return open_vectors(folder)


def main() -> None:
    """Run the command."""
    command_parser(__doc__).parse_args()
    vocabulary = piece_vectors().vocabulary
    vectors = write_vectors(vocabulary, minilm_vectors(vocabulary), ASSETS / ASSET)
    record(ASSET, {"pieces": len(vocabulary), "width": vectors.width})


if __name__ == "__main__":
    main()
