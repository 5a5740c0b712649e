"""Two runs: how they are paired, and what became better and worse."""

from __future__ import annotations

import math

import pytest

from naturalness.reports.systems.report import make_report
from naturalness.reports.systems.runs import KEY, NOTHING, ORDER, Runs, pair_up, shared_inputs
from naturalness.statistics.bootstrap import Resampling
from tests.support.system_reports import JUDGE, answer, finding, system_of

HOW = Resampling(300)


def runs_of(before: list, after: list) -> Runs:  # type: ignore[type-arg]
    runs = make_report(after, JUDGE, before=before, how=HOW).runs
    assert runs is not None
    return runs


def test_pairs_by_key_whatever_the_order() -> None:
    """Of texts with one key the first goes with the first; the rest stays alone."""
    before = [answer("x", 0.5, key=key) for key in ("1", "2", "2", "3")]
    after = [answer("x", 0.5, key=key) for key in ("2", "1", "4")]
    pairing = pair_up(before, after)
    assert (pairing.by, pairing.pairs) == (KEY, ((0, 1), (1, 0)))
    assert (pairing.alone_before, pairing.alone_after) == (2, 1)


def test_pairs_by_order_or_not_at_all() -> None:
    """Without keys each system must have equally many texts."""
    one, two = [answer("x", 0.5)], [answer("y", 0.5)] * 2
    assert pair_up(one, one).by == ORDER
    assert pair_up(one, two).by == NOTHING
    assert pair_up([answer("x", 0.5, key="1")], [answer("x", 0.5, key="2")]).by == NOTHING


def test_systems_of_other_names() -> None:
    """A new version has a new name; its texts are still found by their keys, or their order."""
    old, new = ([answer("x", 0.5, name)] * 2 for name in ("v1", "v2"))
    assert pair_up(old, new).by == ORDER
    old, new = ([answer("x", 0.5, name, key) for key in "12"] for name in ("v1", "v2"))
    assert pair_up(old, new[::-1]).pairs == ((0, 1), (1, 0))


def test_inputs_of_systems() -> None:
    """Shared by two systems or they are no inputs of a comparison."""
    shared = system_of("a", 0.5, 4, keyed=True) + system_of("b", 0.5, 4, keyed=True)
    inputs = shared_inputs(shared)
    assert inputs is not None
    assert inputs.tolist() == [0, 1, 2, 3] * 2
    assert shared_inputs(system_of("a", 0.5, 4, keyed=True)) is None
    assert shared_inputs(system_of("a", 0.5, 4)) is None


def test_a_fall_is_seen() -> None:
    """Mean, shares, causes and the sentence agree; the interval leaves out 0."""
    before = system_of("a", 0.6, keyed=True)
    after = system_of("a", 0.55, keyed=True, agreement=-0.5)[::-1]
    runs = runs_of(before, after)
    assert runs.mean.change.value == pytest.approx(-0.05)
    assert runs.is_worse and not runs.is_better
    assert (runs.worse, runs.better) == (1, 0)
    agreement = next(row for row in runs.causes if row.name == "agreement")
    assert agreement.change.value == pytest.approx(-0.5)
    assert agreement.differs
    assert runs.systems == ()
    report = make_report(after, JUDGE, before=before, how=HOW)
    assert report.verdict_of_runs[0].startswith(
        "The texts sound less natural than before: mean naturalness 0.594 before, 0.544 now (−0"
    )
    assert "Of 40 texts 100% fell" in report.verdict_of_runs[0]
    assert report.verdict_of_runs[1] == ("By cause, in log-odds per text, they have lost 0.50 by agreement and number.")


def test_nothing_changed() -> None:
    """The same texts have neither fallen nor risen."""
    same = system_of("a", 0.6)
    runs = runs_of(same, same)
    assert (runs.mean.change.value, runs.mean.change.low, runs.mean.change.high) == (0, 0, 0)
    assert not runs.is_worse and not runs.is_better
    assert runs.n_same_text == 40
    assert runs.fell == runs.rose == ()


def test_texts_that_fell_and_why() -> None:
    """Strongest fall first, with what came and went."""
    old, new = "The dogs run home", "The dogs runs home"
    before = [answer(old, 0.9, key="1"), answer("Fine words", 0.5, key="2"), answer("Gone", 0.5, key="3")]
    after = [
        answer(new, 0.4, key="1", agreement=-2.0, findings=[finding(new, "runs")]),  # type: ignore[arg-type]
        answer("Fine word", 0.3, key="2", spelling=-0.5),
        answer("", math.nan, key="3", reason="empty text"),
    ]
    runs = runs_of(before, after)
    assert [one.after.key for one in runs.fell] == ["1", "2"]
    assert runs.fell[0].causes[0] == ("agreement and number", -2.0)
    assert [one.text for one in runs.fell[0].new] == ["runs"]
    assert runs.fell[0].gone == ()
    assert [(row.name, row.new, row.gone) for row in runs.kinds] == [("agreement", 1, 0)]
    assert (runs.lost, runs.gained, runs.n_compared) == (1, 0, (2, 2))


def test_unpaired_runs() -> None:
    """Means are compared; of single texts nothing is said."""
    runs = runs_of(system_of("a", 0.8, 30), system_of("a", 0.5, 50, seed=3))
    assert runs.pairing.by == NOTHING
    assert runs.is_worse
    assert math.isnan(runs.worse)
    assert runs.fell == ()


def test_each_system_has_its_change() -> None:
    """One that fell beside one that did not."""
    before = system_of("a", 0.6, keyed=True) + system_of("b", 0.6, keyed=True, seed=1)
    after = system_of("a", 0.5, keyed=True, seed=2) + system_of("b", 0.6, keyed=True, seed=1)
    runs = runs_of(before, after)
    assert [(row.name, row.differs) for row in runs.systems] == [("a", True), ("b", False)]
    verdict = make_report(after, JUDGE, before=before, how=HOW).verdict_of_runs[1]
    assert verdict == "By system: a (−0.094) fell; b did not change beyond chance."


def test_nothing_to_compare() -> None:
    """Runs without a scored text in common are told as such."""
    none = [answer("", math.nan, reason="empty text")]
    report = make_report(none, JUDGE, before=none, how=HOW)
    assert report.verdict_of_runs == ("No text has a score in both runs, so they cannot be compared.",)
    assert report.runs is not None and not report.runs.is_worse
