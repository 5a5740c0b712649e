"""What is misspelt, what it should be, and what only looks misspelt."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.english.rules.slips import RARE, TYPOS, consonants, distance, misspelling
from naturalness.english.rules.spelling import TOGETHER
from naturalness.english.wordlist import load_wordlist

WORDS = st.text("abcde", max_size=6)


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


@given(WORDS, WORDS)
def test_distance_is_symmetric_and_bounded(a: str, b: str) -> None:
    """Never less than the difference in length, never more than the longer word."""
    edits = distance(a, b)
    assert edits == distance(b, a)
    assert abs(len(a) - len(b)) <= edits <= max(len(a), len(b))
    assert (edits == 0) == (a == b)


@given(WORDS, st.integers(0, 5))
def test_a_swap_is_one_edit(word: str, i: int) -> None:
    """Neighbours that changed places count once."""
    if i + 1 < len(word) and word[i] != word[i + 1]:
        swapped = word[:i] + word[i + 1] + word[i] + word[i + 2 :]
        assert distance(word, swapped) == 1


def test_distances_worked_out_by_hand() -> None:
    """Substitution, insertion, deletion and swap."""
    assert distance("prepared", "preaperd") == 2
    assert distance("kitten", "sitting") == 3
    assert distance("", "abc") == 3


def test_consonants_forget_vowels_and_doubles() -> None:
    """The first letter stays, whatever it is."""
    assert consonants("seperate") == consonants("separate") == "sprt"
    assert consonants("ammount") == consonants("amount") == "amnt"
