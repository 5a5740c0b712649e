"""The other forms of a word: of the verbs and nouns that it may be, whatever the tagger says."""

from __future__ import annotations

from functools import lru_cache

from naturalness.english.inflection import DISTINCT_VERBS, IRREGULAR_VERBS, inflect, load_forms
from naturalness.english.rules.verbs import base_of, participle_of
from naturalness.english.wordlist import load_wordlist

VERB_TAGS = ("VB", "VBZ", "VBD", "VBN", "VBG")
KNOWN = 2.0
"""Zipf value from which a form is taken for a word."""
FAR = 1.5
"""How much rarer (Zipf) than its plural a singular may be."""
_PASTS = {base: past for base, (past, _) in IRREGULAR_VERBS.items()}
_PARTICIPLES = {base: forms[1] for base, forms in IRREGULAR_VERBS.items() if base not in DISTINCT_VERBS}
"""Of verbs some of whose forms are other words too; for the others, see `participle_of`."""


@lru_cache(maxsize=4096)
def verb_forms(base: str, sure: bool = False) -> tuple[str, ...]:
    """All forms of a verb, in lower case; none where it is no verb that is known.

    ``sure`` says that it is one: then its known forms are given, however rare.
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
    # Nouns and adjectives have no such forms: *hotelling* is no word.
    if not base.isalpha() or any(known.lookup(form) < KNOWN for form in forms):
        return ()
    return tuple(dict.fromkeys(forms))


@lru_cache(maxsize=4096)
def noun_forms(base: str) -> tuple[str, ...]:
    """Singular and plural of a noun, in lower case; none where there is no plural."""
    plural = inflect(base, "NNS")
    known = load_wordlist()
    rarer, other = known.lookup(base), known.lookup(plural)
    # A singular far rarer than its plural is none: *goe*, *specie*.
    if not base.isalpha() or plural == base or min(rarer, other) < KNOWN or rarer < other - FAR:
        return ()
    return (base, plural)


def other_forms(word: str, lemma: str, *, verb: bool, noun: bool = True) -> tuple[str, ...]:
    """Other forms of a word in lower case, of the lemma that is given and of those that its
    spelling tells; ``verb``: it is tagged as a verb of that lemma, ``noun``: it may be a noun."""
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
    """Irregular forms with their verbs: a form may be of several (*lay*, *found*)."""
    bases: dict[str, tuple[str, ...]] = {}
    tables = [load_forms().get(tag, {}) for tag in VERB_TAGS] + [_PASTS, _PARTICIPLES]
    for table in tables:
        for base, form in table.items():
            bases[form] = (*bases.get(form, ()), base)
    return bases


def _singulars(word: str) -> tuple[str, ...]:
    """What a word may be the plural of, itself among them."""
    cuts = (word, word[:-1], word[:-2], word[:-3] + "y", word[:-3] + "f", word[:-3] + "fe")
    singular = (cut for cut in cuts[1:] if len(cut) > 1 and inflect(cut, "NNS") == word)
    irregular = (base for base, form in load_forms().get("NNS", {}).items() if form == word)
    return tuple(dict.fromkeys((word, *singular, *irregular)))
