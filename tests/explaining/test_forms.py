"""Inflected forms of words whose part of speech is unknown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.explaining.forms import NOUN_TAGS, VERB_TAGS, inflected
from tests.support.lines import rows

FORMS = """
goes | VB | go
goes | VBD | went
went | VBN | gone
go | VBZ | goes
go | VBG | going
wore | VBN | worn
sought | VB | seek
carried | VBG | carrying
be | VBZ | is
has | VB | have
lay | VBD | laid
lain | VB | lie
found | VB | found
finding | VBD | found
finding | NNS | findings
cities | NN | city
knives | NN | knife
children | NN | child
men | NN | man
feet | NN | foot
bus | NNS | buses
buses | NN | bus
hotel | NNS | hotels
hotel | VBG | none
species | NN | none
zzz | NNS | none
zzz | VBZ | none
his | NN | none
as | NN | none
goes | NN | none
he | VBZ | none
don't | VB | none
"""


@pytest.mark.parametrize(("word", "tag", "form"), rows(FORMS))
def test_by_hand(word: str, tag: str, form: str) -> None:
    """Regular and irregular verbs and nouns have the listed forms, without unused forms and forms of other words."""
    assert (inflected(word, tag) or "none") == form


LEMMAS = [
    *(
        (word, VERB_TAGS)
        for word in ["walk", "carry", "stop", "write", "speak", "bring", "cut", "hope", "play", "teach"]
    ),
    *((word, NOUN_TAGS) for word in ["boat", "city", "knife", "box", "woman", "garden", "hero", "mouse"]),
]


@given(st.sampled_from(LEMMAS), st.data())
def test_every_form_leads_to_the_others(lemma: tuple[str, tuple[str, ...]], data: st.DataObject) -> None:
    """A verb or noun has the same forms, whichever form is inflected."""
    base, tags = lemma
    tag, other = data.draw(st.sampled_from(tags)), data.draw(st.sampled_from(tags))
    form = inflected(base, tag)
    assert form and inflected(form, other) == inflected(base, other)
