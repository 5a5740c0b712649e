"""How fast somebody rates, and how long what is left will take."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise
from statistics import median

PAUSE = 300.0
"""Seconds after which somebody was away rather than thinking."""
RECENT = 30
"""Answers that tell how fast it goes now."""
FEWEST = 4
"""Gaps between answers that tell anything."""


def seconds_each(times: Sequence[str]) -> float:
    """Seconds from one answer to the next, the usual case of late; NaN while it cannot be told.

    ``times`` are those of one rater's answers in order, as ISO 8601.
    """
    at = [datetime.fromisoformat(time) for time in times[-RECENT - 1 :]]
    gaps = [(b - a).total_seconds() for a, b in pairwise(at)]
    gaps = [gap for gap in gaps if 0 <= gap < PAUSE]
    return median(gaps) if len(gaps) >= FEWEST else math.nan


def told(each: float, left: int) -> str:
    """``240 an hour, about 35 min left``; empty while it cannot be told."""
    if math.isnan(each) or each <= 0:
        return ""
    speed = f"{_round(3600 / each)} an hour"
    return f"{speed}, {_time(each * left)} left" if left else speed


def _round(number: float) -> str:
    step = 10 if number >= 100 else 5 if number >= 20 else 1
    return f"{round(number / step) * step:,}"


def _time(seconds: float) -> str:
    minutes = seconds / 60
    if minutes < 1.5:
        return "about a minute"
    if minutes < 60:
        return f"about {round(minutes)} min"
    hours, rest = divmod(round(minutes / 10) * 10, 60)
    return f"about {hours} h" + (f" {rest} min" if rest else "")
