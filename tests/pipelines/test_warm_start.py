"""Learning that starts from the shipped model or another one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from naturalness.errors import TrainingError
from naturalness.judging.hashes import known_texts
from naturalness.models.learners.table import AUTO
from naturalness.pipelines import warm_start
from naturalness.pipelines.fitting import Settings, fit_table
from naturalness.pipelines.learning import Rated, learn
from naturalness.pipelines.warm_start import Origin, shipped, start_for
from tests.support.rater_reports import rated_rows

TEXTS = [f"The {who} shut the door {n} times." for n in range(30) for who in ("cook", "girl")]


def origin() -> Origin:
    """The shipped model, as if it had learned from the first ten texts."""
    return replace(shipped(), seen=known_texts(TEXTS[:10]))


def rated(texts: list[str]) -> Rated:
    """Texts whose ratings are the shipped model's, with numbers around the usual ones."""
    model = shipped()
    rng = np.random.default_rng(0)
    mean, scale = model.compiled.preparation.mean, model.compiled.preparation.scale
    n = len(model.columns)
    table = mean[:n] + scale[:n] * rng.normal(size=(len(texts), n))
    return rated_rows(
        [-1] * len(texts),
        table,
        texts=tuple(texts),
        columns=model.columns,
        ratings=model.compiled.decide(table)[:, 0],
        scale=(-5.0, 5.0),
        rates=True,
    )


def test_the_rating_head_is_left_out_where_it_knows_the_ratings(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rating head is better on its own training texts than on any others."""
    monkeypatch.setattr(warm_start, "shipped", origin)
    named = ["surface", "rating", "damage", "rating_fast"]
    assert warm_start.without_known_ratings(named, TEXTS[:20]) == ["surface", "damage"]
    assert warm_start.without_known_ratings(named, TEXTS[10:]) == named
    assert warm_start.without_known_ratings(["surface"], TEXTS[:20]) == ["surface"]


def test_the_shipped_model_is_what_learning_starts_from() -> None:
    """Sixty ratings that follow the shipped model are learned well from its weights, and much worse by ridge alone."""
    data = rated(TEXTS)
    adapted = learn(data, Settings(learner="adapted"))
    plain = learn(data, Settings(learner="logistic-l2"))
    assert adapted.fitted.choice.score > 0.9
    assert adapted.fitted.choice.score > plain.fitted.choice.score + 0.2
    assert learn(data, Settings()).fitted.choice.learner == "mixture"


@pytest.mark.slow
def test_auto_does_without_it_where_there_is_nothing_to_start_from() -> None:
    """A table of numbers has none of the model's columns, so only the other quick learners are tried."""
    rng = np.random.default_rng(0)
    table = rng.normal(size=(60, 4))
    fitted = fit_table(
        table, table[:, 0], n_classes=0, names=(), groups=np.arange(60), weight=np.ones(60), settings=Settings(folds=3)
    )
    assert "adapted" not in [choice.learner for choice in fitted.choices]


def test_texts_that_taught_the_model_are_not_judged_with_its_help() -> None:
    """`auto` skips the model, and naming it is an error, if more than a few of the texts trained it."""
    columns = shipped().columns
    assert start_for(AUTO, columns, TEXTS[:20], origin()) is None
    typed = [text.replace(".", " !") for text in TEXTS[:20]]
    assert start_for(AUTO, columns, typed, origin()) is None
    with pytest.raises(TrainingError, match="was trained on these texts"):
        start_for("adapted", columns, TEXTS[:20], origin())
    others = [text.replace("door", "gate") for text in TEXTS]
    assert start_for(AUTO, columns, [*others, TEXTS[0]], origin()) is not None


def test_asked_for_by_name_it_needs_the_columns_of_the_model() -> None:
    """The message says what to do."""
    with pytest.raises(TrainingError, match="not among x0"):
        start_for("adapted", ["x0"], [])
    assert start_for(AUTO, ["x0"], []) is None
    assert start_for(AUTO, shipped().columns[:20], []) is None
    assert start_for("xgboost", shipped().columns, []) is None
