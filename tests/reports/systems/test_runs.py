"""Two runs are compared like two systems, and texts that got worse are listed."""

from __future__ import annotations

import math

import pytest

from naturalness.reports.systems.runs import Runs
from tests.support.system_reports import answer, report_on, system_of


def runs_of(*answers: object) -> Runs:
    """Return the comparison of the runs `old` and `new`."""
    runs = report_on(answers, runs=("old", "new")).runs  # type: ignore[arg-type]
    assert runs is not None
    return runs


@pytest.mark.parametrize(("mean", "is_worse"), [(0.55, True), (0.6, False), (0.65, False)])
def test_a_fall(mean: float, is_worse: bool) -> None:
    """A run is worse if its mean fell and the interval of the difference excludes 0."""
    runs = runs_of(*system_of("old", 0.6, keyed=True), *system_of("new", mean, keyed=True)[::-1])
    assert runs.is_worse == is_worse
    n_changed = 40 * (mean != 0.6)
    assert (runs.n_paired, runs.n_fell, runs.n_rose) == (40, n_changed * is_worse, n_changed * (not is_worse))


def test_texts_that_fell_most() -> None:
    """The strongest fall comes first; texts without a score or a counterpart are not compared."""
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
