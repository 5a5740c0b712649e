"""Words that a rating head expects people to dislike."""

from __future__ import annotations

from naturalness.explaining import opinion
from naturalness.explaining.opinion import MAX_TOKENS, disliked, head_of
from naturalness.features import EVERY, resolve
from naturalness.models.detector import detector, rate
from naturalness.text.parsing import parse

DAMAGED = "The old man man gave his book book to the girl."


def test_words_are_marked_without_which_it_expects_more() -> None:
    """Dropping a marked word raises the rating by its value; only such words are marked."""
    (doc,) = parse([DAMAGED])
    (whole,) = rate([doc])
    marks = list(disliked(doc, detector()))
    assert {mark.text for mark in marks} & {"man", "book"}
    for mark in marks:
        without = DAMAGED[: mark.start].rstrip() + DAMAGED[mark.end :]
        assert rate(parse([without]))[0] >= whole + opinion.MIN_GAIN
        assert (mark.cause, mark.code, mark.source) == ("rating", "disliked", "rating")


def test_long_texts_and_single_words_are_left_alone() -> None:
    """Each word would need a reading of its own."""
    docs = parse(["word " * (MAX_TOKENS + 1), "Go"])
    rate(docs)
    assert not any(list(disliked(doc, detector())) for doc in docs)


def test_the_head_is_that_of_the_model() -> None:
    """A model without a rating head has no opinion."""
    assert head_of(resolve(["fast"])) == detector("fast_detector")
    assert head_of([EVERY["damage"]]) is None
