"""Inflected forms of words, and tables of function words."""

from __future__ import annotations

import pytest

from naturalness.explaining.forms import other_forms
from naturalness.explaining.small_words import EXCHANGES, INSERTED, SMALL

FORMS = {
    ("goes", "go"): {"go", "went", "gone", "going"},
    ("wore", "wear"): {"wear", "wears", "worn", "wearing"},
    # Whatever the tagger calls it.
    ("finding", "finding"): {"find", "finds", "found", "findings"},
    ("sought", "sought"): {"seek", "seeks", "seeking"},
    # Of two verbs.
    ("lay", "lay"): {"lays", "laid", "laying", "lie", "lies", "lain", "lying"},
    ("cities", "city"): {"city"},
    ("knives", "knife"): {"knife"},
    ("hotel", "hotel"): {"hotels"},
    ("thing", "thing"): {"things"},
    ("bus", "bus"): {"buses"},
    ("species", "species"): set(),
    ("zzz", "zzz"): set(),
}


@pytest.mark.parametrize(("word", "lemma"), FORMS)
def test_by_hand(word: str, lemma: str) -> None:
    """Regular and irregular verbs and nouns, without unused forms."""
    assert set(other_forms(word, lemma, verb=False)) == FORMS[word, lemma]


def test_a_verb_has_its_forms_however_rare() -> None:
    """Rare verbs are inflected if the tagger is sure; forms of nouns can be excluded."""
    assert {"carry", "carries", "carrying"} <= set(other_forms("carried", "carry", verb=True))
    assert "olds" in other_forms("old", "old", verb=False)
    assert "olds" not in other_forms("old", "old", verb=False, noun=False)


def test_small_words() -> None:
    """Inserted and exchanged words are function words; exchanges are mutual and change the word."""
    assert {word.lower() for word in INSERTED} <= SMALL
    assert {"the", "to", "he", "has", "because", "who"} <= SMALL
    assert not {"not", "never", "no", "time", "go"} & SMALL
    for word, others in EXCHANGES.items():
        assert others and {other.lower() for other in others} <= SMALL - {word}
        assert all(word in {w.lower() for w in EXCHANGES[other.lower()]} for other in others)
    assert {"an", "the"} <= set(EXCHANGES["a"]) and "him" in EXCHANGES["he"]
