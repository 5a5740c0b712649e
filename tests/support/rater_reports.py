"""Judged texts: some made by hand, whose figures can be calculated, and measured ones."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from naturalness.data.compared import Joined
from naturalness.explaining.explanation import Contribution, Explanation, Finding, MovedFeature
from naturalness.features.measuring import measure
from naturalness.judging.fields import LOG_ODDS
from naturalness.pipelines.learning import Rated
from naturalness.pipelines.scorer import NaturalnessModel
from naturalness.reports.raters.judged import JudgedTexts
from tests.support.pages import EVIL
from tests.support.rated import sentences

CLASSES = ("unnatural", "natural")


def rated_rows(labels: Any, table: Any = None, **fields: Any) -> Rated:
    """Return rated texts with these labels and ``fields``; each text is a source of its own unless ``groups`` says
    otherwise.
    """
    n = len(labels)
    plain: dict[str, Any] = {
        "texts": tuple(f"Text number {i}." for i in range(n)),
        "table": np.zeros((n, 1)) if table is None else table,
        "labels": np.array(labels, dtype=np.int64),
        "ratings": np.full(n, np.nan),
        "groups": np.arange(n),
        "classes": CLASSES,
        "scale": (1.0, 5.0),
        "rates": False,
    }
    values = plain | fields
    values.setdefault("columns", tuple(f"x{i}" for i in range(values["table"].shape[1])))
    return Rated(**values)


def judged(
    naturalness: Sequence[float], labels: Sequence[int], *, predicted: Sequence[int] | None = None, **fields: Any
) -> JudgedTexts:
    """Return judged texts; from .5 upwards, a text is predicted to be natural unless ``predicted`` is given."""
    scores, data = np.array(naturalness, dtype=np.float64), rated_rows(labels, **fields)
    description = SimpleNamespace(threshold=0.5, kind="classifier", units=("linear",))
    model = SimpleNamespace(saved=SimpleNamespace(description=description), classes=data.classes)
    verdicts = (scores >= 0.5).astype(np.int64) if predicted is None else np.array(predicted)
    n = len(scores)
    return JudgedTexts(data, scores, verdicts, (cast(Any, model),), np.zeros(n, dtype=np.int64), np.arange(n))


def rated(model: NaturalnessModel, n: int) -> Rated:
    """Return sentences of our own with the features that a model reads."""
    rows = sentences(n)
    texts = [text for text, _, _ in rows]
    return rated_rows(
        [rating >= 4 for _, rating, _ in rows],
        measure(texts, model.saved.description.groups, nlp="en").table[:, model.positions],
        texts=tuple(texts),
        columns=model.saved.description.columns,
        ratings=np.array([rating for _, rating, _ in rows], dtype=np.float64),
        groups=np.array([int(source[1:]) for _, _, source in rows]),
    )


def explained(text: str) -> Explanation:
    """Return an explanation made by hand, with markup in every text field."""
    moved = MovedFeature("surface__n_words", 9.0, 0.4, -0.2, f"words {EVIL}")
    findings = (
        Finding(0, 3, text[:3], "order", "order", f"odd {EVIL}", "rules", 0.9, (EVIL, "")),
        Finding(5, 5, "", "missing", "missing", "a word is missing", "detector", 0.3),
    )
    parts = (
        Contribution("order", "word order", -0.75, (moved,)),
        Contribution("length", "length and readability", 0.5, ()),
    )
    interval = (0.4, 0.3, 0.5)
    unlike = (f"strange {EVIL}",)
    return Explanation(text, *interval, "unnatural", "", LOG_ODDS, 0.1, -0.15, parts, findings, unlike, cause="order")


def joined(n: int) -> Joined:
    """Return systems, individual ratings and columns, with markup in their names."""
    rng = np.random.default_rng(0)
    return Joined(
        list(range(n)),
        systems=[("a", "", EVIL, None)[i % 4] for i in range(n)],
        singles=[[float(v) for v in rng.integers(1, 6, 3)] for _ in range(n)],
        by={EVIL: [f"value {EVIL}" if i % 2 else "" for i in range(n)], "same": ["x"] * n},
    )
