"""The speller: misspelt words, their corrections, and words that are left alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.english.derivation import RARE
from naturalness.english.rules.spelling import TOGETHER
from naturalness.english.speller import (
    N_LETTERS,
    TYPOS,
    Weights,
    letters_of,
    misspelling,
    odds,
    slip_costs,
    suggestions,
)
from naturalness.english.wordlist import load_wordlist

SLIPS = """
    recieve/receive, detailled/detailed, definitly/definitely, tought/thought, wich/which,
    accomodation/accommodation, recomend/recommend, beautifull/beautiful, becuase/because, tommorow/tomorrow,
    enviroment/environment, adress/address, independant/independent, comunication/communication, dont/don't,
    thats/that's, im/i'm, writter/writer, phisics/physics, nessesary/necessary, alot/a lot, infact/in fact,
    eachother/each other, ofthe/of the, writed/wrote, shelfs/shelves, blockchian/blockchain
"""


@pytest.mark.parametrize("pair", SLIPS.split(","))
def test_a_slip_is_corrected_first(pair: str) -> None:
    """Slips of letters, apostrophes, spaces, irregular forms and recent words have the right first suggestion."""
    wrong, right = pair.strip().split("/")
    assert suggestions(wrong)[0].word == right
    assert odds(wrong) > 0


CLEAR = """recieve/receive goverment/government tommorow/tomorrow definetly/definitely alwyas/always polution/pollution
    discraibe/describe teh/the trys/tries yonger/younger personaly/personally develope/develop inpt/input"""


def test_clear_misspellings() -> None:
    """A clear misspelling is corrected."""
    for wrong, right in (pair.split("/") for pair in CLEAR.split()):
        assert misspelling(wrong) == right


SOUND = """garden colour jewellery specialisation relabelled moonlike unwashed teacupful eyesore gardenless blockchain
    doomscrolling ransomware bumptious don't neighbour's kitchen-table b2b naïve naïveté xqzt qwrtpsdfgh ab x ' a_b"""
UNCLEAR = """deign brie uint ncurses pevent synthesise negativa lactation summarises vintners oesophageal"""


@pytest.mark.parametrize("word", ["", "a" * 500, "two words", *SOUND.split()])
def test_a_word_is_left_alone(word: str) -> None:
    """Known words, variants, derivations, recent and rare words, and strings that are no words are not corrected."""
    assert odds(word) <= 0
    assert misspelling(word) is None


@pytest.mark.parametrize("word", UNCLEAR.split())
def test_rare_words_and_names_are_not_clearly_misspelt(word: str) -> None:
    """British forms, rare words and names near a frequent word are left alone."""
    assert misspelling(word) is None


def test_the_tables_do_not_contradict_the_word_list() -> None:
    """Listed misspellings are rare, their corrections known, and words on the list of exceptions unknown."""
    words = load_wordlist()
    assert max(map(words.lookup, TYPOS)) < 3
    for right in (*TYPOS.values(), *TOGETHER.values()):
        assert all(part.lower() in words for part in right.split())
    assert not [word for word in RARE if word in words]
    assert not RARE & TYPOS.keys()


def test_suggestions_are_ordered_and_limited() -> None:
    """Suggestions are distinct, ordered by likelihood and limited in number."""
    found = suggestions("teh", 5)
    assert len(found) == 5
    assert found[0].word == "the"
    assert [each.likelihood for each in found] == sorted((each.likelihood for each in found), reverse=True)
    assert len({each.word for each in suggestions("garden", 100)} - {"garden"}) == 100


@given(st.text("abcdeiost'é-1 ", max_size=32))
def test_any_string_has_suggestions(text: str) -> None:
    """Any string has suggestions with finite likelihoods."""
    assert all(np.isfinite(each.likelihood) for each in suggestions(text, 3))
    assert isinstance(odds(text), float)


def test_costs_worked_out_by_hand() -> None:
    """Each typing error has its own cost, swapped letters are one error, and the cheapest alignment counts."""
    replaced, omitted, added = (cost * np.ones((N_LETTERS, N_LETTERS)) for cost in (5.0, 3.0, 2.0))
    np.fill_diagonal(replaced, 0)
    weights = Weights(replaced, omitted, added, np.array(1.0), np.array(1.0), np.zeros(5))
    meant = letters_of(["cat", "act", "cart", "at", "dog"])
    assert slip_costs(letters_of(["cat"])[0], meant, weights).tolist() == [0, 1, 3, 2, 15]


def test_accents_do_not_count() -> None:
    """A letter with an accent equals the letter without it."""
    np.testing.assert_array_equal(letters_of(["café"]), letters_of(["cafe"]))
