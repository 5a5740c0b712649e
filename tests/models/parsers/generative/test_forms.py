"""The sorted list of forms against Python's own."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from naturalness.models.parsers.generative.forms import Forms

words = st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), min_size=1)


@given(kept=st.sets(words), asked=st.lists(words))
def test_places_are_those_of_the_sorted_list(kept: set[str], asked: list[str]) -> None:
    """By code point; -1 for what is not there."""
    forms = Forms.of(kept)
    ordered = sorted(kept)
    assert list(forms) == ordered
    assert len(forms) == len(ordered)
    for word in [*kept, *asked, "", "\ud800"]:
        assert forms.find(word) == (ordered.index(word) if word in kept else -1)
