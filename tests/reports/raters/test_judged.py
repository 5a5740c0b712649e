"""Models judge texts that they have not seen; labels of other tables are mapped to those of the model."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from naturalness.errors import TrainingError
from naturalness.pipelines.fitting import Settings
from naturalness.pipelines.scorer import NaturalnessModel
from naturalness.reports.raters.judged import (
    OUT_OF_FOLD,
    REST_AND_BEST,
    UNSEEN,
    TrainingRecipe,
    judge_out_of_fold,
    judge_unseen,
    recipe_of,
    with_labels_of,
)
from tests.support.rater_reports import rated, rated_rows

SETTINGS = Settings(learner="logistic-l2", folds=3)
RECIPE = TrainingRecipe(SETTINGS, SETTINGS, "accuracy")


def test_training_texts_are_left_out(model: NaturalnessModel) -> None:
    """Texts of the training data and their duplicates are not judged."""
    judged = judge_unseen(rated(model, 100), model)
    assert (judged.how, judged.seen) == (UNSEEN, 61)
    assert set(judged.rows.tolist()) < set(range(60, 100))
    assert judged.naturalness.tolist() == model.score(judged.data.texts).naturalness.tolist()
    assert recipe_of(model, rated(model, 59)) is None


@pytest.mark.slow
def test_models_of_folds(model: NaturalnessModel) -> None:
    """The model of each fold was trained on other texts and sources, and explains its own scores."""
    data = rated(model, 60)
    judged = judge_out_of_fold(data, model, RECIPE)
    assert judged.how == OUT_OF_FOLD
    assert set(judged.judge.tolist()) == set(range(5))
    for number, judge in enumerate(judged.models):
        fold = judged.judge == number
        assert not any(judge.knows(data.texts[i]) for i in np.flatnonzero(fold))
        assert all(judge.knows(data.texts[i]) for i in np.flatnonzero(~fold))
        assert not set(data.groups[fold]) & set(data.groups[~fold])
    again = judge_out_of_fold(data, model, RECIPE, n_jobs=2)
    assert again.naturalness.tolist() == judged.naturalness.tolist()
    assert again.predicted.tolist() == judged.predicted.tolist()
    explanation = judged.models[judged.judge[7]].explain([data.texts[7]])[0]
    assert explanation.naturalness == pytest.approx(judged.naturalness[7])
    assert model.classes.index(explanation.label or "") == judged.predicted[7]
    total = sum(contribution.value for contribution in explanation.contributions)
    assert total == pytest.approx(explanation.total - explanation.base, abs=1e-4)


def test_labels_are_matched() -> None:
    """Labels are matched by name, ignoring case; otherwise by order if there are two, or as the best and the rest."""
    data = rated_rows([0, 1, -1])
    by_name = with_labels_of(replace(data, classes=("Good", "bad")), ("bad", "good"))
    assert by_name.labels.tolist() == [1, 0, -1]
    by_order = with_labels_of(data, ("poor", "fine"))
    assert (by_order.labels.tolist(), by_order.classes) == ([0, 1, -1], ("poor", "fine"))
    against_rest = with_labels_of(data, ("poor", "fair", "fine"))
    three = rated_rows([0, 1, 2, -1], classes=("bad", "ok", "great"))
    of_three = with_labels_of(three, ("unnatural", "natural"))
    assert of_three.labels.tolist() == [0, 0, 1, -1]
    np.testing.assert_array_equal(of_three.part(np.array([0, 1, 2, 3])).graded, three.graded)
    assert (against_rest.labels.tolist(), against_rest.classes) == ([0, 1, -1], REST_AND_BEST)
    with pytest.raises(TrainingError, match="have only the label 'odd', which this model does not predict"):
        with_labels_of(rated_rows([0, 0], classes=("odd",)), ("bad", "good"))
