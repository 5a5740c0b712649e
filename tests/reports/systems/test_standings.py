"""The least natural texts of a system."""

from __future__ import annotations

import math

from naturalness.reports.systems.standings import worst_of
from tests.support.system_reports import answer


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
