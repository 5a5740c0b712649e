"""The sorted list of forms against Python's own."""

from __future__ import annotations

import pytest
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


@given(st.lists(words, unique=True))
def test_a_list_must_ascend(listed: list[str]) -> None:
    """In any other order a form would not be found."""
    text = "".join(form + "\n" for form in listed).encode()
    if listed == sorted(listed):
        assert Forms(text).text == text
    else:
        with pytest.raises(ValueError, match="do not ascend"):
            Forms(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [(b"a\na\n", "do not ascend"), (b"\na\n", "one is empty"), (b"a\nb", "no end"), (b"a\n\xff\n", "decode")],
)
def test_other_texts_are_refused(text: bytes, message: str) -> None:
    """A form twice, an empty one, one that is cut, bytes that are no text."""
    with pytest.raises(ValueError, match=message):
        Forms(text)
