"""Two runs: how their texts are paired, and what became better and worse."""

from __future__ import annotations

import math

import pytest

from naturalness.reports.systems.answers import SystemText
from naturalness.reports.systems.runs import KEY, NOTHING, ORDER, Runs, pair_up, shared_inputs
from tests.support.system_reports import answer, finding, report_on, system_of


def runs_of(before: list[SystemText], after: list[SystemText]) -> Runs:
    """Return the comparison of two runs."""
    runs = report_on(after, before).runs
    assert runs is not None
    return runs


def keyed(keys: str, system: str = "a") -> list[SystemText]:
    """Return an answer for each key, a single character; a blank stands for no key."""
    return [answer("x", 0.5, system, key.strip()) for key in keys]


@pytest.mark.parametrize(
    ("before", "after", "by", "pairs"),
    [
        # Equal keys are paired in order; the rest stays alone.
        (keyed("1223"), keyed("214"), KEY, ((0, 1), (1, 0))),
        # Without keys, each system must have the same number of texts in both runs.
        (keyed(" "), keyed(" "), ORDER, ((0, 0),)),
        (keyed(" "), keyed("  "), NOTHING, ()),
        (keyed("1"), keyed("2"), NOTHING, ()),
        # Systems without a common name are ignored.
        (keyed("  ", "v1"), keyed("  ", "v2"), ORDER, ((0, 0), (1, 1))),
        (keyed("12", "v1"), keyed("21", "v2"), KEY, ((0, 1), (1, 0))),
    ],
)
def test_pairing(
    before: list[SystemText], after: list[SystemText], by: str, pairs: tuple[tuple[int, int], ...]
) -> None:
    """Texts of two runs are paired by key, by order, or not at all."""
    pairing = pair_up(before, after)
    assert (pairing.by, pairing.pairs) == (by, pairs)
    assert pairing.alone_before == len(before) - len(pairs)


def test_shared_inputs() -> None:
    """Inputs count only if two systems share them."""
    inputs = shared_inputs(system_of("a", 0.5, 4, keyed=True) + system_of("b", 0.5, 4, keyed=True))
    assert inputs is not None and inputs.tolist() == [0, 1, 2, 3] * 2
    assert shared_inputs(system_of("a", 0.5, 4, keyed=True)) is None
    assert shared_inputs(system_of("a", 0.5, 4)) is None


def test_a_fall() -> None:
    """Mean, shares, causes and sentences agree, and the interval excludes 0."""
    after = system_of("a", 0.55, keyed=True, agreement=-0.5)[::-1]
    report = report_on(after, system_of("a", 0.6, keyed=True))
    runs = report.runs
    assert runs is not None and runs.is_worse and not runs.is_better
    assert runs.mean.change.value == pytest.approx(-0.05)
    assert (runs.worse, runs.better, runs.systems) == (1, 0, ())
    agreement = next(row for row in runs.causes if row.name == "agreement")
    assert agreement.change.value == pytest.approx(-0.5) and agreement.differs
    assert report.verdict_of_runs[0].startswith(
        "The texts sound less natural than before: mean naturalness 0.594 before, 0.544 now (−0"
    )
    assert "Of 40 texts 100% fell" in report.verdict_of_runs[0]
    assert report.verdict_of_runs[1] == "By cause, in log-odds per text, they have lost 0.50 by agreement and number."


def test_nothing_changed() -> None:
    """Identical texts have neither fallen nor risen."""
    same = system_of("a", 0.6)
    runs = runs_of(same, same)
    assert (runs.mean.change.value, runs.mean.change.low, runs.mean.change.high) == (0, 0, 0)
    assert not runs.is_worse and not runs.is_better
    assert runs.n_same_text == 40
    assert runs.fell == runs.rose == ()


def test_texts_that_fell_and_why() -> None:
    """The strongest fall comes first, with the findings that appeared and disappeared."""
    old, new = "The dogs run home", "The dogs runs home"
    before = [answer(old, 0.9, key="1"), answer("Fine words", 0.5, key="2"), answer("Gone", 0.5, key="3")]
    after = [
        answer(new, 0.4, key="1", agreement=-2.0, findings=[finding(new, "runs")]),
        answer("Fine word", 0.3, key="2", spelling=-0.5),
        answer("", math.nan, key="3", reason="empty text"),
    ]
    runs = runs_of(before, after)
    assert [change.after.key for change in runs.fell] == ["1", "2"]
    assert runs.fell[0].causes[0] == ("agreement and number", -2.0)
    assert [new.text for new in runs.fell[0].new] == ["runs"] and runs.fell[0].gone == ()
    assert [(row.name, row.new, row.gone) for row in runs.kinds] == [("agreement", 1, 0)]
    assert (runs.lost, runs.gained, runs.n_compared) == (1, 0, (2, 2))


def test_unpaired_runs() -> None:
    """Only means are compared."""
    runs = runs_of(system_of("a", 0.8, 30), system_of("a", 0.5, 50, seed=3))
    assert runs.pairing.by == NOTHING
    assert runs.is_worse and math.isnan(runs.worse) and runs.fell == ()


def test_change_of_each_system() -> None:
    """One system fell and the other did not."""
    before = system_of("a", 0.6, keyed=True) + system_of("b", 0.6, keyed=True, seed=1)
    after = system_of("a", 0.5, keyed=True, seed=2) + system_of("b", 0.6, keyed=True, seed=1)
    report = report_on(after, before)
    assert report.runs is not None
    assert [(row.name, row.differs) for row in report.runs.systems] == [("a", True), ("b", False)]
    assert report.verdict_of_runs[1] == "By system: a (−0.094) fell; b did not change beyond chance."


def test_nothing_to_compare() -> None:
    """Runs without a text that has a score in both cannot be compared."""
    none = [answer("", math.nan, reason="empty text")]
    report = report_on(none, none)
    assert report.verdict_of_runs == ("No text has a score in both runs, so they cannot be compared.",)
    assert report.runs is not None and not report.runs.is_worse
