"""Sentence boundaries and capitals as language models read them."""

from __future__ import annotations

import pytest
from spacy.tokens import Doc

from naturalness.text.view import bounds, spaces_of, spelled, view
from tests.support.language_models import doc_of, vocab

CAPITALS = {"i": "I", "peter": "Peter", "bbc": "BBC"}


@pytest.mark.parametrize(
    ("sentences", "expected"),
    [
        ((), []),
        (("...",), []),
        (("Yes",), [(0, 1)]),
        (("Yes .", "--", "No ."), [(0, 3), (3, 5)]),
        (("--", "Yes ."), [(0, 3)]),
        (("Yes .", "--"), [(0, 3)]),
    ],
)
def test_punctuation_alone_is_not_a_sentence(sentences: tuple[str, ...], expected: list[tuple[int, int]]) -> None:
    """Punctuation alone belongs to the previous sentence, or to the first one."""
    doc = doc_of(*sentences) if sentences else Doc(vocab())
    assert bounds(view(doc)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("i met peter .", "I met Peter ."),
        ("' i met peter ' .", "' I met Peter ' ."),
        ("the bbc said so .", "The BBC said so ."),
        ("3 of them left .", "3 Of them left ."),
        ("THE BBC CAME .", "The BBC came ."),
        ("THEY MET PETER .", "They met Peter ."),
        ("A bbc van .", "A bbc van ."),
        ("The bbc .", "The bbc ."),
        ("BBC", "BBC"),
        ("bbc", "BBC"),
        ("...", "..."),
    ],
)
def test_capitals_are_restored(text: str, expected: str) -> None:
    """Texts in lower case and texts of several words in capitals get the usual capitals."""
    assert spelled(view(doc_of(text)), CAPITALS) == expected.split()


def test_white_space_after_words() -> None:
    """A token of white space counts as a space after the word before it."""
    words, spaces = ["did", "n't", "it", "\n", "rain"], [False, True, False, False, False]
    assert spaces_of(Doc(vocab(), words=words, spaces=spaces)) == [False, True, True, False]


def test_a_sentence_may_begin_with_white_space() -> None:
    """A sentence whose first token is white space begins with its first visible token."""
    assert bounds(view(doc_of("Yes .", "\n \n No .", "Yes . \n"))) == [(0, 2), (2, 4), (4, 6)]
