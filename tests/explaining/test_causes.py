"""Every column has a cause."""

from __future__ import annotations

import pytest

from naturalness.explaining.causes import KINDS, PREFIXES, TITLES, cause_of, cause_title
from naturalness.features import EVERY
from naturalness.features.base import column_prefix
from naturalness.features.named import KINDS as NAMED_GROUPS


def test_every_group_of_the_package_has_causes() -> None:
    """Groups have causes in their tables or, if created from names, in `PREFIXES`; every cause has columns."""
    causes = {feature.cause for group in EVERY.values() for feature in group.features}
    prefixes = {f"{column_prefix(start + 'x').removesuffix('x')}" for start in NAMED_GROUPS}
    assert PREFIXES.keys() == {*prefixes, "lm_tags"}  # the language model of an adapted model
    assert {*causes, *PREFIXES.values(), *KINDS.values()} == TITLES.keys()


@pytest.mark.parametrize(
    ("column", "cause"),
    [
        ("surface__n_characters", "length"),
        ("rules__verb_forms_share", "verbs"),
        ("damage__verb_share", "verbs"),
        ("undefined(damage__verb_share)", "verbs"),
        ("lexical__mattr", "extra"),
        ("undefined(lexical__mattr)", "length"),
        ("lm_harbour__slor", "wording"),
        ("hedging__share", "group hedging"),
    ],
)
def test_causes_of_columns(column: str, cause: str) -> None:
    """Causes of a column, a group, a model and a user's group.

    A short text has no figure of variety, and repeats nothing.
    """
    assert cause_of(column) == cause
    assert cause_title(cause) == TITLES.get(cause, cause)
