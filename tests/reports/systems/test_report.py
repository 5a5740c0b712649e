"""A whole report from explanations made by hand."""

from __future__ import annotations

import json
import math

import pytest

from naturalness.errors import TableError
from naturalness.reports.systems.answers import MAX_SYSTEMS
from naturalness.reports.systems.report import everything, make_report
from naturalness.reports.systems.standings import BINS, histogram
from naturalness.statistics.bootstrap import Resampling
from tests.support.system_reports import JUDGE, answer, finding, system_of

HOW = Resampling(300)


def test_standings_by_hand() -> None:
    """Mean, median, share below the threshold, and texts without a score with their reasons."""
    answers = [
        answer("one two", 0.2),
        answer("one two three", 0.6),
        answer("four", 0.7),
        answer("", math.nan, reason="empty text"),
        answer(" ", math.nan, reason="empty text"),
        answer("???", math.nan, reason="no words"),
    ]
    standing = make_report(answers, JUDGE, how=HOW).standings[0]
    assert (standing.n_texts, standing.n_scored) == (6, 3)
    assert standing.mean.value == pytest.approx(0.5)
    assert standing.median == 0.6
    assert standing.below.value == pytest.approx(1 / 3)
    assert standing.words == 2
    assert standing.reasons == (("empty text", 2), ("no words", 1))
    assert sum(standing.histogram) == 3
    assert math.isnan(standing.mean.low)


def test_voices_by_hand() -> None:
    """The mean of the texts that have a voice, of all of them in its interval; naturalness does not depend on it."""
    answers = [*system_of("a", 0.5, 12, voice=0.7, spread=0.0), *system_of("a", 0.5, 12), answer("b", 0.4, "b")]
    first, second = make_report(answers, JUDGE, how=HOW).standings
    assert (first.n_scored, first.mean.value, second.mean.value) == (24, pytest.approx(0.49, abs=0.03), 0.4)
    assert first.voice.value == pytest.approx(0.7) and first.voice.low == pytest.approx(0.7)
    assert math.isnan(second.voice.value)
    few = [*system_of("a", 0.5, 20), *system_of("a", 0.5, 3, voice=0.7)]
    (voice,) = (standing.voice for standing in make_report(few, JUDGE, how=HOW).standings)
    assert voice.value == pytest.approx(0.7, abs=0.1) and math.isnan(voice.low)


def test_systems_are_listed_best_first() -> None:
    """A system without any score comes last and breaks nothing."""
    answers = [
        *system_of("bad", 0.3),
        *system_of("good", 0.8),
        *(answer("x", math.nan, "none", reason="no words") for _ in range(12)),
    ]
    report = make_report(answers, JUDGE, how=HOW)
    assert report.systems == ["good", "bad", "none"]
    assert math.isnan(report.standings[2].mean.value)
    assert report.verdict[0].startswith("good sounds more natural than bad, by 0.500 (95 %")
    assert report.verdict[1] == "none has too few texts to be compared."


def test_causes_add_up_to_the_difference() -> None:
    """Beside the other systems each cause has its share, and the shares sum to the total."""
    answers = system_of("a", 0.6) + system_of("b", 0.4, agreement=-0.8, seed=1)
    report = make_report(answers, JUDGE, how=HOW)
    for system in report.systems:
        parts = [one.beyond.value for one in report.causes if one.system == system]
        total = next(one for one in report.totals if one.system == system)
        assert sum(parts) == pytest.approx(total.beyond.value)
    assert report.cause_sentences["b"].startswith("b loses 0.79")
    assert report.cause_sentences["b"].endswith(" log-odds by agreement and number, compared with a.")
    assert "a" not in report.cause_sentences


def test_findings_per_hundred_sentences() -> None:
    """Only sure ones are counted."""
    text = "They runs home"
    answers = [
        answer(text, 0.4, row=i, findings=[finding(text, "runs"), finding(text, "home", "verb", 0.2)])  # type: ignore[arg-type]
        for i in range(5)
    ]
    answers += [answer("They run home", 0.9, row=5 + i) for i in range(15)]
    report = make_report(answers, JUDGE, how=HOW)
    assert [(one.name, one.title, one.value) for one in report.kinds] == [
        ("agreement", "subject and verb do not agree", 25)
    ]


def test_same_input_same_report() -> None:
    """Nothing is left to chance; the JSON has no NaN."""
    answers = system_of("a", 0.6, keyed=True) + system_of("b", 0.5, keyed=True)
    first, second = (json.dumps(everything(make_report(answers, JUDGE, how=HOW)), allow_nan=False) for _ in range(2))
    assert first == second
    assert json.loads(first)["standings"][0]["system"] == "a"


def test_too_many_systems() -> None:
    """A column of texts or keys taken for systems is refused."""
    answers = [answer("a b", 0.5, f"system {i}") for i in range(MAX_SYSTEMS + 1)]
    with pytest.raises(TableError, match="found 41 systems"):
        make_report(answers, JUDGE, how=HOW)


def test_histogram_has_the_ends() -> None:
    """0 is in the first bin, 1 in the last."""
    assert histogram([0.0, 1.0, 0.999]) == (1, *[0] * (BINS - 2), 2)
    assert sum(histogram([])) == 0
