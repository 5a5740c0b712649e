"""Functions for the rules in `fragments.toml`: sentences without a verb, a form of *be*, a subject or a main clause."""

from __future__ import annotations

from naturalness.english.lists import word_list
from naturalness.english.rules.nouns import opens_clause
from naturalness.english.rules.pattern import Binding, Sentence
from naturalness.text.view import word_set

FINITE = word_set("VBZ VBP VBD MD")
CLAUSE_OPENERS = word_list("clause_openers", "fragments")


def at_start(s: Sentence, b: Binding) -> bool:
    """Return whether the pattern opens a sentence that ends in a full stop or an exclamation mark."""
    return b["first"] == s.start and s.texts[s.end - 1] in (".", "!")


def starts(s: Sentence, b: Binding) -> bool:
    """Return whether the pattern opens the sentence or follows a comma or conjunction."""
    return b["first"] == s.start or s.lower[b["first"] - 1] in CLAUSE_OPENERS


def opens_sentence(s: Sentence, b: Binding) -> bool:
    """Return whether the pattern opens the sentence or its second half."""
    return b["first"] == s.start or s.lower[b["first"] - 1] in (",", "but", "so", "because")


def begins(s: Sentence, b: Binding) -> bool:
    """Return whether the pattern opens the sentence."""
    return b["first"] == s.start


def clause_start(s: Sentence, b: Binding) -> bool:
    """Return whether the subject opens a clause, as *which* always does."""
    return s.lower[b["subject"]] == "which" or opens_clause(s, b["subject"])


def with_be(s: Sentence, b: Binding) -> tuple[str, ...]:
    """Suggest the subject with the forms of *be* that agree with it."""
    subject = s.texts[b["subject"]]
    forms = {"i": ("am", "was"), "he": ("is", "was"), "she": ("is", "was"), "it": ("is", "was")}
    return tuple(f"{subject} {be}" for be in forms.get(subject.lower(), ("are", "were")))


def it_is(s: Sentence, b: Binding) -> tuple[str, ...]:
    """Suggest the verb preceded by *it*, the missing subject."""
    return (f"it {s.lower[b['first']]}",)


def no_verb(s: Sentence, b: Binding) -> bool:
    """Return whether a sentence of six or more tokens opens with its subject, ends in a full stop and has no finite
    verb, infinitive or past participle.
    """
    if b["first"] != s.start or s.texts[s.end - 1] != "." or s.end - s.start < 6:
        return False
    inside = range(s.start, s.end)
    return not any(s.tags[i] in FINITE or s.tags[i] in ("VB", "VBN") or s.view.pos[i] == "AUX" for i in inside)


def alone(s: Sentence, b: Binding) -> bool:
    """Return whether the clause is the whole sentence."""
    inside = range(s.start, s.end)
    return (
        b["first"] == s.start
        and s.texts[s.end - 1] == "."
        and s.end - s.start > 10
        and not any(s.texts[i] in (",", ";", ":", "-", "–", "—", '"') for i in inside)
        and sum(s.tags[i] in FINITE for i in inside) == 1
    )
