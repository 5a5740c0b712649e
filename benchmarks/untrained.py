"""How numbers that no rating had a part in go with ratings, CoLA's labels and pairs of E2E."""

from __future__ import annotations

import csv
import gzip
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import matthews_corrcoef

from benchmarks.rule_texts import edited_texts
from naturalness.arrays import FloatArray
from naturalness.statistics.correlation import spearman
from naturalness.text.parsing import tokenise
from training.default_model.sets import SETS, read_set

GOAL = ("GUG", "Lau BNC", "style transfer", "SFREST", "SFHOTEL")
OTHERS = ("E2E", "Topical-Chat", "SummEval", "CoLA")
PAIRS = "e2e_naturalness.pairs.tsv.gz"
WORDS, TIMED = range(18, 23), 400
Measure = Callable[[Sequence[str]], FloatArray]
"""Texts to a table (texts, numbers); the higher, the better."""


def by_set(
    ratings: Path, measure: Measure, each: int, names: Sequence[str] = (*GOAL, *OTHERS)
) -> dict[str, list[float]]:
    """Spearman of each number with the ratings of each set, and the mean over `GOAL`, which are among ``names``."""
    out = {}
    for name in names:
        rated = read_set(ratings / SETS[name].file)
        step = max(1, len(rated.texts) // each)
        table = measure(rated.texts[::step])
        complete = ~np.isnan(table).any(axis=1)
        out[name] = [spearman(c[complete], rated.ratings[::step][complete]) for c in table.T]
    out["mean of the first five"] = np.mean([out[name] for name in GOAL], axis=0).tolist()
    return out


def cola(ratings: Path, measure: Measure) -> list[float]:
    """Matthews' correlation on the development part, of each number at train's best threshold."""
    with (ratings / SETS["CoLA"].file).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
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
    """Share of pairs of E2E in which the preferred text has the higher number."""
    with gzip.open(ratings / PAIRS, "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    texts = list(dict.fromkeys(text for row in rows for text in (row["good"], row["bad"])))
    scores = dict(zip(texts, measure(texts), strict=True))
    won = np.array([scores[row["good"]] - scores[row["bad"]] for row in rows])
    return [float(np.mean(np.where(column == 0, 0.5, column > 0))) for column in won.T]


def twenty_words(corpora: Path) -> list[list[str]]:
    """Tokens of held-out sentences of about 20."""
    docs = tokenise([text for _, text in edited_texts(corpora, 6 * TIMED)])
    return [[token.text for token in doc] for doc in docs if len(doc) in WORDS][:TIMED]


def per_second(items: Sequence[Any], action: Callable[[Any], object]) -> float:
    """Items a second of processor time; the best of three rounds."""
    best = float("inf")
    for _ in range(3):
        started = time.process_time()
        for item in items:
            action(item)
        best = min(best, time.process_time() - started)
    return len(items) / best
