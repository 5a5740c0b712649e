"""A small corpus, and a check of recorded damage."""

from __future__ import annotations

from itertools import product

from naturalness.adapting.damage import Damaged

SUBJECTS = ("The teacher", "My brother", "A tall woman", "She", "The two old dogs", "Peter")

VERBS = ("saw", "didn't see", "often painted", "has sold", "bought")

OBJECTS = ("a house", "the well-known garden", "some bread, milk and tea", "his 20 letters")

TEXTS = [f"{' '.join(parts)}." for parts in product(SUBJECTS, VERBS, OBJECTS)]


def check_record(damaged: Damaged) -> None:
    """Require that the recorded spans lie in the text."""
    assert all(0 <= damage.start <= damage.end <= len(damaged.text) for damage in damaged.damages)
