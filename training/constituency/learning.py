"""Train a span scorer on trees: log-likelihood of the gold tree among all trees."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import Tensor, nn

from naturalness.models.parsers.chart import inside
from naturalness.models.parsers.chart.kbest import search
from naturalness.models.parsers.tree import Span
from training.checkpoints import descend
from training.constituency.batches import Body, collate, gold
from training.constituency.crf import corners, loss
from training.constituency.evalb import Brackets
from training.constituency.examples import Example, blurred, plan
from training.constituency.network import SpanScorer

BATCH = 24_000
"""Squared words (with room for the chart's margins) in a batch: about 20 sentences of 22 words."""
RATE = 1e-3


def fit(
    model: SpanScorer,
    body: Body,
    epochs: Sequence[Sequence[Example]],
    *,
    seed: int = 0,
    after: Callable[[str], None] = print,
) -> SpanScorer:
    """Train on one list of examples per epoch."""
    torch.manual_seed(seed)
    rng = random.Random(seed)
    labels = {x: i for i, x in enumerate(model.labels)}
    batches = [
        [examples[i] for i in rows]
        for examples in epochs
        for rows in plan([len(e.words) for e in examples], BATCH, rng)
    ]
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=0.01)
    warm = max(1, len(batches) // 20)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / warm, max(0.02, (len(batches) - step) / (len(batches) - warm)))
    )
    model.train()
    started, total = time.time(), 0.0
    for step, chosen in enumerate(batches, 1):
        shown = [blurred(e, rng) for e in chosen]
        lengths, spans, tags = gold(shown, labels)
        batch = collate(body, [e.words for e in shown], [e.style for e in shown])
        scores, tag_scores = model(batch)
        cost = loss(scores, int(lengths.max()), lengths, spans) / 10 + _tag_loss(tag_scores, tags) / 5
        descend(cost, model.parameters(), optimizer, schedule)
        total += cost.item()
        if step % 200 == 0:
            after(f"{step}/{len(batches)} loss {total / 200:.3f} {time.time() - started:.0f} s")
            total = 0.0
    return model.eval()


def _tag_loss(scores: Tensor, tags: Tensor) -> Tensor:
    """Return the mean loss over words with a known tag; 0 without any."""
    summed = nn.functional.cross_entropy(scores.flatten(0, 1), tags.flatten(), reduction="sum")
    return summed / max(1, int((tags >= 0).sum()))


@torch.inference_mode()
def label(
    model: SpanScorer, body: Body, sentences: Sequence[Sequence[str]], size: int = 40_000
) -> list[tuple[list[Span], float]]:
    """Return the best tree of each sentence in the first treebank's style, with its log-probability."""
    out: list[tuple[list[Span], float]] = [([], 0.0)] * len(sentences)
    model.eval()
    for rows in plan([len(words) for words in sentences], size, random.Random(0)):
        chosen = [sentences[i] for i in rows]
        n = max(map(len, chosen))
        starts, ends = corners(n)
        scores = model(collate(body, chosen, [0] * len(rows)))[0].double().numpy()
        charts = np.full((len(rows), n, n, len(model.labels)), -np.inf)
        charts[:, starts, ends] = scores
        for i, words, chart in zip(rows, chosen, charts, strict=True):
            log_z, (best, *_) = search(len(words), chart[inside.corners(len(words))], 1)
            spans = [Span(a, b, model.labels[c]) for a, b, c in best.spans]
            out[i] = spans, best.score - log_z
    return out


def accuracy(model: SpanScorer, body: Body, examples: Sequence[Example]) -> Brackets:
    """Return bracket counts against the gold trees."""
    counts = Brackets()
    for example, (spans, _) in zip(examples, label(model, body, [e.words for e in examples]), strict=True):
        counts.add(example.spans, spans, example.tags)
    return counts
