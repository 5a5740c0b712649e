"""English inflection: the form of a lemma for a Penn tag, by spelling rules and tables of exceptions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache

from naturalness.files.resources import locate
from naturalness.files.toml import read_beside
from naturalness.text.view import word_set

VOWELS = "aeiou"
_TABLES = read_beside(__file__)
STRESSED = tuple(_TABLES["stressed"].split())
INVARIANT = word_set(_TABLES["invariant"])
PLURALS: Mapping[str, str] = _TABLES["plurals"]
BE: Mapping[str, str] = _TABLES["be"]


def _verbs(table: str) -> dict[str, tuple[str, str]]:
    rows = [row.split() for row in table.split("|")]
    return {row[0]: (row[1], row[-1]) for row in rows}


DISTINCT_VERBS = _verbs(_TABLES["distinct"])
"""Past tense and participle, keyed by lemma, of irregular verbs whose forms cannot be forms of other words."""
IRREGULAR_VERBS = DISTINCT_VERBS | _verbs(_TABLES["ambiguous"])
"""Past tense and participle, keyed by lemma, of all irregular verbs, including those with ambiguous forms."""


@lru_cache(maxsize=1)
def load_forms() -> Mapping[str, Mapping[str, str]]:
    """Return the irregular forms, keyed by tag and lemma."""
    table: Mapping[str, Mapping[str, str]] = json.loads(locate("forms").read_text(encoding="utf-8"))
    return table


def inflect(lemma: str, tag: str) -> str:
    """Return the form of a lemma for a Penn tag, in lower case: ``inflect("go", "VBD")`` is ``went``."""
    lemma = lemma.lower()
    if lemma == "be" and tag in BE:
        return BE[tag]
    return load_forms().get(tag, {}).get(lemma) or inflect_regular(lemma, tag)


def inflect_regular(lemma: str, tag: str) -> str:
    """Return the form of a lemma for a Penn tag by spelling rules, without the table of irregular forms."""
    match tag:
        case "NNS":
            return lemma if lemma in INVARIANT else PLURALS.get(lemma) or _with_s(lemma)
        case "VBZ":
            return _with_s(lemma)
        case "VBD" | "VBN":
            return _with_vowel(lemma, "ed")
        case "VBG":
            stem = lemma[:-2] + "y" if lemma.endswith("ie") else lemma
            return stem + "ing" if stem.endswith(("ee", "oe", "ye")) else _with_vowel(stem, "ing")
        case "JJR" | "RBR":
            return _with_vowel(lemma, "er")
        case "JJS" | "RBS":
            return _with_vowel(lemma, "est")
        case _:
            return lemma


def _with_s(lemma: str) -> str:
    if lemma.endswith(("s", "x", "z", "ch", "sh")):
        return lemma + "es"
    if lemma.endswith("y") and lemma[-2:-1] not in VOWELS:
        return lemma[:-1] + "ies"
    return lemma + "s"


def _with_vowel(lemma: str, ending: str) -> str:
    if lemma.endswith("e"):
        return lemma[:-1] + ending
    if lemma.endswith("y") and lemma[-2:-1] not in VOWELS:
        return lemma + ending if ending == "ing" else lemma[:-1] + "i" + ending
    if lemma.endswith("ic") and not ending.endswith("st") and ending != "er":
        return lemma + "k" + ending
    if _doubles(lemma):
        return lemma + lemma[-1] + ending
    return lemma + ending


def _doubles(lemma: str) -> bool:
    """Return whether the last consonant is doubled before an ending: stop, plan, begin; not visit, play, look."""
    if len(lemma) < 3 or lemma[-1] in VOWELS + "wxyh":
        return False
    if lemma[-2] not in VOWELS or (lemma[-3] in VOWELS and lemma[-3:-1] != "ui"):
        return False
    vowel_groups = sum(c in VOWELS and (i == 0 or lemma[i - 1] not in VOWELS) for i, c in enumerate(lemma))
    return vowel_groups == 1 or lemma.endswith(STRESSED)
