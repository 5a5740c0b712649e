"""Forms of lemmas: regular by rule, irregular by table."""

from __future__ import annotations

import pytest

from naturalness.english.inflection import DISTINCT_VERBS, IRREGULAR_VERBS, inflect

FORMS = """go VBD went
be VBZ is
stop VBG stopping
try VBZ tries
visit VBD visited
make VBG making
die VBG dying
see VBG seeing
box NNS boxes
child NNS children
city NNS cities
day NNS days
play VBD played
begin VBG beginning
good JJR better
walk VB walk
fix VBD fixed
panic VBG panicking
species NNS species
hero NNS heroes
leaf NNS leaves
quit VBG quitting
look VBG looking"""


@pytest.mark.parametrize("row", FORMS.splitlines())
def test_inflection(row: str) -> None:
    """Regular forms follow spelling rules, irregular ones the table."""
    lemma, tag, form = row.split()
    assert inflect(lemma, tag) == form


def test_irregular_verbs_have_past_and_participle() -> None:
    """Forms consist of letters, and distinct verbs are among all irregular ones."""
    assert IRREGULAR_VERBS["go"] == ("went", "gone")
    assert IRREGULAR_VERBS["build"] == ("built", "built")
    assert IRREGULAR_VERBS.keys() > DISTINCT_VERBS.keys()
    assert all(word.isalpha() for base, forms in IRREGULAR_VERBS.items() for word in (base, *forms))
