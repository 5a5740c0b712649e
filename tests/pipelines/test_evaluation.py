"""The evaluation protocol: splits, baselines and figures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from naturalness.errors import TrainingError
from naturalness.judging.hashes import known_texts
from naturalness.pipelines import evaluation as module
from naturalness.pipelines.card import conclusions, tell
from naturalness.pipelines.evaluation import (
    SHIPPED_MODEL,
    Plan,
    Protocol,
    SplitJob,
    check_plan,
    evaluate,
    evaluate_and_fit,
    run_job,
    shipped_model,
    without_shipped,
)
from naturalness.pipelines.fitting import Settings
from naturalness.pipelines.learning import Rated, check_learnable, learn
from naturalness.pipelines.summary import summarise
from naturalness.pipelines.warm_start import Origin
from tests.support.rater_reports import rated_rows

QUICK = Settings(learner="logistic-l2", folds=3)
SIMPLE = ["majority", "length alone"]
"""The baselines of a table that the shipped model cannot read."""


def rated(n: int = 90, *, rates: bool = False, signal: float = 2.0, seed: int = 0) -> Rated:
    """Return texts whose first column follows the rating; pairs of rows share a source."""
    rng = np.random.default_rng(seed)
    ratings = rng.normal(size=n)
    table = rng.normal(size=(n, 5))
    table[:, 0] += signal * ratings
    return rated_rows(
        ratings > 0,
        table,
        texts=tuple(f"text number {i} " + "word " * (i % 7) for i in range(n)),
        columns=("surface__a", "surface__b", "lexical__c", "lexical__d", "pos__e"),
        ratings=ratings,
        groups=np.arange(n) // 2,
        scale=(-3.0, 3.0),
        rates=rates,
    )


@pytest.mark.parametrize("rates", [False, True])
def test_learnable_texts(rates: bool) -> None:
    """A learner beats the simple baselines on learnable texts."""
    evaluations = evaluate(rated(rates=rates), {"mine": QUICK}, Protocol(repeats=3))
    assert list(evaluations) == [*SIMPLE, "mine"]
    assert evaluations["mine"].summary()["spearman"]["mean"] > 0.7
    assert evaluations["majority"].summary()["roc_auc"]["mean"] == 0.5
    assert np.isnan(evaluations["majority"].summary()["spearman"]["mean"])
    assert evaluations["length alone"].summary()["roc_auc"]["mean"] < 0.7
    assert len(evaluations["mine"].runs) == 3
    assert "within_sources" not in evaluations["mine"].summary()


def with_sources(n: int = 120, *, rates: bool = True) -> Rated:
    """Return pairs of texts of one source: one column predicts the source's quality, the other the better text."""
    rng = np.random.default_rng(0)
    worth, version = np.repeat(rng.normal(size=n // 2), 2), np.tile([0.4, -0.4], n // 2)
    ratings = worth + version + 0.1 * rng.normal(size=n)
    table = np.column_stack([worth + 0.1 * rng.normal(size=n), 0.2 * version + 0.1 * rng.normal(size=n)])
    plain = replace(rated(n), columns=("surface__a", "surface__b"), ratings=ratings, table=table, rates=rates)
    return replace(plain, labels=(ratings > 0).astype(np.int64), versions=True)


@pytest.mark.parametrize("rates", [False, True])
def test_versions(rates: bool) -> None:
    """Models of versions are compared by the mean of the order overall and within sources."""
    data = with_sources(rates=rates)
    training = evaluate_and_fit(data, Plan(replace(QUICK, learner="within-sources"), Protocol(repeats=3)))
    within = training.result
    (ridge,) = evaluate(data, {"ridge": QUICK}, Protocol(repeats=3), baselines={}).values()
    assert within.summary()["within_sources"]["mean"] > ridge.summary()["within_sources"]["mean"]
    assert within.summary()["within_sources_not_shorter"]["defined"] == 3
    summary = summarise(training, Plan(QUICK, Protocol(repeats=3)))
    assert summary["protocol"]["chosen_by"] == "mean_order"
    assert "by order overall and within sources the model is" in conclusions(summary)[0]
    for run in within.runs:
        overall = run["spearman"] if rates else 2 * run["roc_auc"] - 1
        assert run["mean_order"] == pytest.approx((overall + 2 * run["within_sources"] - 1) / 2)


def test_versions_need_sources() -> None:
    """The learner of differences within sources is refused for texts without versions."""
    with pytest.raises(TrainingError, match="name the column of sources"):
        learn(rated(), replace(QUICK, learner="within-sources"))


def test_results_are_reproducible() -> None:
    """Figures do not depend on the number of processes, and the chosen parameters reproduce them."""
    data, how = rated(), Protocol(repeats=1)
    chosen = run_job(data, how, how.splits(data), SplitJob("a", None, QUICK, 0))
    fixed = replace(QUICK, parameters=dict(chosen.parameters))
    again = run_job(data, how, how.splits(data), SplitJob("a", None, fixed, 0))
    assert str(again.figures) == str(chosen.figures)
    two = evaluate(data, {"a": QUICK}, Protocol(repeats=2), n_jobs=2)
    assert str(two["a"].runs) == str(evaluate(data, {"a": QUICK}, Protocol(repeats=2))["a"].runs)


def test_unlabelled_rows() -> None:
    """Unlabelled rows are neither used for training nor counted in the accuracy."""
    data = rated()
    middle = np.abs(data.ratings) < 0.3
    part = replace(data, labels=np.where(middle, -1, data.labels))
    learned = learn(part, QUICK)
    assert len(learned.fitted.out_of_fold) == (~middle).sum()
    evaluations = evaluate(part, {"mine": QUICK}, Protocol(repeats=2), baselines={})
    assert evaluations["mine"].summary()["accuracy"]["mean"] > 0.8


def test_splits() -> None:
    """Splits keep sources whole; an unlabelled row is not a class; small tables are evaluated with fewer folds."""
    data = rated()
    labels = data.labels.copy()
    labels[3] = -1
    assert len(Protocol(repeats=2).splits(replace(data, labels=labels, groups=np.arange(90)))) == 2
    for train, test in Protocol(repeats=2).splits(data):
        assert not set(data.groups[train]) & set(data.groups[test])
    assert sorted(i for _, test in Protocol(outer_folds=5).splits(data) for i in test) == list(range(90))
    small = replace(rated(12), labels=np.arange(12) % 2, groups=np.arange(12))
    assert list(evaluate(small, {"mine": replace(QUICK, folds=2)}, Protocol(repeats=1))) == [*SIMPLE, "mine"]


def test_a_rare_class_beside_unlabelled_rows() -> None:
    """Every training part keeps the share of the rare class, however many rows have no label."""
    data = rated(60)
    labels = np.repeat([0, 1, -1], [9, 21, 30])
    for train, _ in Protocol(repeats=20).splits(replace(data, labels=labels, groups=np.arange(60))):
        assert (labels[train] == 0).sum() == 6


@pytest.fixture
def ships(monkeypatch: pytest.MonkeyPatch) -> Callable[[Sequence[str]], Origin]:
    """Replace the shipped model with a model that was trained on other rows."""

    def ship(seen: Sequence[str]) -> Origin:
        other = learn(rated(200, seed=5), QUICK)
        origin = Origin(other.compiled, rated().columns, known_texts(seen), interpretation=other.interpretation)
        monkeypatch.setattr(module, "shipped", lambda: origin)
        return origin

    return ship


@pytest.mark.parametrize("rates", [False, True])
def test_shipped_model(ships: Callable[[Sequence[str]], Origin], rates: bool) -> None:
    """The shipped model is evaluated on the same splits without training, apart from the simple baselines."""
    ships(["something else"])
    data = rated(rates=rates)
    plan = Plan(QUICK, Protocol(repeats=3))
    summary = summarise(evaluate_and_fit(data, plan), plan)
    assert list(summary["baselines"]) == [*SIMPLE, SHIPPED_MODEL]
    shipped = summary["baselines"][SHIPPED_MODEL]
    assert shipped["spearman"]["mean"] > 0.7
    assert shipped["accuracy"]["mean"] > 0.7
    assert tell(summary)["shipped"].name == SHIPPED_MODEL
    assert "shipped model is " in conclusions(summary)[1]
    assert "without_shipped_model" not in summary


def test_shipped_model_left_out(ships: Callable[[Sequence[str]], Origin]) -> None:
    """The summary says why the shipped model has no figures: known texts, missing columns, or no texts."""
    data = rated()
    ships(data.texts[:45])
    plan = Plan(QUICK, Protocol(repeats=2))
    summary = summarise(evaluate_and_fit(data, plan), plan)
    assert list(summary["baselines"]) == list(SIMPLE)
    assert summary["without_shipped_model"].endswith("it was trained on 50% of these texts")
    assert conclusions(summary)[1] == f"shipped model: {summary['without_shipped_model']}"
    ships([])
    less = replace(data, table=data.table[:, :3], columns=data.columns[:3])
    missing = "it reads features of lexical and pos that were not measured here; add default to `features`"
    assert without_shipped(less).endswith(missing)
    assert "only numbers are known here" in without_shipped(replace(data, texts=()))
    assert without_shipped(data) == ""


def test_labels_of_the_shipped_model(ships: Callable[[Sequence[str]], Origin]) -> None:
    """The shipped model predicts three labels as often as they occur in the training part."""
    ships([])
    data = rated(300)
    thirds = np.digitize(data.ratings, np.quantile(data.ratings, [0.2, 0.5]))
    data = replace(data, labels=thirds, classes=("bad", "middling", "good"))
    half = np.arange(300) < 150
    _, labels = shipped_model(data.part(np.flatnonzero(half)), data, QUICK)
    shares = np.bincount(labels[half]) / 150
    np.testing.assert_allclose(shares, np.bincount(thirds[half]) / 150, atol=0.02)


def test_a_threshold_is_for_two_labels() -> None:
    """A threshold for more labels is an error, which is raised before anything is learned."""
    data = replace(rated(), labels=np.arange(90) % 3, classes=("bad", "so-so", "good"))
    with pytest.raises(TrainingError, match=r"is for two labels, and these are 3"):
        check_plan(data, Plan(QUICK, Protocol(threshold=0.8)))


def test_too_few_labels() -> None:
    """A single class, no labels, and a rare class are errors with advice."""
    data = rated()
    with pytest.raises(TrainingError, match=r"only 'natural'.*`natural_from`"):
        check_learnable(replace(data, labels=np.ones(90, dtype=np.int64)), 5)
    with pytest.raises(TrainingError, match="no label at all"):
        check_learnable(replace(data, labels=np.full(90, -1)), 5)
    rare = np.zeros(90, dtype=np.int64)
    rare[:2] = 1
    with pytest.raises(TrainingError, match=r"class 'natural' has only [12] of the 5 rows"):
        check_learnable(replace(data, labels=rare), 5)
