"""A report as a whole: what is counted adds up, and the same input gives the same report."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from naturalness.errors import ModelError
from naturalness.reports.raters.judged import JudgedTexts
from naturalness.reports.raters.report import Report, make_report
from naturalness.reports.raters.wording import everything
from tests.support.pages import EVIL
from tests.support.rater_reports import explain, extra


def test_counts_add_up(report: Report, judged: JudgedTexts) -> None:
    """Confusion, lists, rates and histograms speak of the same texts."""
    counts = np.array(report.confusion.counts)
    assert counts.sum() == report.labelled == sum(one.texts for one in report.labels)
    assert counts[0, 1] == report.too_high.total
    assert counts[1, 0] == report.too_low.total
    assert report.rates[0].errors == report.too_high.total + report.too_low.total
    assert sum(one.texts for one in report.rates if one.dimension == "system") == report.labelled
    assert sum(one.texts for one in report.rates if one.dimension == "length") == report.labelled
    accuracy = report.figures[0].value
    assert accuracy == pytest.approx(1 - report.rates[0].rate)


def test_lists_hold_the_gravest(report: Report) -> None:
    """Falsely natural texts from the most natural one down, at most ten, with explanations."""
    scores = [case.naturalness for case in report.too_high.cases]
    assert scores == sorted(scores, reverse=True)
    low = [case.naturalness for case in report.too_low.cases]
    assert low == sorted(low)
    assert len(report.too_low.cases) == min(10, report.too_low.total)
    for case in (*report.too_high.cases, *report.too_low.cases):
        assert case.explanation.text == case.text
        assert case.predicted != case.label
        assert case.cause == "word order"
        assert len(case.single) == 3


@pytest.mark.slow
def test_columns_that_do_not_vary_are_left_out(judged: JudgedTexts) -> None:
    """One system is no comparison."""
    n = len(judged.naturalness)
    same = replace(extra(n), systems=["only"] * n, by={"register": ["letters"] * n})
    report = make_report(judged, same, table="t", model="m", explain=explain, sentences=1)
    assert not {one.dimension for one in report.rates} & {"system", "register"}


@pytest.mark.slow
def test_everything_is_json_and_repeats(report: Report, judged: JudgedTexts) -> None:
    """No NaN in it, and another run gives the same bytes."""
    text = json.dumps(everything(report), allow_nan=False)
    again = make_report(
        judged,
        extra(len(judged.naturalness)),
        table=f"{EVIL}.csv",
        model=EVIL,
        notes=[f"read `{EVIL}`"],
        sentences=10,
        explain=explain,
    )
    assert json.dumps(everything(again), allow_nan=False) == text


def test_nothing_unseen(judged: JudgedTexts) -> None:
    """An error says what to do."""
    nobody = replace(
        judged,
        data=judged.data.part(np.array([], dtype=np.int64)),
        seen=7,
        naturalness=np.empty(0),
        rows=np.empty(0, dtype=np.int64),
    )
    with pytest.raises(ModelError, match="trained on all 7 texts"):
        make_report(nobody, extra(7), table="t", model="m")
