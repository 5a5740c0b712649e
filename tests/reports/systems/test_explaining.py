"""Rows of tables explained by a model."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from naturalness.pipelines.scorer import NaturalnessModel, load_model
from naturalness.reports.systems.explaining import explain_rows, judge_of
from naturalness.reports.systems.rows import TextRow
from tests.support.labelling import small_model


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> NaturalnessModel:
    """A model of quick groups."""
    return load_model(small_model(Path(tmp_path_factory.mktemp("small")) / "model"))


def test_each_text_once(model: NaturalnessModel) -> None:
    """Whatever the batch, equal texts share an explanation, which is that of the model."""
    rows = [TextRow("Old boats float. They leak.", "a", "s", "k", 7), TextRow("Dogs bark.", "b")]
    told: list[tuple[int, int]] = []
    (new, old) = explain_rows(model, [rows, rows[::-1]], batch_size=1, advance=lambda *done: told.append(done))
    assert told == [(0, 2), (1, 2), (2, 2)]
    assert new[0].explanation is old[1].explanation
    # As text: undefined numbers are equal to nothing.
    assert repr([one.explanation for one in new]) == repr(model.explain([r.text for r in rows]))
    assert (new[0].system, new[0].source, new[0].key, new[0].row) == ("a", "s", "k", 7)
    assert (new[0].n_words, new[0].n_sentences, new[1].n_sentences) == (5, 2, 1)


def test_rows_that_cannot_be_used(model: NaturalnessModel) -> None:
    """They keep their place and have their own reason, or the model's."""
    ((bad, empty),) = explain_rows(model, [[TextRow("", problem="not JSON"), TextRow("...")]])
    assert not bad.scored and not empty.scored
    assert (bad.explanation.reason, empty.explanation.reason) == ("not JSON", "no words")
    assert math.isnan(bad.explanation.total)


def test_the_judge(model: NaturalnessModel) -> None:
    """Its name without the path, its threshold and its better label."""
    judge = judge_of(model)
    assert (judge.name, judge.unit, judge.best) == ("model", "log-odds", "True")
    assert 0 < judge.threshold < 1
