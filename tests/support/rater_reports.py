"""Judged texts made by hand, whose figures can be calculated, and measured ones."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from naturalness.explaining.explanation import Contribution, Explanation, Finding, Moved
from naturalness.features.measuring import measure
from naturalness.judging.fields import LOG_ODDS
from naturalness.pipelines.learning import Rated
from naturalness.pipelines.scorer import NaturalnessModel
from naturalness.reports.raters.judged import JudgedTexts
from naturalness.reports.raters.report import Extra
from tests.support.pages import EVIL
from tests.support.rated import sentences

CLASSES = ("unnatural", "natural")


def fake_model(threshold: float = 0.5, classes: tuple[str, ...] = CLASSES) -> Any:
    """Return a model that has only a threshold."""
    description = SimpleNamespace(threshold=threshold, kind="classifier", units=("linear",))
    return SimpleNamespace(saved=SimpleNamespace(description=description), classes=classes)


def judged(
    naturalness: Sequence[float],
    labels: Sequence[int],
    *,
    ratings: Sequence[float] | None = None,
    groups: Sequence[int] | None = None,
    predicted: Sequence[int] | None = None,
    threshold: float = 0.5,
    classes: tuple[str, ...] = CLASSES,
    texts: Sequence[str] | None = None,
) -> JudgedTexts:
    """Return judged texts; ``predicted`` follows from the threshold unless it is given."""
    scores, n = np.array(naturalness, dtype=np.float64), len(naturalness)
    data = Rated(
        texts=tuple(texts or (f"Text number {i}." for i in range(n))),
        table=np.zeros((n, 1)),
        columns=("x",),
        labels=np.array(labels, dtype=np.int64),
        ratings=np.full(n, np.nan) if ratings is None else np.array(ratings, dtype=np.float64),
        groups=np.arange(n) if groups is None else np.array(groups, dtype=np.int64),
        classes=classes,
        scale=(1.0, 5.0),
        rates=False,
    )
    verdicts = (scores >= threshold).astype(np.int64) if predicted is None else np.array(predicted)
    models = (cast(Any, fake_model(threshold, classes)),)
    return JudgedTexts(data, scores, verdicts, models, np.zeros(n, dtype=np.int64), np.arange(n))


def rated(model: NaturalnessModel, n: int) -> Rated:
    """Return measured sentences of our own."""
    rows = sentences(n)
    texts = [text for text, _, _ in rows]
    done = measure(texts, model.saved.description.groups, nlp="en")
    return Rated(
        texts=tuple(texts),
        table=done.table[:, model.positions],
        columns=model.saved.description.columns,
        labels=np.array([r >= 4 for _, r, _ in rows], dtype=np.int64),
        ratings=np.array([r for _, r, _ in rows], dtype=np.float64),
        groups=np.array([int(s[1:]) for _, _, s in rows]),
        classes=("unnatural", "natural"),
        scale=(1.0, 5.0),
        rates=False,
    )


def explain(model: NaturalnessModel, texts: Sequence[str]) -> list[Explanation]:
    """Return explanations made by hand, with markup in every text field."""
    explanations = []
    for text in texts:
        moved = Moved("surface__n_words", 9.0, 0.4, -0.2, f"longer {EVIL}", f"words {EVIL}")
        findings = (
            Finding(0, 3, text[:3], "order", "order", f"odd {EVIL}", "rules", 0.9, (EVIL, "")),
            Finding(5, 5, "", "missing", "missing", "a word is missing", "detector", 0.3),
        )
        parts = (
            Contribution("order", "word order", -0.75, (moved,)),
            Contribution("length", "length and readability", 0.5, ()),
        )
        explanations.append(
            Explanation(
                text,
                0.4,
                0.3,
                0.5,
                "unnatural",
                "",
                LOG_ODDS,
                0.1,
                -0.15,
                parts,
                findings,
                (f"strange {EVIL}",),
                cause="order",
            )
        )
    return explanations


def extra(n: int, **more: Any) -> Extra:
    """Return systems, individual ratings and a column, with markup in their names."""
    rng = np.random.default_rng(0)
    singles = [[float(v) for v in rng.integers(1, 6, 3)] for _ in range(n)]
    return Extra(
        file_rows=range(n),
        systems=[("a", "b", EVIL)[i % 3] for i in range(n)],
        singles=singles,
        by={EVIL: [f"value {EVIL}" if i % 2 else "" for i in range(n)]},
        **more,
    )
