"""Saved models on rated texts: labels of another table, and texts that a model has seen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from naturalness.errors import TrainingError
from naturalness.reports.assess import REST_AND_BEST, with_intervals, with_labels_of
from tests.support.rater_reports import judged


def test_labels_are_compared_by_name() -> None:
    """In any order and case; of other names by their order, else the best against the rest."""
    data = judged([0.2, 0.8, 0.9], [0, 1, -1]).data
    by_name = with_labels_of(replace(data, classes=("Good", "bad")), ("bad", "good"))
    assert by_name.labels.tolist() == [1, 0, -1]
    by_order = with_labels_of(data, ("poor", "fine"))
    assert (by_order.labels.tolist(), by_order.classes) == ([0, 1, -1], ("poor", "fine"))
    against_rest = with_labels_of(data, ("poor", "fair", "fine"))
    assert (against_rest.labels.tolist(), against_rest.classes) == ([0, 1, -1], REST_AND_BEST)


def test_a_single_other_label_is_an_error() -> None:
    """It cannot say which side it is on."""
    data = judged([0.2, 0.8], [0, 0], classes=("odd",)).data
    with pytest.raises(TrainingError, match="only have the label 'odd', which this model does not predict"):
        with_labels_of(data, ("bad", "good"))


@pytest.mark.slow
def test_intervals_hold_the_figure() -> None:
    """Ends lie around the value; fewer than ten sources have none, and without texts nothing is defined."""
    texts = judged([0.1, 0.3, 0.4, 0.7, 0.8, 0.9] * 5, [0, 0, 1, 0, 1, 1] * 5)
    value, low, high = with_intervals(texts.data, texts.naturalness, texts.predicted)["accuracy"]
    assert value == pytest.approx(4 / 6)
    assert low < value < high
    few = texts.data.part(np.arange(9))
    value, low, high = with_intervals(few, texts.naturalness[:9], texts.predicted[:9])["accuracy"]
    assert value > 0 and np.isnan([low, high]).all()
    empty = texts.data.part(np.zeros(0, dtype=np.int64))
    assert np.isnan(with_intervals(empty, texts.naturalness[:0], texts.predicted[:0])["accuracy"]).all()
