"""Reports on systems and on two runs, from explanations made by hand."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from naturalness.reports.systems.report import Runs, everything
from naturalness.reports.systems.resampling import difference, less_others, mean, sum_up, t_test
from naturalness.reports.systems.standings import worst_of
from naturalness.statistics.bootstrap import Resampling
from tests.support.system_reports import answer, finding, report_on, system_of


def runs_of(*answers: object) -> Runs:
    """Return the comparison of the runs `old` and `new`."""
    runs = report_on(answers, runs=("old", "new")).runs  # type: ignore[arg-type]
    assert runs is not None
    return runs


@pytest.mark.parametrize(("mean", "is_worse"), [(0.55, True), (0.6, False), (0.65, False)])
def test_a_worse_run(mean: float, is_worse: bool) -> None:
    """A run is worse if its mean fell and the interval of the difference excludes 0."""
    runs = runs_of(*system_of("old", 0.6, keyed=True), *system_of("new", mean, keyed=True)[::-1])
    assert runs.is_worse == is_worse
    n_changed = 40 * (mean != 0.6)
    assert (runs.n_paired, runs.n_fell, runs.n_rose) == (40, n_changed * is_worse, n_changed * (not is_worse))


def test_texts_that_fell_most() -> None:
    """The largest fall comes first; texts without a score or a counterpart are not compared."""
    runs = runs_of(
        answer("The dogs run home", 0.9, "old", "1"),
        answer("Fine words", 0.5, "old", "2"),
        answer("Gone", 0.5, "old", "3"),
        answer("Fine word", 0.3, "new", "2"),
        answer("The dogs runs home", 0.4, "new", "1"),
        answer("", math.nan, "new", "3", reason="empty text"),
        answer("More", 0.1, "new", "4"),
    )
    assert [change.after.source for change in runs.fell] == ["1", "2"]
    assert runs.fell[0].gain == pytest.approx(-0.5)
    assert (runs.n_paired, runs.n_fell, runs.is_worse) == (2, 2, False)


def test_unpaired_runs() -> None:
    """Without shared inputs, only the means of the runs are compared."""
    runs = runs_of(*system_of("old", 0.8, 30), *system_of("new", 0.5, 50, seed=3))
    assert runs.is_worse and runs.n_paired == 0


def test_runs_without_scores() -> None:
    """Runs without a score are not called worse."""
    none = [answer("", math.nan, name, reason="empty text") for name in ("old", "new")]
    assert not runs_of(*none).is_worse


def test_figures_of_a_system_by_hand() -> None:
    """The figures of a system equal hand-worked values; few texts have no interval."""
    answers = [
        answer("one two", 0.2),
        answer("one two three", 0.6),
        answer("four", 0.7),
        answer("", math.nan, reason="empty text"),
        answer(" ", math.nan, reason="empty text"),
        answer("???", math.nan, reason="no words"),
    ]
    standing = report_on(answers).standings[0]
    assert (standing.n_texts, standing.n_scored) == (6, 3)
    assert standing.mean.value == pytest.approx(0.5)
    assert standing.median == 0.6
    assert standing.below.value == pytest.approx(1 / 3)
    assert standing.words == 2
    assert standing.reasons == (("empty text", 2), ("no words", 1))
    assert math.isnan(standing.mean.low)


def test_voices_by_hand() -> None:
    """The mean is over the texts that have a voice; with few of them, it has no interval."""
    answers = [*system_of("a", 0.5, 12, voice=0.7, spread=0.0), *system_of("a", 0.5, 12), answer("b", 0.4, "b")]
    first, second = report_on(answers).standings
    assert (first.n_scored, second.mean.value) == (24, 0.4)
    assert first.voice.value == pytest.approx(0.7) and first.voice.low == pytest.approx(0.7)
    assert math.isnan(second.voice.value)
    few = [*system_of("a", 0.5, 20), *system_of("a", 0.5, 3, voice=0.7)]
    (voice,) = (standing.voice for standing in report_on(few).standings)
    assert voice.value == pytest.approx(0.7, abs=0.1) and math.isnan(voice.low)


def test_systems_are_listed_best_first() -> None:
    """A system without scores comes last."""
    unscored = [answer("x", math.nan, "none", reason="no words") for _ in range(12)]
    report = report_on([*system_of("bad", 0.3), *system_of("good", 0.8), *unscored])
    assert report.systems == ["good", "bad", "none"]
    assert math.isnan(report.standings[2].mean.value)
    assert report.verdict[0].startswith("good sounds more natural than bad, by 0.500 (95 %")
    assert report.verdict[1] == "none has too few texts to be compared."


def test_causes_add_up_to_the_difference() -> None:
    """The differences of causes from the other systems sum to the difference of the totals; NaN never reaches JSON."""
    answers = system_of("a", 0.6) + system_of("b", 0.4, agreement=-0.8, seed=1)
    report = report_on(answers)
    for system in report.systems:
        parts = [share.beyond.value for share in report.causes if share.system == system]
        total = next(share for share in report.totals if share.system == system)
        assert sum(parts) == pytest.approx(total.beyond.value)
    assert report.cause_sentences == {"b": "b, compared with a: −0.79 by agreement and number, in log-odds."}
    first, second = (json.dumps(everything(report_on(answers)), allow_nan=False) for _ in range(2))
    assert first == second


def test_findings_per_hundred_sentences() -> None:
    """Only confident findings are counted."""
    text = "They runs home"
    odd = [finding(text, "runs"), finding(text, "home", "verb", 0.2)]
    answers = [answer(text, 0.4, row=i, findings=odd) for i in range(5)]
    answers += [answer("They run home", 0.9, row=5 + i) for i in range(15)]
    kinds = report_on(answers).kinds
    assert [(kind.name, kind.title, kind.value) for kind in kinds] == [
        ("agreement", "subject and verb do not agree", 25)
    ]


def test_worst_texts() -> None:
    """At most six distinct texts are listed, the worst first."""
    texts = [("Fine", 0.9), ("Odd", 0.2), ("Odd", 0.2), ("Worse", 0.1), *((letter, 0.8) for letter in "abcdef")]
    worst = worst_of([answer(text, score, row=i) for i, (text, score) in enumerate(texts)])
    assert [text.row for text in worst] == [3, 1, 4, 5, 6, 7]
    assert worst_of([answer("", math.nan, reason="empty text")]) == ()


def test_sums_by_hand() -> None:
    """Rows with an undefined value are left out of sums; a system without scores has no figures."""
    table = np.array([[1.0, 2], [3, 4], [math.nan, 1], [10, 5]])
    sums = sum_up(table, np.array([0, 0, 0, 1]), 2, None, Resampling(100))
    assert sums.figure(mean(0, 0), 0).value == 2
    assert sums.figure(mean(0, 0, 1), 0).value == pytest.approx(100 * 4 / 6)
    assert sums.figure(less_others(lambda s: mean(s, 0), 1, 2), 1).value == 8
    assert sums.units == (2, 1)
    assert math.isnan(sums.figure(mean(0, 0), 0).low) and math.isnan(sums.test(mean(0, 0), 0).p)
    sums = sum_up(np.array([[1.0]] * 12 + [[math.nan]] * 12), np.repeat([0, 1], 12), 2, None, Resampling(100))
    assert math.isnan(sums.figure(mean(1, 0), 1).value)
    assert sums.figure(mean(0, 0), 0).low == 1
    assert math.isnan(sums.figure(less_others(lambda s: mean(s, 0), 0, 2), 0).value)


def test_shared_inputs_cancel_out() -> None:
    """Shared inputs cancel out of the interval of a difference; systems without shared inputs vary independently."""
    rng = np.random.default_rng(0)
    hard = rng.normal(size=50)
    table = np.concatenate([hard, hard - 0.1 + rng.normal(size=50) * 0.01])[:, None]
    member, inputs = np.repeat([0, 1], 50), np.tile(np.arange(50), 2)
    gap = difference(mean(0, 0), mean(1, 0))
    together, apart = (sum_up(table, member, 2, groups, Resampling(400)) for groups in (inputs, None))
    assert together.figure(gap, 0, 1).low > 0.09
    assert apart.figure(gap, 0, 1).low < 0
    assert together.test(gap, 0, 1).p < 1e-6 < apart.test(gap, 0, 1).p
    assert abs(np.corrcoef(apart.drawn[0, 0], apart.drawn[1, 0])[0, 1]) < 0.2


@pytest.mark.parametrize(("value", "p"), [(0.0, 1), (0.1, 0), (math.nan, math.nan)])
def test_t_test_of_a_constant(value: float, p: float) -> None:
    """If all replicates are equal, a difference is certain unless it is 0."""
    assert t_test(value, np.full(100, value), 20).p == pytest.approx(p, nan_ok=True)
