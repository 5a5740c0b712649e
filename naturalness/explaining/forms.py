"""Find other forms of a word. Since its tag may be wrong, it is inflected as every verb and noun that it could be."""

from __future__ import annotations

from functools import lru_cache

from naturalness.english.inflection import DISTINCT_VERBS, IRREGULAR_VERBS, inflect, load_forms
from naturalness.english.rules.verbs import base_of, participle_of
from naturalness.english.wordlist import load_wordlist

VERB_TAGS = ("VB", "VBZ", "VBD", "VBN", "VBG")
KNOWN = 2.0
"""The smallest Zipf frequency at which a form counts as a word."""
MAX_RARER = 1.5
"""The largest amount by which the Zipf frequency of a singular may be below the Zipf frequency of its plural."""
_PASTS = {base: past for base, (past, _) in IRREGULAR_VERBS.items()}
_PARTICIPLES = {base: forms[1] for base, forms in IRREGULAR_VERBS.items() if base not in DISTINCT_VERBS}
"""The participles of irregular verbs that have ambiguous forms; for other verbs, see `participle_of`."""


@lru_cache(maxsize=4096)
def verb_forms(base: str, sure: bool = False) -> tuple[str, ...]:
    """Return all forms of a verb in lower case; an empty tuple if the verb is unknown.

    ``sure`` says that the word is known to be a verb; all of its known forms are then returned, however rare they are.
    """
    if base == "be":
        return ("be", "am", "is", "are", "was", "were", "been", "being")
    known = load_wordlist()
    forms = (
        base,
        inflect(base, "VBZ"),
        _PASTS.get(base) or inflect(base, "VBD"),
        _PARTICIPLES.get(base) or participle_of(base),
        inflect(base, "VBG"),
    )
    if sure and base.isalpha():
        return tuple(dict.fromkeys(form for form in forms if form in known))
    # If the base is a noun or an adjective, some of its verb forms are not words, such as *hotelling*.
    if not base.isalpha() or any(known.lookup(form) < KNOWN for form in forms):
        return ()
    return tuple(dict.fromkeys(forms))


@lru_cache(maxsize=4096)
def noun_forms(base: str) -> tuple[str, ...]:
    """Return the singular and plural of a noun in lower case; an empty tuple if it has no plural."""
    plural = inflect(base, "NNS")
    known = load_wordlist()
    rarer, other = known.lookup(base), known.lookup(plural)
    # A form far rarer than its plural is not a singular: *goe*, *specie*.
    if not base.isalpha() or plural == base or min(rarer, other) < KNOWN or rarer < other - MAX_RARER:
        return ()
    return (base, plural)


def other_forms(word: str, lemma: str, *, verb: bool, noun: bool = True) -> tuple[str, ...]:
    """Return other forms of a word in lower case, by inflecting its lemma and other lemmas that its spelling suggests.

    ``verb`` says that the word is tagged as a verb with this lemma, and ``noun`` that it may be a noun.
    """
    others: dict[str, None] = {}
    for base in dict.fromkeys((lemma, base_of(word), *_bases().get(word, ()))):
        forms = verb_forms(base, sure=verb and base == lemma)
        if word in forms or (verb and base == lemma):
            others.update(dict.fromkeys(forms))
    for base in dict.fromkeys((lemma, *_singulars(word))) if noun else ():
        forms = noun_forms(base)
        if word in forms:
            others.update(dict.fromkeys(forms))
    return tuple(form for form in others if form != word)


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
    """Return the possible singulars of a word, and the word itself."""
    cuts = (word, word[:-1], word[:-2], word[:-3] + "y", word[:-3] + "f", word[:-3] + "fe")
    singular = (cut for cut in cuts[1:] if len(cut) > 1 and inflect(cut, "NNS") == word)
    irregular = (base for base, form in load_forms().get("NNS", {}).items() if form == word)
    return tuple(dict.fromkeys((word, *singular, *irregular)))
