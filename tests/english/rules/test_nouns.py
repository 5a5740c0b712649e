"""Number of nouns by their form, and care with nouns where names have no capitals."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from spacy.tokens import Doc

from naturalness.english.rules.nouns import is_plural, is_singular, names_are_large, names_are_small
from naturalness.english.rules.pattern import Sentence
from naturalness.text.view import view

Build = Callable[[str], Doc]


@pytest.mark.parametrize(
    "words, large, small",
    [
        ("He/PRP saw/VBD a/DT hose/NN", False, False),
        ("He/PRP saw/VBD Anna/NNP 's/POS hose/NN", True, False),
        ("Anna/NNP saw/VBD 3/CD ,/, I/PRP think/VBP hose/NN", False, False),
        ("he/PRP saw/VBD anna/NNP 's/POS hose/NN", False, True),
        ("Anna/NNP saw/VBD london/NNP Bridge/NNP hose/NN", False, False),
        ("Anna/NNP saw/VBD hose/NNP", False, False),
    ],
)
def test_names(build: Build, words: str, large: bool, small: bool) -> None:
    """Told by the words behind the first; the last one here, which is asked about, is left out."""
    rows = [word.split("/") for word in words.split()]
    doc = build("\n".join(f"{text} {text} X {tag} 0 dep" for text, tag in rows))
    sentence = Sentence(view(doc), 0, len(rows))
    assert names_are_large(sentence, len(rows) - 1) is large
    assert names_are_small(sentence, len(rows) - 1) is small


@pytest.mark.parametrize(
    "question, yes, no",
    [
        (is_plural, "dogs children ideas parties", "news bus physics years boss dog people"),
        (is_singular, "dog idea teacher", "dogs people team sheep a n't"),
    ],
)
def test_number_by_form(question: Callable[[str], bool], yes: str, no: str) -> None:
    """Each question has the answers that a reader would give."""
    assert [word for word in yes.split() if not question(word)] == []
    assert [word for word in no.split() if question(word)] == []
