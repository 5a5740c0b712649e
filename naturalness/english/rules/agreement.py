"""Functions for the rules in `agreement.toml`, on the agreement of subjects and verbs.

Parsers tend to repair errors, so subjects are recognised by words and positions as well as by arcs. Most rules require
a subject that opens its clause and a verb right after it.
"""

from __future__ import annotations

from naturalness.english.lists import word_list
from naturalness.english.rules.nouns import COUNT, is_plural, names_are_small, opens_clause, phrase_start
from naturalness.english.rules.pattern import Binding, RuleSentence
from naturalness.english.rules.verbs import is_verb
from naturalness.english.wordlist import load_wordlist

BE_HAVE_DO = ("are", "have", "do")
OBJECTS = frozenset(("DT", "PRP", "PRP$", "RB", "TO"))
"""Tags of words that follow a verb more often than a noun."""
SEVERAL = word_list("several", "agreement")


def clause_subject(s: RuleSentence, b: Binding) -> bool:
    """Return whether the subject's phrase opens a clause, is not a name and contains no word that implies a plural."""
    subject = b["subject"]
    first = phrase_start(s, subject)
    several = any(s.tags[i] == "CD" or s.lower[i] in SEVERAL for i in range(first, subject))
    named = subject > s.start and not s.texts[subject].islower()
    return not several and not named and opens_clause(s, first)


def determined_subject(s: RuleSentence, b: Binding) -> bool:
    """Return whether `clause_subject` holds, and the subject has a determiner unless it is certainly no name.

    Without one, *city* in a text that writes names in lower case may be the name of a team, and the verb may be a noun:
    *JSON support files*, *Update define guards*.
    """
    subject, verb = b["subject"], b["verb"]
    first = phrase_start(s, subject)
    if {"DT", "PRP$"}.isdisjoint(s.tags[first:subject]):
        verbal = s.lower[verb] in BE_HAVE_DO or OBJECTS.intersection(s.tags[verb + 1 : verb + 2])
        prose = s.texts[s.start].istitle() and s.texts[verb].islower() and not is_verb(s.lower[first])
        if names_are_small(s, subject) or not (verbal or prose):
            return False
    return clause_subject(s, b)


def plural_subject(s: RuleSentence, b: Binding) -> bool:
    """Return whether a phrase with a known plural noun opens a clause, possibly after *and*."""
    first = phrase_start(s, b["subject"])
    if s.lower[b["subject"]] not in load_wordlist() or _may_be_title(s, b, first):
        return False
    odd = any(tag in ("CD", "VBG", "NNP", "POS", "HYPH") for tag in s.tags[first : b["subject"]])
    odd |= not {"each", "every", "one"}.isdisjoint(s.lower[first : b["subject"]])
    text = s.texts[b["subject"]]
    named = text.isupper() if b["subject"] == s.start else not text.islower()
    named |= s.texts[b["verb"]].istitle()
    return not odd and not named and opens_clause(s, first, coordinated=True)


def _may_be_title(s: RuleSentence, b: Binding, first: int) -> bool:
    """Return whether a plural noun that has no determiner may be a name: *Flowers was*, *Requests sends*."""
    bare = first == b["subject"] == s.start and s.lemmas[first] not in COUNT
    return bare and s.lower[first][-1] == "s"


def clause_pronoun(s: RuleSentence, b: Binding) -> bool:
    """Return whether the subject opens a clause, possibly after *and*, and the verb is not a name."""
    subject, verb = b["subject"], b["verb"]
    coordinated = s.deps[verb] == "conj" and s.heads[subject] == verb
    word = s.texts[verb]
    opens = opens_clause(s, subject, coordinated=coordinated)
    return opens and not word.istitle() and is_verb(word.lower())


def pronoun_subject(s: RuleSentence, b: Binding) -> bool:
    """Return whether the subject opens a clause and the verb is not a name."""
    return opens_clause(s, b["subject"]) and not s.texts[b["verb"]].istitle()


def several_people(s: RuleSentence, b: Binding) -> bool:
    """Return whether the noun is plural."""
    return s.lower[b["noun"]] in ("people", "men") or is_plural(s.lower[b["noun"]])
