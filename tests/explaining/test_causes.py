"""Causes: every column has one, and a group without a line is refused."""

from __future__ import annotations

import pytest

from naturalness.explaining import causes
from naturalness.explaining.causes import COLUMNS, GROUPS, KINDS, PREFIXES, TITLES, cause_of, cause_title
from naturalness.features import EVERY, column_names
from naturalness.features.base import column_prefix
from naturalness.features.columns import TABLE_COLUMNS
from naturalness.features.named import KINDS as NAMED_GROUPS


def test_every_group_of_the_package_has_a_cause() -> None:
    """A new group needs a line in `GROUPS`; groups that are made from their names one in `PREFIXES`."""
    assert GROUPS.keys() == EVERY.keys()
    prefixes = {f"{column_prefix(start + 'x').removesuffix('x')}" for start in NAMED_GROUPS.keys() - {TABLE_COLUMNS}}
    assert PREFIXES.keys() == {*prefixes, "lm_tags"}  # the language model of an adapted model
    assert {*GROUPS.values(), *PREFIXES.values(), *COLUMNS.values(), *KINDS.values()} == TITLES.keys()


def test_columns_with_another_cause_than_their_group_exist() -> None:
    """A renamed column would fall back to its group's cause."""
    assert COLUMNS.keys() <= set(column_names(list(EVERY.values())))


def test_a_group_without_a_line_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """It says which file to change."""
    monkeypatch.delitem(causes.GROUPS, "surface")  # type: ignore[arg-type]
    with pytest.raises(LookupError, match=r"group 'surface' has no cause.*causes\.py"):
        cause_of("surface__n_words")


@pytest.mark.parametrize(
    ("column", "cause"),
    [
        ("surface__n_words", "length"),
        ("damage__verb_share", "verbs"),
        ("undefined(damage__verb_share)", "verbs"),
        ("lexical__mattr", "extra"),
        ("undefined(lexical__mattr)", "length"),
        ("lm_harbour__slor", "wording"),
        ("columns__price", "column price"),
        ("hedging__share", "group hedging"),
    ],
)
def test_causes_of_columns(column: str, cause: str) -> None:
    """A column's, its group's, its model's, its table's, and a group of a user's own by its name.

    A short text has no figure of variety, and repeats nothing.
    """
    assert cause_of(column) == cause
    assert cause_title(cause) == TITLES.get(cause, cause)
