"""Scales and what is on them."""

from __future__ import annotations

import math
from typing import Any

import pytest

from naturalness.studio.annotate.project import PAIRS, POINTS, SLIDER, Scale
from tests.support.annotation_pages import NATURAL

SIX = Scale(POINTS, 1.0, 6.0)
SLIDE = Scale(SLIDER, 0.0, 100.0)
TWO = Scale(PAIRS, -1.0, 1.0)


@pytest.mark.parametrize(
    ("scale", "value", "is_one"),
    [
        (NATURAL, 1, True),
        (NATURAL, 1.5, False),
        (NATURAL, 3, False),
        (SIX, 0, False),
        (SLIDE, 12.5, True),
        (SLIDE, 101, False),
        (TWO, -1.0, True),
        (SIX, True, False),
        (SIX, "3", False),
        (SIX, math.nan, False),
        (SIX, None, False),
        (SIX, math.inf, False),
    ],
)
def test_what_is_on_a_scale(scale: Scale, value: Any, is_one: bool) -> None:
    """Whole steps of labels, points and pairs; anything between the ends of a slider."""
    assert scale.has(value) is is_one
