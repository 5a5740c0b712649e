"""Scores of spans on the body of the damage detector: the network as it is trained, in torch.

The body stays as it ships, and is read from its file. Between two words stands a fence: the last piece of the word
before it and the first of the word behind. The score of a label for a span is a small net over its two fences (after
Stern, Andreas & Klein 2017), with a bias of the treebank, as treebanks differ in style.
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
"""Styles; the first is that of the trees which are shown."""
HIDDEN, SPAN = 384, 256


class SpanScorer(nn.Module):
    """The body's vectors in, scores (b, spans, labels) out, in the order of `crf.corners`."""

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
        """Scores of spans, and of tags (a second task that helps the first)."""
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
