"""The loss of a tree among all trees: log Z of a batch of charts minus the score of the gold spans.

The recursion is that of `naturalness.models.parsers.chart.inside`, which says why a tree has one
derivation; here in torch, for a batch, with gradients. A chart is a row of spans, ordered by width,
then from left to right.
"""

from __future__ import annotations

import torch
from torch import Tensor


def corners(n: int) -> tuple[Tensor, Tensor]:
    """Return the first and last word of each span of ``n`` words, in chart order."""
    widths = torch.repeat_interleave(torch.arange(n), torch.arange(n, 0, -1))
    starts = torch.cat([torch.arange(n - width) for width in range(n)])
    return starts, starts + widths


def cell(start: int, stop: int, n: int) -> int:
    """Return the chart position of the span of words start..stop-1."""
    width = stop - start - 1
    return width * n - width * (width - 1) // 2 + start


def log_partition(labels: Tensor, n: int, lengths: Tensor) -> Tensor:
    """Return log Z (b,) from the log-sum over labels of each span (b, spans)."""
    by_width = labels.split(list(range(n, 0, -1)), 1)
    whole = [torch.nn.functional.softplus(by_width[0])]  # a constituent, or a bare word
    right = [whole[0]]  # what may follow a first child: one constituent, or several siblings
    tops = [by_width[0][:, 0]]
    for width in range(2, n + 1):
        starts = n - width + 1
        left_parts = torch.stack([whole[k - 1][:, :starts] for k in range(1, width)])
        right_parts = torch.stack([right[width - k - 1][:, k : k + starts] for k in range(1, width)])
        inner = torch.logsumexp(left_parts + right_parts, 0)
        labelled = by_width[width - 1] + inner
        whole.append(labelled)
        right.append(torch.logaddexp(labelled, inner))
        tops.append(labelled[:, 0])
    return torch.stack(tops, 1).gather(1, (lengths - 1).unsqueeze(1)).squeeze(1)


def loss(scores: Tensor, n: int, lengths: Tensor, gold: Tensor) -> Tensor:
    """Return the mean of -log P(tree); scores are (b, spans, labels), gold rows (sentence, span, label)."""
    log_z = log_partition(torch.logsumexp(scores, -1), n, lengths)
    row, span, label = gold.unbind(1)
    return (log_z.sum() - scores[row, span, label].sum()) / len(lengths)
