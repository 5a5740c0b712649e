"""Edits that count as accepted, and the trees fitted to them."""

from __future__ import annotations

import numpy as np
import pytest

from naturalness.explaining.acceptance import SIGNS
from training.mender.acceptance import FALLING, RISING, accepted, distance, estimator

DISTANCES = {
    ("a b c", "a b c"): 0,
    ("a b c", "a c"): 1,
    ("a c", "a b c"): 1,
    ("a b c", "a d c"): 1,
    ("a b c", "b a c"): 2,
    ("", "a b"): 2,
    ("a b", ""): 2,
    ("k i t t e n", "s i t t i n g"): 3,
}


@pytest.mark.parametrize(("first", "second"), DISTANCES)
def test_distances_by_hand(first: str, second: str) -> None:
    """Each inserted, deleted or replaced token counts once."""
    assert distance(first.split(), second.split()) == DISTANCES[first, second]


WRITTEN = "He go to the the school on foots."
CORRECTIONS = ("He goes to the school on foot.", "He went to school on foot.")


@pytest.mark.parametrize(
    ("edited", "expected"),
    [
        ("He goes to the the school on foots.", True),
        ("He go to the school on foots.", True),
        # Only one of the corrections has it.
        ("He went to the the school on foots.", True),
        ("He gone to the the school on foots.", False),
        ("He go to the the schools on foots.", False),
        ("He go to the the school on  foots.", False),
        (WRITTEN, False),
    ],
)
def test_an_edit_towards_a_correction_is_accepted(edited: str, expected: bool) -> None:
    """An edit is accepted if it brings the text closer to a correction."""
    assert accepted(WRITTEN, edited, CORRECTIONS) == expected


def test_declared_signs_are_monotone() -> None:
    """The fitted trees are monotone in the signs that are declared so."""
    assert set(SIGNS) >= RISING | FALLING and not RISING & FALLING
    rng = np.random.default_rng(0)
    table = rng.normal(size=(300, len(SIGNS)))
    fitted = estimator().set_params(n_estimators=20).fit(table, rng.random(300) < 0.5)
    for name in ("mended", "damage"):
        rows = np.repeat(table[:1], 50, axis=0)
        rows[:, SIGNS.index(name)] = np.linspace(-3, 3, 50)
        steps = np.diff(fitted.predict_proba(rows)[:, 1])
        assert (steps >= 0 if name in RISING else steps <= 0).all()
