"""Constructions: tokens, the examples of every pattern, and time that grows with the length."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.english.constructions import Construction, constructions, find_constructions, token_lines

EVERY = pytest.mark.parametrize("construction", constructions(), ids=lambda each: each.name)


def names(text: str) -> set[str]:
    """Return the constructions of a text."""
    return {name for name, _, _ in find_constructions(token_lines(text))}


def test_tokens() -> None:
    """Quotes, dashes and numbers have one form; words keep their apostrophes and hyphens; a sentence is a line."""
    lines = token_lines("“Well-known,” Mr. Ames said – it’s 1,5 km… Then--no!")
    assert token_lines(" _So_, e.g. now.").spans == [(2, 4), (5, 6), (7, 11), (12, 15), (15, 16)]
    assert lines.text == '" well-known , " mr. ames said — it\'s 0 , 0 km ...\nthen — no !'
    assert lines.starts == [0, 14]
    assert lines.n_words == 10
    assert [lines.spans[0], lines.spans[1]] == [(0, 1), (1, 11)]


@EVERY
def test_examples(construction: Construction) -> None:
    """The pattern finds something in its bad examples, and no pattern finds anything in the good ones.

    A match contains one of the construction's strings.
    """
    assert len(construction.bad) + len(construction.good) >= 3
    for text in construction.bad:
        assert construction.name in names(text), text
        for match in construction.pattern.finditer(token_lines(text).text):
            assert any(string in match.group() for string in construction.contains), text
    for text in construction.good:
        assert not names(text), text


@given(text=st.text(max_size=80))
def test_spans_are_in_order(text: str) -> None:
    """Tokens do not overlap, and lines contain all of them."""
    lines = token_lines(text)
    ends = [offset for span in lines.spans for offset in span]
    assert ends == sorted(ends)
    assert all(text[start:end] == token for (start, end), (token, _) in zip(lines.spans, lines.typed, strict=True))
    assert lines.text.split() == [part for token in lines.tokens for part in token.split()]
