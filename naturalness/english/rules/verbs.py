"""Recognise verb forms by their spelling. Tags cannot be trusted here, because taggers repair errors in a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from naturalness.english.inflection import DISTINCT_VERBS, IRREGULAR_VERBS, inflect, inflect_regular
from naturalness.english.lists import SHARED, table, word_list
from naturalness.english.wordlist import REMEMBERED, adds_s, load_wordlist

_PASTS_ALONE = {base: forms for base, forms in DISTINCT_VERBS.items() if forms[0] != forms[1]}
PAST_ONLY = {past: base for base, (past, _) in _PASTS_ALONE.items()}
"""Base forms of verbs, keyed by past forms that are not also participles."""
PARTICIPLE = dict(_PASTS_ALONE.values())
"""Participles, keyed by the past forms in `PAST_ONLY`."""
PARTICIPLE_ONLY = {
    **{participle: base for base, (_, participle) in _PASTS_ALONE.items() if participle != base},
    **{IRREGULAR_VERBS[base][1]: base for base in ("see", "fall", "break", "hide", "show")},
}
PAST = {past: base for base, (past, _) in DISTINCT_VERBS.items()}
"""Base forms of verbs, keyed by their irregular past forms."""

UNCHANGED = word_list("unchanged")
"""Base forms that may also be past forms or other words."""

REGULAR_TOO = word_list("regular_too")
"""Irregular verbs that also have a regular past form, in another sense or as a form of another verb."""
WRONG_PAST = {
    **{inflect_regular(base, "VBD"): past for base, (past, _) in DISTINCT_VERBS.items() if base not in REGULAR_TOO},
    **{inflect_regular(base, "VBD"): base for base in word_list("same_past") - REGULAR_TOO},
    **table("odd_pasts", SHARED),
}
"""Correct past forms, keyed by wrong ones such as *goed*."""
TABLES: Mapping[str, Mapping[str, str]] = {
    "past": PAST,
    "past_only": PAST_ONLY,
    "participle": PARTICIPLE,
    "wrong_past": WRONG_PAST,
}
"""Tables computed from the forms of irregular verbs, keyed by the names that rules use for them."""

NOUNS_IN_ING = word_list("nouns_in_ing")

NOT_THIRD = word_list("not_third")
NOT_PAST = word_list("not_past")


@lru_cache(maxsize=REMEMBERED)
def is_past(word: str) -> bool:
    """Return whether a word can only be a past form or a participle: *went*, *made*, *wanted*."""
    if word in PAST or word in PARTICIPLE_ONLY:
        return True
    regular = len(word) > 4 and word.endswith("ed") and word not in NOT_PAST
    return regular and (not word.endswith("eed") or word.endswith(("agreed", "anteed", "decreed", "freed")))


@lru_cache(maxsize=REMEMBERED)
def is_third_person(word: str) -> bool:
    """Return whether a word may be a third-person verb: it ends in a single -s, and this -s is an inflection."""
    return word in ("has", "does", "is", "was") or adds_s(word, NOT_THIRD)


@lru_cache(maxsize=REMEMBERED)
def is_inflected(word: str) -> bool:
    """Return whether a word cannot be a bare verb: *goes*, *went*, *wanted*."""
    return is_past(word) or is_third_person(word)


@lru_cache(maxsize=REMEMBERED)
def is_present_base(word: str) -> bool:
    """Return whether a word may be a present form and cannot be a past form: *go*, *want*; not *put*, *went*."""
    if word in UNCHANGED or word == "dose" or not word.isalpha() or word.endswith("is"):
        return False
    return not is_past(word) and not word.endswith("ing")


@lru_cache(maxsize=REMEMBERED)
def is_verb(word: str) -> bool:
    """Return whether a word may be a bare verb: it is unknown or has a known -ing form; not *belief*, *hotel*."""
    known = load_wordlist()
    return word not in known or inflect(word, "VBG") in known


def is_verb_form(word: str) -> bool:
    """Return whether a word may be a verb in any form: *triggers*; not *students*."""
    return is_verb(base_of(word))


@lru_cache(maxsize=REMEMBERED)
def is_gerund(word: str) -> bool:
    """Return whether a word looks like a gerund: *watching*; not *king*, *thing*."""
    return len(word) > 5 and word.endswith("ing") and word not in NOUNS_IN_ING


@lru_cache(maxsize=REMEMBERED)
def base_of(word: str) -> str:
    """Return the base form of a verb form, ignoring the tagger's lemma, which may be the inflected form itself."""
    irregular = PAST.get(word) or PARTICIPLE_ONLY.get(word)
    if irregular or word in ("has", "does", "goes", "is", "was", "being"):
        return irregular or {"has": "have", "does": "do", "goes": "go"}.get(word, "be")
    cuts = (word[:-1], word[:-2], word[:-3], word[:-3] + "y", word[:-3] + "e", word[:-4])
    tag = "VBG" if word.endswith("ing") else "VBZ" if word.endswith("s") else "VBD"
    verbs = [cut for cut in cuts if len(cut) > 1 and inflect_regular(cut, tag) == word]
    likeliest = max(verbs, key=load_wordlist().lookup, default=word)
    return PAST.get(likeliest, likeliest)


def participle_of(base: str) -> str:
    """Return the participle of a verb. The table of irregular verbs comes first, since the shipped forms lack some."""
    return DISTINCT_VERBS[base][1] if base in DISTINCT_VERBS else inflect(base, "VBN")
