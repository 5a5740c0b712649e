"""Inflect words whose part of speech is unknown: every base form that the spelling allows is tried."""

from __future__ import annotations

from functools import lru_cache

from naturalness.english.inflection import DISTINCT_VERBS, IRREGULAR_VERBS, PLURALS, inflect, load_forms
from naturalness.english.rules.verbs import base_of, participle_of
from naturalness.english.wordlist import REMEMBERED, load_wordlist

VERB_TAGS = ("VB", "VBZ", "VBD", "VBN", "VBG")
NOUN_TAGS = ("NN", "NNS")
KNOWN = 2.0
"""The smallest Zipf frequency at which a form counts as a word."""
MAX_RARER = 1.5
"""The largest amount by which the Zipf frequency of a singular may be below the Zipf frequency of its plural."""
MIN_NOUN = 3
"""The smallest number of letters of a noun: *as* and *his* are no plurals."""
_PASTS = {base: past for base, (past, _) in IRREGULAR_VERBS.items()}
_PARTICIPLES = {base: forms[1] for base, forms in IRREGULAR_VERBS.items() if base not in DISTINCT_VERBS}
"""The participles of irregular verbs that have ambiguous forms; for other verbs, see `participle_of`."""


@lru_cache(maxsize=REMEMBERED)
def inflected(word: str, tag: str) -> str | None:
    """Return the form of a lower-case word that a tag (`VERB_TAGS`, `NOUN_TAGS`) names; None if there is none.

    A word that belongs to several verbs is inflected as the likeliest: its own base form first.
    """
    verbal = tag in VERB_TAGS
    bases = (word, base_of(word), *_bases().get(word, ())) if verbal else _singulars(word)
    for base in dict.fromkeys(bases):
        forms = _verb_forms(base) if verbal else _noun_forms(base)
        if word in forms:
            return forms[(VERB_TAGS if verbal else NOUN_TAGS).index(tag)]
    return None


@lru_cache(maxsize=REMEMBERED)
def _verb_forms(base: str) -> tuple[str, ...]:
    """Return the forms of a verb in the order of `VERB_TAGS`; an empty tuple if the verb is unknown."""
    forms = (
        base,
        inflect(base, "VBZ"),
        _PASTS.get(base) or inflect(base, "VBD"),
        _PARTICIPLES.get(base) or participle_of(base),
        inflect(base, "VBG"),
    )
    # If the base is a noun or an adjective, some of its verb forms are not words, such as *hotelling*.
    return forms if base.isalpha() and all(load_wordlist().lookup(form) >= KNOWN for form in forms) else ()


@lru_cache(maxsize=REMEMBERED)
def _noun_forms(base: str) -> tuple[str, ...]:
    """Return the singular and plural of a noun; an empty tuple if it has no plural."""
    plural, known = inflect(base, "NNS"), load_wordlist()
    rarer, other = known.lookup(base), known.lookup(plural)
    # A form far rarer than its plural is not a singular: *goe*, *specie*.
    rare = min(rarer, other) < KNOWN or rarer < other - MAX_RARER
    return () if not base.isalpha() or len(base) < MIN_NOUN or plural == base or rare else (base, plural)


@lru_cache(maxsize=1)
def _bases() -> dict[str, tuple[str, ...]]:
    """Return the base verbs of each irregular form; a form may belong to several verbs (*lay*, *found*)."""
    bases: dict[str, tuple[str, ...]] = {}
    tables = [load_forms().get(tag, {}) for tag in VERB_TAGS] + [_PASTS, _PARTICIPLES]
    for table in tables:
        for base, form in table.items():
            bases[form] = (*bases.get(form, ()), base)
    return bases


def _singulars(word: str) -> tuple[str, ...]:
    """Return the possible singulars of a word, and the word itself; an irregular plural is no singular (*men*)."""
    cuts = (word, word[:-1], word[:-2], word[:-3] + "y", word[:-3] + "f", word[:-3] + "fe")
    singular = (cut for cut in cuts[1:] if len(cut) > 1 and inflect(cut, "NNS") == word)
    irregular = (base for base, form in {**load_forms().get("NNS", {}), **PLURALS}.items() if form == word)
    return tuple(dict.fromkeys((*irregular, word, *singular)))
