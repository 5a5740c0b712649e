"""Sentence boundaries found by rules."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.text.boundaries import sentence_starts
from naturalness.text.parsing import parse, tokenise


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("He left. She stayed.", ["He left.", "She stayed."]),
        ("Dr. Smith met J. Brown. They spoke.", ["Dr. Smith met J. Brown.", "They spoke."]),
        ("We met at 5 p.m. The sun shone.", ["We met at 5 p.m.", "The sun shone."]),
        ("We met at 5 p.m. on Monday.", ["We met at 5 p.m. on Monday."]),
        ('"Go!" he said. "Now." They went.', ['"Go!" he said.', '"Now."', "They went."]),
        ("Who? me? Yes.", ["Who?", "me?", "Yes."]),
        ("it was late. we slept.", ["it was late.", "we slept."]),
        ("The U.K. voted. it was late.", ["The U.K. voted. it was late."]),
        ("Well... maybe. Perhaps... Yes.", ["Well... maybe.", "Perhaps...", "Yes."]),
        ("Thanks! :) See you.", ["Thanks! :)", "See you."]),
        ("(It rained.) We stayed.", ["(It rained.)", "We stayed."]),
        ("One\n\ntwo three", ["One", "two three"]),
        ("No end here", ["No end here"]),
    ],
)
def test_sentences_by_hand(text: str, sentences: list[str]) -> None:
    """Sentences include their final marks, and a parser finds the same ones."""
    for doc in (*tokenise([text]), *parse([text])):
        assert [sentence.text for sentence in doc.sents] == sentences


def test_a_footnote_mark_ends_a_sentence() -> None:
    """A footnote mark belongs to the sentence that it follows."""
    tokens = ["It", "rained", ".", "[", "3", "]", "We", "stayed", "."]
    assert sentence_starts(tokens, [True, False, False, False, False, True, True, False, False]) == [0, 6]


@given(
    st.lists(
        st.tuples(st.sampled_from([".", "?", "...", '"', ")", "[", "1", "]", ":)", "a", "A", "Mr."]), st.booleans())
    )
)
def test_sentence_starts_are_in_order(tokens: list[tuple[str, bool]]) -> None:
    """The first token of a text begins a sentence."""
    starts = sentence_starts([token for token, _ in tokens], [spaced for _, spaced in tokens])
    assert starts == sorted(set(starts))
    assert starts[:1] == [0][: len(tokens)]
    assert all(start < len(tokens) for start in starts)
