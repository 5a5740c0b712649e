"""Scores of spans from an encoder: the network as it is trained, in torch.

The encoder is MiniLM or its first layers, with narrower feed-forward nets and a smaller vocabulary.
Between two words stands a fence: the last piece of the word before it and the first of the word
behind. The score of a label for a span is a small net over its two fences (after Stern, Andreas &
Klein 2017), with a bias of the treebank, as treebanks differ in style.
`naturalness.models.parsers.chart.network` computes the same with numpy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

from naturalness.models.piece_vectors import PieceVectors
from naturalness.models.pieces import SHAPES
from training.constituency.crf import corners
from training.constituency.examples import TAGS
from training.encoder import WIDTH, Layer, all_pieces, begin_with_minilm

TREEBANKS = ("gum", "craft")
"""Styles; the first is that of the trees which are shown."""


@dataclass(frozen=True)
class Size:
    """What the encoder keeps of MiniLM."""

    layers: int = 6
    feed_forward: int = 1536
    relu: bool = False
    """Instead of GELU, which takes numpy longer than the matrices around it."""
    span: int = 256


class SpanScorer(nn.Module):
    """Pieces of words in, scores (b, spans, labels) out, in the order of `crf.corners`."""

    def __init__(self, labels: Sequence[str], vocabulary: Sequence[str], size: Size) -> None:
        super().__init__()
        self.labels, self.vocabulary, self.size = list(labels), list(vocabulary), size
        width = WIDTH
        self.pieces = nn.Embedding(len(vocabulary), width)
        self.positions = nn.Embedding(512, width)
        self.shapes = nn.Embedding(len(SHAPES), width)
        nn.init.zeros_(self.shapes.weight)
        self.norm = nn.LayerNorm(width, 1e-12)
        self.layers = nn.ModuleList(Layer(width, size.feed_forward, relu=size.relu) for _ in range(size.layers))
        self.drop = nn.Dropout(0.1)
        self.left, self.right = (nn.Linear(2 * width, size.span), nn.Linear(2 * width, size.span, bias=False))
        self.style = nn.Embedding(len(TREEBANKS), size.span)
        nn.init.zeros_(self.style.weight)
        self.span_norm = nn.LayerNorm(size.span)
        self.label = nn.Linear(size.span, len(labels))
        self.tag_hint = nn.Linear(2 * width, len(TAGS))

    def encode(self, batch: dict[str, Tensor]) -> Tensor:
        """Hidden vectors of the pieces."""
        positions = torch.arange(batch["ids"].shape[1])
        x = self.pieces(batch["ids"]) + self.shapes(batch["shapes"]) + self.positions(positions)
        x = self.drop(self.norm(x))
        for layer in self.layers:
            x = layer(x, batch["mask"])
        return x

    def forward(self, batch: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
        """Scores of spans, and of tags (a second task that helps the first)."""
        x = self.drop(self.encode(batch))

        def at(index: Tensor) -> Tensor:
            return torch.gather(x, 1, index.unsqueeze(-1).expand(-1, -1, x.shape[-1]))

        first, last = at(batch["first"]), at(batch["last"])  # start mark, words, end mark
        fences = torch.cat([last[:, :-1], first[:, 1:]], -1)
        style = self.style(batch["style"])[:, None, :]
        left, right = self.left(fences[:, :-1]) + style, self.right(fences[:, 1:])
        starts, ends = corners(left.shape[1])
        hidden = self.span_norm(left[:, starts] + right[:, ends])
        scores = self.label(torch.relu(hidden))
        tags = self.tag_hint(torch.cat([first[:, 1:-1], last[:, 1:-1]], -1))
        return scores, tags


def pretrained(labels: Sequence[str], vectors: PieceVectors | None, size: Size) -> SpanScorer:
    """A network that begins with MiniLM's weights, as many of them as its size has; on the shipped vectors, or all."""
    model = SpanScorer(labels, vectors.vocabulary if vectors else all_pieces(), size)
    begin_with_minilm(model, model.vocabulary)
    if vectors:
        model.pieces.weight.data.copy_(torch.from_numpy(vectors.of(range(len(vectors.vocabulary)))))
    return model


def save(model: SpanScorer, path: Path) -> None:
    """Weights with what is needed to build the network again; no code."""
    description = {"labels": model.labels, "vocabulary": model.vocabulary, "size": asdict(model.size)}
    torch.save({"made": description, "weights": model.state_dict()}, path)


def load(path: Path) -> SpanScorer:
    """The network that `save` wrote."""
    state = torch.load(path, weights_only=True)
    description = state["made"]
    model = SpanScorer(description["labels"], description["vocabulary"], Size(**description["size"]))
    model.load_state_dict(state["weights"])
    return model.eval()
