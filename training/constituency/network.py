"""The span scorer in torch, which is trained on top of the damage detector.

The detector is frozen and read from its file. A fencepost between two words joins the last piece of the word before
it and the first piece of the word after it. A small network over its two fenceposts scores each label of a span (after
Stern, Andreas & Klein 2017), with a bias for each treebank, since treebanks differ in style.
`naturalness.models.parsers.chart.network` computes the same with numpy.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from naturalness.models.pieces import SHAPES
from training.constituency.crf import corners
from training.constituency.examples import TAGS

TREEBANKS = ("gum", "craft")
"""Styles; the shipped parser uses the first."""
HIDDEN, SPAN = 384, 256


class SpanScorer(nn.Module):
    """Maps the detector's vectors to scores (b, spans, labels), in the order of `crf.corners`."""

    def __init__(self, labels: Sequence[str], width: int) -> None:
        super().__init__()
        self.labels = list(labels)
        self.body = nn.Linear(width, HIDDEN)
        self.shapes = nn.Embedding(len(SHAPES), HIDDEN)
        nn.init.zeros_(self.shapes.weight)
        self.drop = nn.Dropout(0.1)
        self.left, self.right = (nn.Linear(2 * HIDDEN, SPAN), nn.Linear(2 * HIDDEN, SPAN, bias=False))
        self.style = nn.Embedding(len(TREEBANKS), SPAN)
        nn.init.zeros_(self.style.weight)
        self.span_norm = nn.LayerNorm(SPAN)
        self.label = nn.Linear(SPAN, len(labels))
        self.tag_hint = nn.Linear(2 * HIDDEN, len(TAGS))

    def forward(self, batch: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
        """Return scores of spans, and of tags (an auxiliary task)."""
        x = self.drop(torch.relu(self.body(self.drop(batch["vectors"])) + self.shapes(batch["shapes"])))

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
