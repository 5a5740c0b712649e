"""The sentences that a parser reads: where they begin and end, and how their words are written."""

from __future__ import annotations

import pytest
import spacy
from spacy.tokens import Doc

from naturalness.models.parsers.base import MAX_TOKENS, Sentence, sentences_of, too_long, words_of
from naturalness.text.view import view

VOCAB = spacy.blank("en").vocab


def doc(*sentences: str) -> Doc:
    """Words parted by spaces."""
    words = [sentence.split() for sentence in sentences]
    starts = [i == 0 for sentence in words for i in range(len(sentence))]
    return Doc(VOCAB, words=[w for sentence in words for w in sentence], sent_starts=starts)


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("we met anna in paris on monday .", "We met Anna in Paris on Monday ."),
        ("WE MET ANNA IN PARIS ON MONDAY .", "We met Anna in Paris on Monday ."),
        ("we met Anna in paris .", "we met Anna in paris ."),
        ("( we met )", "( We met )"),
    ],
)
def test_capitals_are_restored_where_there_are_none(typed: str, read: str) -> None:
    """Names and the first word, as an editor would; a text with some is read as it is."""
    (sentence,) = sentences_of(doc(typed))
    assert sentence.words == read.split()
    assert words_of(view(doc(typed))) == read.split()


def test_each_sentence_begins_with_a_capital() -> None:
    """Whether a text has capitals is asked of all its sentences together."""
    assert [s.words for s in sentences_of(doc("cats sleep .", "dogs bark ."))] == [
        ["Cats", "sleep", "."],
        ["Dogs", "bark", "."],
    ]
    assert [s.words[0] for s in sentences_of(doc("cats sleep .", "Dogs bark ."))] == ["cats", "Dogs"]


def test_marks_between_sentences_belong_to_the_one_before() -> None:
    """No token is lost, and a sentence of marks is none."""
    sentences = list(sentences_of(doc("The cat sat .", "* * *", "It ran .", "!")))
    assert sentences == [
        Sentence(0, 7, ["The", "cat", "sat", ".", "*", "*", "*"]),
        Sentence(7, 11, ["It", "ran", ".", "!"]),
    ]


def test_marks_before_the_first_sentence_belong_to_it() -> None:
    """There is none before it."""
    assert [(s.start, s.stop) for s in sentences_of(doc("* *", "It ran .", "We ran ."))] == [(0, 5), (5, 8)]


@pytest.mark.parametrize("blank", [Doc(VOCAB), doc(". ! ?")])
def test_without_a_word_there_is_none(blank: Doc) -> None:
    """An empty Doc, one of marks."""
    assert list(sentences_of(blank)) == []


@pytest.mark.parametrize("n", [MAX_TOKENS, MAX_TOKENS + 1])
def test_long_sentences_are_whole(n: int) -> None:
    """It is the parser that refuses them, in words that name both numbers."""
    (sentence,) = sentences_of(doc("Cat " * n))
    assert (sentence.start, sentence.stop, len(sentence.words)) == (0, n, n)
    assert too_long(n) == f"a sentence of {n} tokens; the parser takes at most 200"
