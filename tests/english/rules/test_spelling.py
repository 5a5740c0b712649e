"""What is misspelt, what it should be, and what only looks misspelt."""

from __future__ import annotations

import pytest

from naturalness.english.derivation import RARE
from naturalness.english.rules.spelling import TOGETHER
from naturalness.english.speller import TYPOS, misspelling
from naturalness.english.wordlist import load_wordlist


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("recieve", "receive"),
        ("goverment", "government"),
        ("tommorow", "tomorrow"),
        ("definetly", "definitely"),
        ("alwyas", "always"),
        ("polution", "pollution"),
        ("discraibe", "describe"),
        ("teh", "the"),
        ("trys", "tries"),
        ("yonger", "younger"),
        ("personaly", "personally"),
        ("develope", "develop"),
        ("inpt", "input"),
    ],
)
def test_a_slip_is_mended(wrong: str, right: str) -> None:
    """One letter too many, too few, wrong or out of place; the same consonants; the table."""
    assert misspelling(wrong) == right


@pytest.mark.parametrize(
    "word",
    [
        "garden",
        "colour",
        "jewellery",
        "specialisation",
        "relabelled",
        "moonlike",
        "unwashed",
        "teacupful",
        "eyesore",
        "deign",
        "brie",
        "uint",
        "ncurses",
        "pevent",
        "synthesise",
        "negativa",
        "lactation",
        "summarises",
        "vintners",
        "oesophageal",
        "xqzt",
        "ab",
        "",
        "a" * 500,
        "naïve",
        "b2b",
    ],
)
def test_a_word_is_left_alone(word: str) -> None:
    """Known words, British forms, derivations, compounds, rare words, and what is no slip."""
    assert misspelling(word) is None


def test_the_tables_do_not_contradict_the_word_list() -> None:
    """What is called wrong is rare, what it should be is known, what is spared is unknown."""
    words = load_wordlist()
    assert max(map(words.lookup, TYPOS)) < 3
    for right in (*TYPOS.values(), *TOGETHER.values()):
        assert all(part.lower() in words for part in right.split())
    assert not [word for word in RARE if word in words]
    assert not RARE & TYPOS.keys()
