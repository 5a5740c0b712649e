"""Compare untrained numbers with ratings, CoLA's labels and pairs of E2E."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from sklearn.metrics import matthews_corrcoef

from benchmarks.leave_out.rated import PAIRS
from naturalness.arrays import FloatArray
from naturalness.statistics.correlation import spearman
from training.default_model.sets import SETS, read_rows, read_set

GOAL = ("GUG", "Lau BNC", "style transfer", "SFREST", "SFHOTEL")
OTHERS = ("E2E", "Topical-Chat", "SummEval", "CoLA")
Measure = Callable[[Sequence[str]], FloatArray]
"""A function from texts to a table (texts, numbers); higher is better."""


def by_set(ratings: Path, measure: Measure, each: int = 10**6) -> dict[str, list[float]]:
    """Return Spearman of each number with the ratings of about ``each`` texts a set, and the mean over `GOAL`."""
    out = {name: correlations(ratings, name, measure, each) for name in (*GOAL, *OTHERS)}
    out["mean of the first five"] = np.mean([out[name] for name in GOAL], axis=0).tolist()
    return out


def correlations(ratings: Path, name: str, measure: Measure, each: int = 10**6) -> list[float]:
    """Return Spearman of each number with the ratings of about ``each`` texts of a set."""
    rated = read_set(ratings / SETS[name].file)
    step = max(1, len(rated.texts) // each)
    table = measure(rated.texts[::step])
    complete = ~np.isnan(table).any(axis=1)
    return [spearman(column[complete], rated.ratings[::step][complete]) for column in table.T]


def cola(ratings: Path, measure: Measure) -> list[float]:
    """Return each number's Matthews correlation on the development part, at the best threshold of the training part."""
    rows = read_rows(ratings / SETS["CoLA"].file)
    parts = {}
    for name in ("train", "dev"):
        chosen = [row for row in rows if row["split"].startswith(name)]
        labels = np.array([int(row["rating"]) for row in chosen])
        parts[name] = measure([row["text"] for row in chosen]), labels
    table, labels = parts["train"]
    out = []
    for i, values in enumerate(table.T):
        steps = np.nanquantile(values, np.linspace(0.02, 0.98, 97))
        best = max(steps, key=lambda cut: matthews_corrcoef(labels, values >= cut))
        out.append(float(matthews_corrcoef(parts["dev"][1], parts["dev"][0][:, i] >= best)))
    return out


def pairs(ratings: Path, measure: Measure) -> list[float]:
    """Return the share of E2E pairs in which the preferred text has the higher number."""
    rows = read_rows(ratings / PAIRS)
    texts = list(dict.fromkeys(text for row in rows for text in (row["good"], row["bad"])))
    scores = dict(zip(texts, measure(texts), strict=True))
    won = np.array([scores[row["good"]] - scores[row["bad"]] for row in rows])
    return [float(np.mean(np.where(column == 0, 0.5, column > 0))) for column in won.T]
