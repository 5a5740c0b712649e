"""Versions of rules: what a model records, and what it says when rules have changed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from naturalness.english.rules import versions
from naturalness.english.rules.reading import rules
from naturalness.english.rules.versions import changes_since, versions_of
from naturalness.features import resolve
from naturalness.features.requirements import versions_of as recorded

FAMILY = "fragments"


def test_a_model_records_the_rules_that_it_reads() -> None:
    """A model records the families of its columns; a column over all matches needs all rules."""
    assert [name for name in recorded(resolve(["rules__articles_share"])) if "rules" in name] == ["rules:articles"]
    assert {f"rules:{family}" for family in rules()} <= recorded(resolve(["rules__n_matches"])).keys()
    assert recorded(resolve(["rules"]))["rules:repeated_words"] == "WORD_TWICE 3, PHRASE_TWICE 1"
    assert not [name for name in recorded(resolve(["surface"])) if "rules" in name]


def test_changes_name_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Added, changed and removed rules are named, at most five of each."""
    first, second, *others = rules()[FAMILY]
    learned = versions_of(FAMILY)
    new = [replace(first, id=f"NEW_{n}") for n in range(7)]
    for now, expected in (
        ([first, second, *others], "reordered"),
        ([first, second, *others, new[0]], "added NEW_0"),
        ([replace(first, version=first.version + 1), *others], f"changed {first.id}; removed {second.id}"),
        ([first, second, *others, *new], "added NEW_0, NEW_1, NEW_2, NEW_3, NEW_4, 2 more"),
    ):
        monkeypatch.setattr(versions, "rules", lambda now=now: {FAMILY: tuple(now)})
        assert changes_since(FAMILY, learned) == f"other rules of fragments ({expected})"
