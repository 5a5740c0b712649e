"""The rules group on a text with one error of each family, with values calculated by hand."""

from __future__ import annotations

import math

import pytest

from naturalness.english.rules import FAMILIES
from naturalness.features.rules import RuleFeatures
from tests.support.documents import DOCUMENTS, Build

ERRORS = """
    She      she     PRON  PRP 1 nsubj
    recieved receive VERB  VBD 1 root
    a        a       DET   DT  4 det
    apple    apple   NOUN  NN  4 compound
    apple    apple   NOUN  NN  1 obj
    from     from    ADP   IN  6 case
    they_    they    PRON  PRP 1 obl
    .        .       PUNCT .   1 punct

    They    they    PRON  PRP 10 nsubj
    was     be      AUX   VBD 10 cop
    goed    goed    VERB  VBN 10 root
    with    with    ADP   IN  13 case
    this    this    DET   DT  13 det
    books_  book    NOUN  NNS 10 obl
    .       .       PUNCT .   10 punct

    It      it      PRON  PRP 16 nsubj
    depends depend  VERB  VBZ 16 root
    of      of      ADP   IN  19 case
    the     the     DET   DT  19 det
    country country NOUN  NN  16 obl
    that    that    SCONJ IN  22 mark
    we      we      PRON  PRP 22 nsubj
    enjoy   enjoy   VERB  VBP 19 acl
    to      to      PART  TO  24 mark
    swim    swim    VERB  VB  22 xcomp
    more    more    ADV   RBR 26 advmod
    faster_ fast    ADV   RBR 24 advmod
    .       .       PUNCT .   16 punct

    Because because SCONJ IN  34 mark
    the     the     DET   DT  30 det
    weather weather NOUN  NN  34 nsubj
    was     be      AUX   VBD 34 cop
    much    much    ADV   RB  33 advmod
    too     too     ADV   RB  34 advmod
    cold    cold    ADJ   JJ  34 root
    for     for     ADP   IN  37 case
    a       a       DET   DT  37 det
    walk_   walk    NOUN  NN  34 obl
    .       .       PUNCT .   34 punct
"""
WORDS = 7 + 6 + 12 + 10
# Errors: recieved; a (an); apple apple; they (them); was (were); goed; this (these); depends of;
# to swim (swimming); more (faster). The lone clause is a hint.
VALUES = {
    "rules": {"any_match": 1, "n_matches": 11, "match_share": 11 / WORDS, "severity_share": (10 + 0.25) / WORDS}
    | {f"{family}_share": 1 / WORDS for family in FAMILIES}
}


def row(text: str, build: Build) -> dict[str, float]:
    """Return the values of a document by feature name."""
    group = RuleFeatures()
    values = group.extract([build(text)])[0]
    return dict(zip([feature.name for feature in group.features], values, strict=True))


def test_values_by_hand(build: Build) -> None:
    """Values are those of a text with one error of each family, one of which is a hint."""
    assert row(ERRORS, build) == pytest.approx(VALUES["rules"])


def test_a_sound_text_has_zeros(build: Build) -> None:
    """A sound text has zeros; a text without words is undefined."""
    assert set(row(DOCUMENTS["dogs"], build).values()) == {0.0}
    assert all(math.isnan(value) for value in row(DOCUMENTS["nothing"], build).values())
