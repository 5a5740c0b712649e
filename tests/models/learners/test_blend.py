"""The mean of several learners: what each part counts, what is chosen, what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from naturalness import NaturalnessClassifier, NaturalnessRegressor
from naturalness.errors import TrainingError
from naturalness.models.learners import elimination
from naturalness.models.learners.blend import Blend, joint, weights_of
from naturalness.models.learners.linear import Linear
from naturalness.models.learners.neighbours import Neighbours
from naturalness.models.learners.table import LEARNERS, learners_named
from naturalness.models.learners.tuning import tune
from naturalness.pipelines.fitting import Fitted, Settings, criterion, fit_table
from tests.support.problems import problem, table

TESTS = [np.array([0, 1]), np.array([2, 3])]
FEW: dict[str, Any] = {"rbf-svm": {"C": 1.0}, "xgboost": {"n_estimators": 10}}


def of(n_classes: int) -> dict[str, Any]:
    """Parameters of the three parts that are quick to learn."""
    return {"logistic-l2": {"C": 0.1} if n_classes else {"alpha": 3.0}, **FEW}


def fitted(n_classes: int, **settings: Any) -> Fitted:
    """A blend of a small problem."""
    task = problem(n_classes)
    how = {"parameters": of(n_classes), **settings}
    return fit_table(
        task.table,
        task.target,
        n_classes=n_classes,
        names=["a", "b", "c"][:n_classes],
        groups=np.arange(len(task.table)),
        weight=np.ones(len(task.table)),
        settings=Settings(learner="blend", folds=3, **how),
    )


def test_hand_worked_blend() -> None:
    """Half of a line and twice a mean."""
    row = np.array([[1.0, 2.0]])
    linear = Linear(np.array([3.0, -1.0]), np.array([0.5]))
    near = Neighbours(np.array([[1.0, 2.0], [1.0, 4.0]]), np.array([1.0, 0.0]), np.array([2]), np.array([0]))
    blend = Blend(np.array([0.5, 2.0]), (linear, near))
    assert blend.decide(row).tolist() == [0.5 * 1.5 + 2.0 * 0.5]
    assert blend.decide(row[:0]).tolist() == []


def test_every_part_counts_the_same() -> None:
    """By hand: deviations of 1 and 10 become those of 1/2 each."""
    small, large = np.array([[1.0], [-1.0], [1.0], [-1.0]]), np.array([[10.0], [-10.0]] * 2)
    weights = weights_of([small, large], TESTS)
    assert weights.tolist() == [[0.5, 0.05]]
    assert joint([small, large], weights).ravel().tolist() == [1.0, -1.0, 1.0, -1.0]


def test_what_is_the_same_inside_each_fold_counts_nothing() -> None:
    """Folds that differ in nothing but what they were trained on tell nothing of their rows."""
    some = np.array([[1.0], [-1.0], [1.0], [-1.0]])
    by_fold = np.array([[0.1], [0.1], [-0.1], [-0.1]])
    assert weights_of([some, by_fold], TESTS).tolist() == [[0.5, 0.0]]
    alone = [np.array([i]) for i in range(4)]
    assert weights_of([some, by_fold], alone).tolist() == [[0.5, 5.0]]


@pytest.mark.parametrize("n_classes", [0, 2, 3])
def test_a_blend_is_the_mean_of_its_parts(n_classes: int) -> None:
    """Out of fold the mean of what each part says there, in deviations; one weight per class."""
    task, settings = problem(n_classes), of(n_classes)
    (choice,) = tune(task, ["blend"], criterion(n_classes), parameters=settings)
    parts = [
        tune(task, [name], criterion(n_classes), parameters=parameters)[0] for name, parameters in settings.items()
    ]
    wanted = np.mean([part.decisions / part.decisions.std(axis=0) for part in parts], axis=0)
    np.testing.assert_allclose(choice.decisions, wanted)
    assert choice.parameters == settings
    assert choice.weights.shape == (task.n_units, 3)
    test = task.folds[1][1]
    assert choice.scores[1] == criterion(n_classes)(task.target[test], wanted[test])


@pytest.mark.parametrize("n_classes", [0, 2, 3])
def test_what_is_fitted_is_made_of_the_same(n_classes: int) -> None:
    """Ratings, two and three labels: each unit has the weights of the folds, and learns."""
    model = fitted(n_classes)
    kinds = ["blend(linear,kernel,trees)"] * (3 if n_classes == 3 else 1)
    assert model.compiled.kinds() == kinds
    for unit, weights in zip(model.compiled.units, model.choice.weights, strict=True):
        assert isinstance(unit, Blend)
        assert unit.weights.tolist() == weights.tolist()
    task = problem(n_classes)
    assert criterion(n_classes)(task.target, model.compiled.decide(task.table)) > 0.7


def test_each_part_is_chosen_from_its_grid() -> None:
    """The best parameters of each learner alone."""
    task = problem(2, n=60)
    assert learners_named("blend", classes=True) == ["blend"]
    (choice,) = tune(task, ["blend"], criterion(2))
    assert list(choice.parameters) == list(LEARNERS["blend"].parts)
    (alone,) = tune(task, ["logistic-l2"], criterion(2))
    assert choice.parameters["logistic-l2"] == alone.parameters


def test_columns_can_be_eliminated_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """All parts read the columns that stay."""
    monkeypatch.setitem(elimination.PARAMETERS, "n_estimators", 5)
    model = fitted(2, select="rfe", parameters={"logistic-l2": {"C": 0.1}, "sgd": {}})
    assert model.elimination is not None
    width = len(model.compiled.preparation.selected)
    assert width == model.elimination.chosen
    (unit,) = model.compiled.units
    assert isinstance(unit, Blend)
    assert [len(part.coef) for part in unit.parts if hasattr(part, "coef")] == [width, width]


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"C": 1.0},
        {"logistic-l2": 0.1},
        {"blend": {}},
        {"bigru": {}},
        {"neighbours": {}},
        {"adapted": {}},
        {"xgbost": {}},
    ],
)
def test_parameters_are_those_of_parts(parameters: dict[str, Any]) -> None:
    """Refused in words: no part, none by name, a blend, what cannot be weighted or has to start
    from another model, a wrong name."""
    with pytest.raises(TrainingError, match="those of each of its parts by name"):
        fitted(2, parameters=parameters)


def test_parts_that_cannot_learn_ratings_or_take_a_parameter_are_refused() -> None:
    """The message names what can be, or the part."""
    with pytest.raises(TrainingError, match=r"parts can be .*logistic-l2"):
        fitted(0, parameters={"perceptron": {}})
    with pytest.raises(TrainingError, match="'rbf-svm' does not take"):
        fitted(2, parameters={"logistic-l2": {}, "rbf-svm": {"depth": 3}})


def test_it_is_cloned_and_searched_like_others() -> None:
    """`clone` keeps it, a grid search tries parameters, weights of rows reach every part."""
    task = problem(2)
    classifier = NaturalnessClassifier(learner="blend", folds=2, parameters=of(2))
    assert clone(classifier).get_params()["parameters"] == of(2)
    grid = {"parameters": [of(2), {"logistic-l2": {"C": 0.01}}]}
    search = GridSearchCV(classifier, grid, cv=2).fit(task.table, task.target)
    assert search.best_score_ > 0.6
    ratings = NaturalnessRegressor(learner="blend", folds=2, parameters=of(0))
    target, weight = problem(0).target, np.where(np.arange(90) < 60, 1.0, 0.0)
    predictions = ratings.fit(task.table, target, sample_weight=weight).predict(table(20, seed=4))
    without = clone(ratings).fit(task.table[:60], target[:60])
    np.testing.assert_allclose(predictions, without.predict(table(20, seed=4)))
