"""Every column has a cause, and so has every edit."""

from __future__ import annotations

from typing import get_args

import pytest

from naturalness.explaining.causes import FAULTS, KINDS, PREFIXES, TITLES, cause_of, cause_title, fault_of
from naturalness.explaining.rewriting import Kind
from naturalness.features import EVERY
from naturalness.features.base import column_prefix
from naturalness.features.named import KINDS as NAMED_GROUPS
from tests.support.lines import rows


def test_every_group_of_the_package_has_causes() -> None:
    """Groups have causes in their tables or, if created from names, in `PREFIXES`; every cause has columns."""
    causes = {feature.cause for group in EVERY.values() for feature in group.features}
    prefixes = {f"{column_prefix(start + 'x').removesuffix('x')}" for start in NAMED_GROUPS}
    assert PREFIXES.keys() == {*prefixes, "lm_tags"}  # the language model of an adapted model
    assert {*causes, *PREFIXES.values(), *KINDS.values()} == TITLES.keys()


@pytest.mark.parametrize(
    ("column", "cause"),
    [
        ("surface__n_characters", "length"),
        ("rules__verb_forms_share", "verbs"),
        ("damage__verb_share", "verbs"),
        ("undefined(damage__verb_share)", "verbs"),
        ("lexical__mattr", "extra"),
        ("undefined(lexical__mattr)", "length"),
        ("lm_harbour__slor", "wording"),
        ("hedging__share", "group hedging"),
    ],
)
def test_causes_of_columns(column: str, cause: str) -> None:
    """Columns of each kind have the expected cause, and causes have titles.

    Variety is undefined for short texts, so the cause of a mark for its absence is the length.
    """
    assert cause_of(column) == cause
    assert cause_title(cause) == TITLES.get(cause, cause)


EDITS = """
delete | very |  | extra
insert |  | dog | missing
replace | big | tall | wrong
swap | sold the | the sold | order
suffix | slow | slowly | form
join | some one | someone | spelling
spelling | recieved | received | spelling
case | london | London | spelling
punctuation |  | , | spelling
inflect | go | goes | agreement
inflect | boats | boat | agreement
inflect | go | went | verb
inflect |  | VBZ | agreement
inflect |  | VBD | verb
inflect |  | NNS | noun
insert |  | the  | article
delete | the |  | article
replace | A | the | article
replace | on | in | preposition
replace | he | him | pronoun
replace | was | were | agreement
replace | a | in | wrong
insert |  | to  | missing
delete | of |  | extra
rule |  | the | article
rule |  | dog | missing
rule | very |  | extra
rule | big | tall | wrong
rule | he | him | pronoun
"""


@pytest.mark.parametrize(("kind", "before", "after", "fault"), rows(EDITS))
def test_faults_of_edits(kind: str, before: str, after: str, fault: str) -> None:
    """The kind of error that an edit mends follows from its words, otherwise from its kind."""
    assert fault_of(kind, before, after) == fault


def test_every_fault_is_a_kind_of_finding() -> None:
    """Each fault has a cause, and every kind of edit has a fault."""
    assert {*FAULTS["kinds"].values(), *FAULTS["inflect"].values(), *FAULTS["words"]} <= KINDS.keys()
    assert {*get_args(Kind)} == FAULTS["kinds"].keys() | {"rule"}
