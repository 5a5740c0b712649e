"""The tables of phrases and prepositions: each phrase fires where it is complete, and suggests another one."""

from __future__ import annotations

import pytest
import spacy
from spacy.tokens import Doc

from naturalness.english.rules.pattern import Sentence
from naturalness.english.rules.prepositions import PHRASES, fixed_phrase, wrong_after_adjective, wrong_after_verb
from naturalness.text.view import view

VOCAB = spacy.blank("en").vocab
LINES = [line for lines in PHRASES.values() for line in lines]


def corrections(words: list[str]) -> list[tuple[int, int, str]]:
    """What the table of phrases finds in a sentence of these words."""
    seen = view(Doc(VOCAB, words=words))
    sentence = Sentence(seen, 0, len(words))
    return [(phrase.start, phrase.end, phrase.suggestions[0]) for phrase in fixed_phrase(sentence)]


@pytest.mark.parametrize("line", LINES, ids=lambda line: "-".join(line[0]))
def test_each_phrase_fires_where_it_is_complete(line: tuple[list[str], str, str]) -> None:
    """With a comma behind it, on its own words, in any case."""
    words, _, right = line
    assert corrections(["well", *words, ",", "yes"]) == [(1, 1 + len(words), right)]
    upper = corrections([words[0].capitalize(), *words[1:], ",", "yes"])
    assert upper == [(0, len(words), right[:1].upper() + right[1:])]
    assert right.split() != words


@pytest.mark.parametrize("line", LINES, ids=lambda line: "-".join(line[0]))
def test_a_phrase_that_must_end_does_not_fire_inside_a_longer_one(line: tuple[list[str], str, str]) -> None:
    """``in long term $`` needs an end, ``as result ,`` a comma; others need nothing."""
    words, mark, _ = line
    assert bool(corrections(["well", *words, "planning"])) == (mark == "")


def test_no_preposition_is_both_wrong_and_right() -> None:
    """Each entry names at least one wrong preposition, and none that it suggests."""
    for table in (wrong_after_verb.right, wrong_after_adjective.right):
        for wrong in table.values():
            assert wrong
            assert not wrong.keys() & set(wrong.values())
