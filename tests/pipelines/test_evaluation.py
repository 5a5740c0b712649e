"""The protocol: honest splits, the same figures with any number of processes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from naturalness.errors import TrainingError
from naturalness.judging.hashes import known_texts
from naturalness.pipelines import baselines as module
from naturalness.pipelines.baselines import BASELINES, OF_RATINGS, SHIPPED_MODEL, strongest, without_shipped
from naturalness.pipelines.evaluation import Job, Protocol, Result, evaluate, run_job
from naturalness.pipelines.fitting import Settings
from naturalness.pipelines.headline import beside_shipped, sentence, tell
from naturalness.pipelines.learning import Rated, check_learnable, learn
from naturalness.pipelines.summary import summarise
from naturalness.pipelines.train import Plan, best_of, train
from naturalness.pipelines.warm_start import Origin

QUICK = Settings(learner="logistic-l2", folds=3)
SIMPLE = [name for name in OF_RATINGS if name != SHIPPED_MODEL]
"""The baselines of a table that the shipped model cannot read."""


def rated(n: int = 90, *, rates: bool = False, signal: float = 2.0, seed: int = 0) -> Rated:
    """Texts whose first column follows the rating; pairs of rows share a source."""
    rng = np.random.default_rng(seed)
    ratings = rng.normal(size=n)
    table = rng.normal(size=(n, 5))
    table[:, 0] += signal * ratings
    return Rated(
        texts=tuple(f"text number {i} " + "word " * (i % 7) for i in range(n)),
        table=table,
        columns=("surface__a", "surface__b", "lexical__c", "lexical__d", "pos__e"),
        labels=(ratings > 0).astype(np.int64),
        ratings=ratings,
        groups=np.arange(n) // 2,
        classes=("unnatural", "natural"),
        scale=(-3.0, 3.0),
        rates=rates,
    )


@pytest.mark.parametrize("rates", [False, True])
def test_learners_beat_what_knows_nothing(rates: bool) -> None:
    """The figures of a learner on learnable texts, and of every baseline beside it."""
    evaluations = evaluate(rated(rates=rates), {"mine": QUICK}, Protocol(repeats=3))
    assert list(evaluations) == [*SIMPLE, "mine"]
    assert strongest(rated(rates=rates)) == 0
    assert evaluations["mine"].summary()["spearman"]["mean"] > 0.7
    assert evaluations["best single feature"].summary()["spearman"]["mean"] > 0.7
    assert evaluations["majority"].summary()["roc_auc"]["mean"] == 0.5
    assert np.isnan(evaluations["majority"].summary()["spearman"]["mean"])
    assert evaluations["length alone"].summary()["roc_auc"]["mean"] < 0.7
    assert len(evaluations["mine"].runs) == 3
    assert "within_sources" not in evaluations["mine"].summary()


def with_sources(n: int = 120, *, rates: bool = True) -> Rated:
    """Pairs of texts of one source: the first column says what the source is worth, the second which text is better."""
    rng = np.random.default_rng(0)
    worth, version = np.repeat(rng.normal(size=n // 2), 2), np.tile([0.4, -0.4], n // 2)
    ratings = worth + version + 0.1 * rng.normal(size=n)
    table = np.column_stack([worth + 0.1 * rng.normal(size=n), 0.2 * version + 0.1 * rng.normal(size=n)])
    plain = replace(rated(n), columns=("surface__a", "surface__b"), ratings=ratings, table=table, rates=rates)
    return replace(plain, labels=(ratings > 0).astype(np.int64), versions=True)


@pytest.mark.parametrize("rates", [False, True])
def test_versions_are_compared(rates: bool) -> None:
    """Their figures stand beside those of all texts, and the recipe is chosen by the mean of both."""
    data = with_sources(rates=rates)
    training = train(data, Plan(replace(QUICK, learner="within-sources"), Protocol(repeats=3)))
    within = training.results["within-sources"]
    (ridge,) = evaluate(data, {"ridge": QUICK}, Protocol(repeats=3), baselines=()).values()
    assert within.summary()["within_sources"]["mean"] > ridge.summary()["within_sources"]["mean"]
    assert within.summary()["within_sources_not_shorter"]["defined"] == 3
    summary = summarise(training, Plan(QUICK, Protocol(repeats=3)))
    assert summary["protocol"]["chosen_by"] == "mean_order"
    assert "by order overall and within sources the model is" in sentence(summary)
    for run in within.runs:
        overall = run["spearman"] if rates else 2 * run["roc_auc"] - 1
        assert run["mean_order"] == pytest.approx((overall + 2 * run["within_sources"] - 1) / 2)


def test_auto_compares_versions() -> None:
    """`auto` also tries the learner of differences."""
    data = with_sources(400)
    learned = learn(replace(data, table=data.table[:, 1:], columns=data.columns[1:]), Settings(folds=2))
    assert {choice.learner for choice in learned.fitted.choices} == {
        "logistic-l2",
        "random-forest",
        "xgboost",
        "within-sources",
    }
    with pytest.raises(TrainingError, match="name the column of sources"):
        learn(rated(), replace(QUICK, learner="within-sources"))


def test_chosen_parameters_can_be_given_again() -> None:
    """A job tells the parameters that it chose; with these and no others it finds the same."""
    data, how = rated(), Protocol(repeats=1)
    chosen = run_job(data, how, how.splits(data), Job("a", False, QUICK, 0))
    assert set(chosen.parameters) == {"C"}
    fixed = replace(QUICK, parameters=dict(chosen.parameters))
    again = run_job(data, how, how.splits(data), Job("a", False, fixed, 0))
    assert str(again.figures) == str(chosen.figures)


def test_figures_do_not_depend_on_processes() -> None:
    """One process and two: the same figures, to the last bit."""
    learners = {"a": QUICK, "b": replace(QUICK, learner="xgboost")}
    one = evaluate(rated(), learners, Protocol(repeats=2), n_jobs=1)
    two = evaluate(rated(), learners, Protocol(repeats=2), n_jobs=2)
    assert str({n: r.runs for n, r in one.items()}) == str({n: r.runs for n, r in two.items()})


def test_nothing_leaks_through_a_shared_source() -> None:
    """A column that names the source helps nobody: sources are on one side of a split."""
    data = rated(200, signal=0.0)
    labels = np.repeat(np.random.default_rng(1).integers(2, size=100), 2)
    rng = np.random.default_rng(2)
    table = np.repeat(rng.normal(size=(100, 5)), 2, axis=0) + 0.01 * data.table
    leaky = replace(data, table=table, labels=labels, ratings=np.full(200, np.nan))
    neighbours = {"knn": replace(QUICK, learner="neighbours", parameters={"n_neighbors": 1})}
    apart = evaluate(leaky, neighbours, Protocol(repeats=5), baselines=())
    mixed = replace(leaky, groups=np.arange(200))
    together = evaluate(mixed, neighbours, Protocol(repeats=5), baselines=())
    assert together["knn"].summary()["accuracy"]["mean"] > 0.7
    assert apart["knn"].summary()["accuracy"]["mean"] < 0.62


def test_noise_is_told_from_chance() -> None:
    """Where there is nothing to learn, no figure pretends there is."""
    plan = Plan(QUICK, Protocol(repeats=4))
    training = train(rated(signal=0.0, seed=5), plan)
    assert abs(training.results["logistic-l2"].summary()["roc_auc"]["mean"] - 0.5) < 0.2
    from naturalness.pipelines.summary import summarise

    assert "nothing was learned" in sentence(summarise(training, plan))


def test_five_folds_test_every_row_once() -> None:
    """Instead of repeated splits, on request."""
    splits = Protocol(outer_folds=5).splits(rated())
    assert sorted(i for _, test in splits for i in test) == list(range(90))


def test_neighbours_learn_from_counts() -> None:
    """Many texts are equally near where a feature is a count; which are taken does no harm."""
    data = rated(300)
    counts = replace(data, table=np.round(data.table[:, :1]), columns=data.columns[:1])
    learned = learn(counts, replace(QUICK, learner="neighbours", parameters={"n_neighbors": 15}))
    assert np.mean(learned.judge(counts.table)[1] == counts.labels) > 0.8


def test_rows_without_a_label_do_not_teach_labels() -> None:
    """The middle that a rule leaves out is neither learned nor counted, but ranked."""
    data = rated()
    middle = np.abs(data.ratings) < 0.3
    part = replace(data, labels=np.where(middle, -1, data.labels))
    learned = learn(part, QUICK)
    assert len(learned.fitted.out_of_fold) == (~middle).sum()
    evaluations = evaluate(part, {"mine": QUICK}, Protocol(repeats=2), baselines=())
    assert evaluations["mine"].summary()["accuracy"]["mean"] > 0.8


def test_one_row_without_a_label_does_no_harm() -> None:
    """It is no class of its own that a split would have to share out."""
    data = rated()
    labels = data.labels.copy()
    labels[3] = -1
    alone = replace(data, labels=labels, groups=np.arange(90))
    assert len(Protocol(repeats=2).splits(alone)) == 2


def test_baselines_get_the_same_folds() -> None:
    """A table too small for five folds is judged with two, baselines too."""
    small = rated(12)
    small = replace(small, labels=np.arange(12) % 2, groups=np.arange(12))
    evaluations = evaluate(small, {"mine": replace(QUICK, folds=2)}, Protocol(repeats=1))
    assert list(evaluations) == [*SIMPLE, "mine"]


@pytest.fixture
def ships(monkeypatch: pytest.MonkeyPatch) -> Callable[[Sequence[str]], Origin]:
    """Put a model that learned on other rows in the place of the shipped one."""

    def ship(seen: Sequence[str]) -> Origin:
        other = learn(rated(200, seed=5), QUICK)
        origin = Origin(other.compiled, rated().columns, known_texts(seen), verdict=other.verdict)
        monkeypatch.setattr(module, "shipped", lambda: origin)
        return origin

    return ship


@pytest.mark.parametrize("rates", [False, True])
def test_the_shipped_model_is_a_baseline(ships: Callable[[Sequence[str]], Origin], rates: bool) -> None:
    """As it is, on the very splits; it does not compete, and learns nothing here."""
    ships(["something else"])
    data = rated(rates=rates)
    plan = Plan(QUICK, Protocol(repeats=3))
    summary = summarise(train(data, plan), plan)
    assert list(summary["baselines"]) == [*SIMPLE, SHIPPED_MODEL]
    shipped = summary["baselines"][SHIPPED_MODEL]
    assert shipped["spearman"]["mean"] > 0.7
    assert shipped["accuracy"]["mean"] > 0.7
    assert tell(summary)["best"] == "best single feature"
    assert "shipped model is " in beside_shipped(summary)
    assert "without_shipped_model" not in summary


def test_a_shipped_model_that_knows_the_texts_is_not_judged(ships: Callable[[Sequence[str]], Origin]) -> None:
    """What it says of them would flatter it, and the summary says why there are no figures."""
    data = rated()
    ships(data.texts[:45])
    plan = Plan(QUICK, Protocol(repeats=2))
    summary = summarise(train(data, plan), plan)
    assert list(summary["baselines"]) == list(SIMPLE)
    assert summary["without_shipped_model"].endswith("it learned from 50% of these very texts")
    assert beside_shipped(summary) == f"shipped model: {summary['without_shipped_model']}"
    less = replace(data, table=data.table[:, :3], columns=data.columns[:3])  # as without the head that ratings taught
    assert without_shipped(less) == summary["without_shipped_model"]


def test_what_the_shipped_model_lacks_is_named(ships: Callable[[Sequence[str]], Origin]) -> None:
    """The groups that were not measured, and the option that adds them; of mere numbers, that they are."""
    ships([])
    data = rated()
    less = replace(data, table=data.table[:, :3], columns=data.columns[:3])
    said = without_shipped(less)
    assert said.endswith("it reads features of lexical and pos that were not measured here; add default to `features`")
    assert "only numbers are known here" in without_shipped(replace(data, texts=()))
    assert without_shipped(data) == ""


def test_labels_of_the_shipped_model_have_the_shares_of_training(ships: Callable[[Sequence[str]], Origin]) -> None:
    """Of three labels, too, though it tells two."""
    ships([])
    data = rated(300)
    thirds = np.digitize(data.ratings, np.quantile(data.ratings, [0.2, 0.5]))
    data = replace(data, labels=thirds, classes=("bad", "middling", "good"))
    half = np.arange(300) < 150
    _, labels = BASELINES[SHIPPED_MODEL](data.part(np.flatnonzero(half)), data, QUICK)
    shares = np.bincount(labels[half]) / 150
    np.testing.assert_allclose(shares, np.bincount(thirds[half]) / 150, atol=0.02)


def test_an_undefined_figure_never_wins() -> None:
    """Where a figure is undefined, all scores were the same: that counts as chance."""
    nothing = Result("first", ({"roc_auc": float("nan")},), ("x",))
    something = Result("second", ({"roc_auc": 0.6},), ("x",))
    assert best_of({"first": nothing, "second": something}, rated()) == "second"


def test_one_class_is_refused_in_words() -> None:
    """With the advice to choose other bounds, or to add texts where labels were given; too few rows of a class too."""
    data = rated()
    with pytest.raises(TrainingError, match=r"only 'natural'.*`natural_from`"):
        check_learnable(replace(data, labels=np.ones(90, dtype=np.int64)), 5)
    given = replace(data, labels=np.ones(90, dtype=np.int64), ratings=np.full(90, np.nan))
    with pytest.raises(TrainingError, match=r"only 'natural'.*: add texts with another label, or .*`label_column`"):
        check_learnable(given, 5)
    with pytest.raises(TrainingError, match="no label at all"):
        check_learnable(replace(data, labels=np.full(90, -1)), 5)
    rare = np.zeros(90, dtype=np.int64)
    rare[:2] = 1
    with pytest.raises(TrainingError, match=r"class 'natural' has [12] rows"):
        check_learnable(replace(data, labels=rare), 5)


@pytest.mark.slow
def test_thorough_training_compares_and_ablates() -> None:
    """All learners, elimination of the best, the worth of each group."""
    stages = []
    plan = Plan(replace(QUICK, folds=2), Protocol(repeats=1), thorough=True)
    small = {"logistic-l2": QUICK, "perceptron": replace(QUICK, learner="perceptron")}
    quick = type("Quick", (Plan,), {"learners": lambda self, data: small})(plan.settings, plan.protocol, True)
    training = train(rated(), quick, report=lambda stage, done, total: stages.append(stage))
    assert f"{best_of({n: training.results[n] for n in small}, training.data)} + elimination" in training.results
    assert training.elimination is not None
    assert training.elimination.ranking[0] == 0
    assert training.worth is not None
    everything, rows = training.worth
    worth = {row["group"]: row for row in rows}
    assert worth["surface"]["without"] < everything
    assert worth["surface"]["alone"] > worth["pos"]["alone"]
    assert list(dict.fromkeys(stages)) == [
        "judging learners",
        "eliminating features",
        "fitting the model",
        "leaving out groups",
    ]
