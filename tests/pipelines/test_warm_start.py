"""Learning that starts from the shipped model or another one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from naturalness.errors import TrainingError
from naturalness.features import DEFAULT
from naturalness.judging.hashes import known_texts
from naturalness.models.learners.table import AUTO
from naturalness.pipelines import warm_start
from naturalness.pipelines.fitting import Settings
from naturalness.pipelines.learning import Rated, learn
from naturalness.pipelines.warm_start import Origin, shipped, start_for
from tests.support.rater_reports import rated_rows

TEXTS = [f"The {who} shut the door {n} times." for n in range(30) for who in ("cook", "girl")]


def origin() -> Origin:
    """Return the shipped model, as if it had been trained on the first ten texts."""
    return replace(shipped(), seen=known_texts(TEXTS[:10]))


def rated(texts: list[str]) -> Rated:
    """Return texts with random features and the ratings that the shipped model gives them."""
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


def test_known_ratings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Groups that know these ratings are named; the narrow detector, without its rating head, replaces them."""
    monkeypatch.setattr(warm_start, "shipped", origin)
    named = ["surface", "rating", "damage", "rating_fast"]
    assert warm_start.without_ratings(named) == ["surface", "damage_fast"]
    assert warm_start.without_ratings([*DEFAULT, "damage_fast"]).count("damage_fast") == 1
    own = ["surface", "damage__soundness", "embedding:shipped"]
    assert warm_start.groups_with_known_ratings(own, TEXTS[:20]) == ["damage", "embedding:shipped"]
    assert warm_start.groups_with_known_ratings(own, TEXTS[10:]) == []
    assert warm_start.groups_with_known_ratings(["surface"], TEXTS[:20]) == []


def test_start_from_the_shipped_model() -> None:
    """Learning sixty ratings that follow the shipped model works far better from its weights than by ridge alone."""
    data = rated(TEXTS)
    adapted = learn(data, Settings(learner="adapted"))
    plain = learn(data, Settings(learner="logistic-l2"))
    assert adapted.fitted.choice.score > 0.9
    assert adapted.fitted.choice.score > plain.fitted.choice.score + 0.2
    assert learn(data, Settings()).fitted.choice.learner == "mixture"


def test_known_texts() -> None:
    """If the model was trained on more than a few of the texts, `auto` skips it, and naming it is an error."""
    columns = shipped().columns
    assert start_for(AUTO, columns, TEXTS[:20], origin()) is None
    typed = [text.replace(".", " !") for text in TEXTS[:20]]
    assert start_for(AUTO, columns, typed, origin()) is None
    with pytest.raises(TrainingError, match="was trained on these texts"):
        start_for("adapted", columns, TEXTS[:20], origin())
    others = [text.replace("door", "gate") for text in TEXTS]
    assert start_for(AUTO, columns, [*others, TEXTS[0]], origin()) is not None


def test_missing_columns() -> None:
    """A learner that adapts a model is refused for a table without the columns of the model."""
    with pytest.raises(TrainingError, match="not among x0"):
        start_for("adapted", ["x0"], [])
    assert start_for(AUTO, ["x0"], []) is None
    assert start_for(AUTO, shipped().columns[:20], []) is None
    assert start_for("xgboost", shipped().columns, []) is None
