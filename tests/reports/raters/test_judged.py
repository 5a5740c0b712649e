"""Nobody judges what he has seen."""

from __future__ import annotations

import numpy as np
import pytest

from naturalness.pipelines.fitting import Settings
from naturalness.pipelines.scorer import NaturalnessModel
from naturalness.reports.raters.judged import OUT_OF_FOLD, UNSEEN, Recipe, judge_out_of_fold, judge_unseen, recipe_of
from tests.support.rater_reports import rated

SETTINGS = Settings(learner="logistic-l2", folds=3)
RECIPE = Recipe(SETTINGS, SETTINGS, "accuracy")


def test_seen_texts_are_left_out(model: NaturalnessModel) -> None:
    """Of 100 the first 60 were those of training, and one is the same as one of these."""
    data = rated(model, 100)
    judged = judge_unseen(data, model)
    assert (judged.how, judged.seen) == (UNSEEN, 61)
    assert set(judged.rows.tolist()) < set(range(60, 100))
    assert judged.naturalness.tolist() == model.score(judged.data.texts).naturalness.tolist()


@pytest.mark.slow
def test_out_of_fold(model: NaturalnessModel) -> None:
    """Every judge was trained on other texts and other sources; the sum of them judges all."""
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


def test_the_recipe_of_another_table_is_unknown(model: NaturalnessModel) -> None:
    """A model is judged out of fold on its training table alone."""
    assert recipe_of(model, rated(model, 59)) is None


def test_judges_explain_their_own_verdict(model: NaturalnessModel) -> None:
    """What a judge of a fold explains has the score that it gave."""
    data = rated(model, 60)
    judged = judge_out_of_fold(data, model, RECIPE)
    row = 7
    explanation = judged.models[judged.judge[row]].explain([data.texts[row]])[0]
    assert explanation.naturalness == pytest.approx(judged.naturalness[row])
    assert judged.models[0].folder == model.folder
    assert model.classes.index(explanation.label or "") == judged.predicted[row]
    assert sum(one.value for one in explanation.contributions) == pytest.approx(
        explanation.total - explanation.base, abs=1e-4
    )
