"""Descriptions of features in words."""

from __future__ import annotations

import re

import pytest

from naturalness.english.rules import FAMILIES
from naturalness.features import EVERY, SETS, resolve
from naturalness.features.base import FeatureGroup
from naturalness.features.describe import in_words, words_of
from naturalness.features.grammar import CATEGORIES
from naturalness.features.pos import UPOS
from naturalness.models.detector import KINDS

MAX_WIDTH = 64
"""Characters of what a column is called."""


@pytest.mark.parametrize("group", EVERY.values(), ids=list(EVERY))
def test_every_feature_has_words(group: FeatureGroup) -> None:
    """Descriptions are short, contain no column names, and are unique in a group."""
    titles = [feature.words for feature in group.features]
    assert len(set(titles)) == len(titles)
    for title in titles:
        assert re.fullmatch(r"[^\W_][^_]*|“[^_]*", title) and len(title) <= MAX_WIDTH, title
        assert title == title.strip() and not title.endswith(".")


@pytest.mark.parametrize("name", SETS)
def test_features_of_a_shipped_model_have_different_names(name: str) -> None:
    """Display names of a model's features are unique without the names of their groups."""
    groups = resolve([name])
    assert list(words_of(groups).values()) == [feature.words for group in groups for feature in group.features]


def test_equal_names_get_the_group() -> None:
    """Equal display names in different groups get the group's name in brackets."""
    words = words_of(list(EVERY.values()))
    assert len(set(words.values())) == len(words)
    assert words["damage__doubtful_share"] == "doubtful words (damage)"
    assert words["damage_fast__doubtful_share"] == "doubtful words (damage fast)"
    assert words["lexical__root_ttr"] == "variety of words (root TTR)"


def test_tables_have_a_row_for_each_kind_and_family() -> None:
    """Rows list kinds of damage, families of rules, kinds of matches and parts of speech in order."""
    for group, suffix, kinds in (
        ("damage", "_share", KINDS[1:]),
        ("rules", "_share", FAMILIES),
        ("grammar", "_word", CATEGORIES),
        ("pos", "_share", [tag.lower() for tag in UPOS]),
    ):
        names = [feature.name.removesuffix(suffix) for feature in EVERY[group].features]
        start = names.index(next(iter(kinds)))
        assert names[start : start + len(kinds)] == list(kinds)


def test_names_of_columns_without_their_groups() -> None:
    """A column name without its group has a display name; unknown names are shown with spaces."""
    names = ["damage__doubtful_share", "lm_mine__slor", "undefined(lexical__mattr)", "damage_fast__doubtful_share"]
    assert list(in_words(names).values()) == [
        "doubtful words (damage)",
        "lm mine slor",
        "no value for variety of words (moving average)",
        "doubtful words (damage fast)",
    ]
