"""The speller: what is misspelt, what it was meant to be, and what is left alone."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.english.speller import N_LETTERS, Weights, letters_of, misspelling, odds, slip_costs, suggestions


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("recieve", "receive"),
        ("detailled", "detailed"),
        ("definitly", "definitely"),
        ("tought", "thought"),
        ("wich", "which"),
        ("accomodation", "accommodation"),
        ("recomend", "recommend"),
        ("beautifull", "beautiful"),
        ("becuase", "because"),
        ("tommorow", "tomorrow"),
        ("enviroment", "environment"),
        ("adress", "address"),
        ("independant", "independent"),
        ("comunication", "communication"),
        ("dont", "don't"),
        ("thats", "that's"),
        ("im", "i'm"),
        ("writter", "writer"),
        ("phisics", "physics"),
        ("nessesary", "necessary"),
        ("alot", "a lot"),
        ("infact", "in fact"),
        ("eachother", "each other"),
        ("ofthe", "of the"),
        ("writed", "wrote"),
        ("shelfs", "shelves"),
        ("blockchian", "blockchain"),
    ],
)
def test_a_slip_is_corrected_first(wrong: str, right: str) -> None:
    """Letters too many, too few, wrong or swapped; apostrophes, spaces, irregular forms, recent words."""
    assert suggestions(wrong)[0].word == right
    assert odds(wrong) > 0


@pytest.mark.parametrize(("wrong", "right"), [("wnat", "want"), ("shure", "sure"), ("fll", "fill")])
def test_the_right_word_is_among_the_first_five(wrong: str, right: str) -> None:
    """Where several words are near, the context decides."""
    assert right in [suggestion.word for suggestion in suggestions(wrong, 5)]


@pytest.mark.parametrize(
    "word",
    [
        "garden",
        "colour",
        "specialisation",
        "unwashed",
        "moonlike",
        "gardenless",
        "blockchain",
        "doomscrolling",
        "ransomware",
        "bumptious",
        "don't",
        "neighbour's",
        "kitchen-table",
        "b2b",
        "naïveté",
        "xqzt",
        "qwrtpsdfgh",
        "x",
        "'",
        "",
        "a" * 500,
        "a_b",
        "two words",
    ],
)
def test_a_word_is_left_alone(word: str) -> None:
    """Known words, variants, derivations, recent and rare words, and strings that are no words."""
    assert odds(word) <= 0
    assert misspelling(word) is None


def test_suggestions_are_ordered_and_limited() -> None:
    """Likeliest first, no more than asked for, each once, never the word itself."""
    found = suggestions("teh", 5)
    assert len(found) == 5
    assert found[0].word == "the"
    assert [each.likelihood for each in found] == sorted((each.likelihood for each in found), reverse=True)
    assert len({each.word for each in suggestions("garden", 100)} - {"garden"}) == 100


def test_a_frequent_word_is_likelier_than_a_rare_one() -> None:
    """Likelihoods of different words can be compared: a certain correction has a higher one than a doubtful one."""
    assert suggestions("becuase")[0].likelihood > suggestions("zentremal")[0].likelihood


@given(st.text("abcdeiost'é-1 ", max_size=32))
def test_any_string_has_an_answer(text: str) -> None:
    """Nothing raises, and likelihoods are finite."""
    assert all(np.isfinite(each.likelihood) for each in suggestions(text, 3))
    assert isinstance(odds(text), float)


def test_costs_worked_out_by_hand() -> None:
    """Each slip has its own cost; swapped letters count once; the cheapest way counts."""
    replaced, omitted, added = (cost * np.ones((N_LETTERS, N_LETTERS)) for cost in (5.0, 3.0, 2.0))
    np.fill_diagonal(replaced, 0)
    weights = Weights(replaced, omitted, added, np.array(1.0), np.array(1.0), np.zeros(5))
    meant = letters_of(["cat", "act", "cart", "at", "dog"])
    assert slip_costs(letters_of(["cat"])[0], meant, weights).tolist() == [0, 1, 3, 2, 15]


def test_accents_do_not_count() -> None:
    """A letter with an accent is the same letter."""
    np.testing.assert_array_equal(letters_of(["café"]), letters_of(["cafe"]))


@pytest.mark.slow
def test_first_use_and_later_ones_are_quick() -> None:
    """A fresh process corrects its first word within 0.6 s, and 500 more in 3 ms each at most."""
    code = (
        "import time; from naturalness.english import speller; start = time.process_time();"
        "speller.suggestions('recieve'); first = time.process_time() - start; start = time.process_time();"
        "[speller.suggestions(f'recie{a}e{b}{c}') for a in 'abcdefgh' for b in 'stuvwxyz' for c in 'abcdefgh'];"
        "print(first, (time.process_time() - start) / 512)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    first, later = map(float, done.stdout.split())
    assert first < 0.6
    assert later < 0.003
