"""What GRUEN adds and takes off."""

from __future__ import annotations

import math

import numpy as np
import pytest
from naturalness.models.metrics.gruen.grammaticality import (
    Curve,
    Reading,
    acceptabilities,
    likelihoods,
)

from naturalness.models.metrics.gruen.parts import NOTHING, Parts
from naturalness.parsing import parse

TWO = "She put the letter on the table. Then she went out."
BROKEN = "She put letter the on the table. Then she went out."


def test_each_step_takes_off_its_part() -> None:
    """Grammaticality .7; a violation of focus .1, two of redundancy .2, half a nat .05."""
    parts = Parts(0.6, 0.8, repeated=2, unrelated=1, disorder=0.5)
    found = [parts.sum_of(steps) for steps in ("", "u", "ur", "urn")]
    assert found == pytest.approx([0.7, 0.6, 0.4, 0.35])


def test_the_sum_stays_within_bounds() -> None:
    """However many violations there are."""
    assert Parts(0.6, 0.8, repeated=60, unrelated=0, disorder=0.1).sum_of("urn") == 0


def test_one_sentence_loses_nothing_by_its_order() -> None:
    """A text without words has no number at all."""
    assert Parts(0.6, 0.8, 0, 0, math.nan).sum_of("urn") == pytest.approx(0.7)
    assert all(math.isnan(NOTHING.sum_of(steps)) for steps in ("", "u", "ur", "urn"))


def test_a_curve_by_hand() -> None:
    """A half in the middle, e^2 / (1 + e^2) a unit above it where the slope is 2."""
    assert Curve(2, -3)(np.array([-3.0, -2.0])) == pytest.approx([0.5, 0.880797], abs=1e-6)


@pytest.mark.parametrize("reading", ["masked", "causal"])
def test_a_number_for_each_sentence(reading: Reading) -> None:
    """Of its own alone: what stands beside it changes nothing; no words, no number."""
    docs = parse([TWO, "Then she went out.", "", "?!", BROKEN])
    both, second, empty, marks, broken = likelihoods(docs, reading)
    assert len(both) == len(broken) == 2 and len(second) == 1
    assert len(empty) == len(marks) == 0
    assert both[1] == second[0] == broken[1]
    assert broken[0] < both[0] < 0


def test_acceptability_falls_with_damage() -> None:
    """In the sentence that is damaged."""
    sound, damaged, empty = acceptabilities(parse([TWO, BROKEN, ""]))
    assert damaged[0] < sound[0] and damaged[1] == sound[1]
    assert len(empty) == 0
