"""The tables of prepositions."""

from __future__ import annotations

import pytest

from naturalness.english.rules.prepositions import ADJECTIVES, VERBS


@pytest.mark.parametrize("table", [VERBS, ADJECTIVES], ids=["verbs", "adjectives"])
def test_no_preposition_is_both_wrong_and_right(table: dict[str, dict[str, str]]) -> None:
    """Each line names at least one wrong preposition, and none that it suggests."""
    for wrong in table.values():
        assert wrong
        assert not wrong.keys() & set(wrong.values())
