"""Train a span scorer on trees: log-likelihood of the gold tree among all trees."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import partial

import torch
from torch import Tensor, nn

from training.constituency.batches import Body, collate, gold
from training.constituency.crf import loss
from training.constituency.examples import Example, blurred
from training.constituency.network import SpanScorer
from training.loop import Costs, by_length, rate_at, train

BATCH = 24_000
"""Squared words (with room for the chart's margins) in a batch: about 20 sentences of 22 words."""
RATE = 1e-3
MARGIN = 12
"""Words that the margins of a chart take."""


def fit(model: SpanScorer, body: Body, epochs: Sequence[Sequence[Example]]) -> SpanScorer:
    """Train on one list of examples per epoch."""
    torch.manual_seed(0)
    rng = random.Random(0)
    labels = {x: i for i, x in enumerate(model.labels)}
    batches = [
        [examples[i] for i in rows]
        for examples in epochs
        for rows in by_length([(len(e.words) + MARGIN + 3 * rng.random()) ** 2 for e in examples], BATCH, rng)
    ]

    def costs(first: int) -> Iterator[Costs]:
        for chosen in batches:
            shown = [blurred(e, rng) for e in chosen]
            lengths, spans, tags = gold(shown, labels)
            scores, tag_scores = model(collate(body, [e.words for e in shown], [e.style for e in shown]))
            spans_cost = loss(scores, int(lengths.max()), lengths, spans) / 10
            yield [{"spans": spans_cost, "tags": _tag_loss(tag_scores, tags) / 5}]

    steps = len(batches)
    rate = partial(rate_at, steps=steps, warm=steps // 20, decay=0.95)
    train(model, [*model.parameters()], costs, steps=steps, rate=rate, lr=RATE, weight_decay=0.01)
    return model


def _tag_loss(scores: Tensor, tags: Tensor) -> Tensor:
    """Return the mean loss over words with a known tag; 0 without any."""
    summed = nn.functional.cross_entropy(scores.flatten(0, 1), tags.flatten(), reduction="sum")
    return summed / max(1, int((tags >= 0).sum()))
