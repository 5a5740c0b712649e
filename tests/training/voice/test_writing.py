"""Thresholds for a rate of false alarms."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_matrix

from tests.support.piles import paragraphs
from training.voice.learning import Table
from training.voice.writing import lines_of


def lines(words: list[int], sources: list[str], log_odds: list[float]) -> dict[int, float]:
    """Return the thresholds learned from human-written texts of these lengths."""
    texts = [each._replace(source=name) for each, name in zip(paragraphs([""] * len(words)), sources, strict=True)]
    n, empty = np.array(words, float), np.empty((len(words), 0))
    table = Table(texts, [], csr_matrix(empty), empty, n, n, n, n)
    return lines_of(table, np.arange(len(words)), np.array(log_odds))


def test_no_large_source_has_many_alarms() -> None:
    """A large source with high values raises the threshold; a small one hardly does."""
    log_odds = [float(i) for i in range(390)]
    assert lines([60] * 390, ["a"] * 390, log_odds) == {50: 382}
    assert lines([60] * 390, ["a"] * 330 + ["b"] * 60, log_odds)[50] == np.quantile(log_odds[330:], 0.97)
    assert lines([60] * 390, ["a"] * 388 + ["b", "c"], log_odds)[50] == 388
