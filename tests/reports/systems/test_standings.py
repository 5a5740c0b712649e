"""What is left of the differences between systems when their texts were equally long."""

from __future__ import annotations

import math

import pytest

from naturalness.reports.systems.report import make_report
from naturalness.reports.systems.standings import worst_of
from naturalness.statistics.bootstrap import Resampling
from tests.support.system_reports import JUDGE, answer, word

HOW = Resampling(300)


def test_a_difference_of_length_alone() -> None:
    """Systems on one line of naturalness by log length are equal at equal length."""
    answers = []
    for name, lengths in (("short", (4, 8)), ("long", (8, 16))):
        for i in range(24):
            n = lengths[i % 2]
            text = " ".join([name, word(i)] + ["so"] * (n - 2))
            answers.append(answer(text, 0.9 - 0.1 * math.log2(n), name, row=i))
    report = make_report(answers, JUDGE, how=HOW)
    assert report.doubled.value == pytest.approx(-0.1)
    short, long = report.lengths
    assert (short.system, short.words.value, long.words.value) == ("short", 6, 12)
    assert short.at_equal_length.value == pytest.approx(long.at_equal_length.value)
    assert short.moved == pytest.approx(-0.05)


def test_equal_lengths_move_nothing() -> None:
    """Without any spread of length there is no slope to know."""
    answers = [answer(f"one {word(i)}", 0.5 + i / 100, "ab"[i % 2], row=i) for i in range(30)]
    report = make_report(answers, JUDGE, how=HOW)
    assert report.doubled.value == 0
    assert [one.moved for one in report.lengths] == [0, 0]


def test_near_duplicates_stand_once() -> None:
    """The worst of them is shown and says how many there are like it."""
    texts = [
        ("There is 12 hotels in the north of the city .", 0.1),
        ("there is 3 hotels in the north of the city", 0.12),
        ("There is 7 hotels in the south of the city.", 0.15),
        ("I does not know any bar.", 0.2),
        ("A quite different and much better sentence.", 0.8),
    ]
    answers = [answer(text, score, row=i) for i, (text, score) in enumerate(texts)]
    worst = worst_of(answers, 2)
    assert [(one.answer.row, one.alike) for one in worst] == [(0, 2), (3, 0)]
    assert len(worst_of([answer("", math.nan, reason="empty text")], 2)) == 0
