"""How fast it goes, and how long it takes."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

import pytest

from naturalness.annotate.pages.views import pace_words, seconds_each


def times(*gaps: float) -> list[str]:
    """Times with these seconds between them."""
    at = datetime(2026, 3, 1, 9, tzinfo=UTC)
    found = [at]
    for gap in gaps:
        found.append(found[-1] + timedelta(seconds=gap))
    return [one.isoformat(timespec="milliseconds") for one in found]


def test_the_usual_gap_counts() -> None:
    """Neither a pause nor one long thought changes what is pace_words."""
    assert seconds_each(times(10, 12, 14, 3600, 12, 290)) == 12


def test_too_little_to_tell() -> None:
    """A few answers have no pace."""
    assert math.isnan(seconds_each(times(10, 12, 14)))
    assert math.isnan(seconds_each([]))


@pytest.mark.parametrize(
    ("each", "left", "words"),
    [
        (12.0, 100, "300 an hour, about 20 min left"),
        (13.0, 1000, "280 an hour, about 3 h 40 min left"),
        (60.0, 60, "60 an hour, about 1 h left"),
        (2.0, 3, "1,800 an hour, about a minute left"),
        (300.0, 0, "12 an hour"),
        (math.nan, 10, ""),
    ],
)
def test_in_words(each: float, left: int, words: str) -> None:
    """Rounded as one would say it."""
    assert pace_words(each, left) == words
