"""Inflected forms of words whose part of speech is unknown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.explaining.forms import NOUN_TAGS, VERB_TAGS, inflected

FORMS = {
    ("goes", "VB"): "go",
    ("goes", "VBD"): "went",
    ("went", "VBN"): "gone",
    ("go", "VBZ"): "goes",
    ("go", "VBG"): "going",
    ("wore", "VBN"): "worn",
    ("sought", "VB"): "seek",
    ("carried", "VBG"): "carrying",
    ("be", "VBZ"): "is",
    ("has", "VB"): "have",
    # A form of several verbs is that of the verb which it is the base of, if there is one.
    ("lay", "VBD"): "laid",
    ("lain", "VB"): "lie",
    ("found", "VB"): "found",
    # Forms of a noun and of a verb.
    ("finding", "VBD"): "found",
    ("finding", "NNS"): "findings",
    ("cities", "NN"): "city",
    ("knives", "NN"): "knife",
    ("children", "NN"): "child",
    ("men", "NN"): "man",
    ("feet", "NN"): "foot",
    ("bus", "NNS"): "buses",
    ("buses", "NN"): "bus",
    # A form that nobody writes is none.
    ("hotel", "NNS"): "hotels",
    ("hotel", "VBG"): None,
    ("species", "NN"): None,
    ("zzz", "NNS"): None,
    ("zzz", "VBZ"): None,
    # Short words that end like plurals, and words that are no verbs.
    ("his", "NN"): None,
    ("as", "NN"): None,
    ("goes", "NN"): None,
    ("he", "VBZ"): None,
    ("don't", "VB"): None,
}


@pytest.mark.parametrize(("word", "tag"), FORMS)
def test_by_hand(word: str, tag: str) -> None:
    """Regular and irregular verbs and nouns, without unused forms."""
    assert inflected(word, tag) == FORMS[word, tag]


VERBS = ("walk", "carry", "stop", "write", "speak", "bring", "cut", "hope", "play", "teach")
NOUNS = ("boat", "city", "knife", "box", "woman", "garden", "hero", "mouse")


@given(st.sampled_from(VERBS), st.sampled_from(VERB_TAGS), st.sampled_from(VERB_TAGS))
def test_every_form_of_a_verb_leads_to_the_others(base: str, tag: str, other: str) -> None:
    """The form from which a verb is inflected makes no difference."""
    form = inflected(base, tag)
    assert form and inflected(form, other) == inflected(base, other)


@given(st.sampled_from(NOUNS), st.sampled_from(NOUN_TAGS), st.sampled_from(NOUN_TAGS))
def test_every_form_of_a_noun_leads_to_the_other(base: str, tag: str, other: str) -> None:
    """Singular and plural are made from each other and from themselves."""
    form = inflected(base, tag)
    assert form and inflected(form, other) == inflected(base, other)
