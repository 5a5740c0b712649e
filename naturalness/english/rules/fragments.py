"""Functions for the rules in `fragments.toml`: sentences without a verb, a form of *be*, a subject or a main clause."""

from __future__ import annotations

from naturalness.english.rules.pattern import Binding, RuleSentence
from naturalness.text.view import word_set

FINITE = word_set("VBZ VBP VBD MD")


def with_be(s: RuleSentence, b: Binding) -> tuple[str, ...]:
    """Suggest the subject with the forms of *be* that agree with it."""
    subject = s.texts[b["subject"]]
    forms = {"i": ("am", "was"), "he": ("is", "was"), "she": ("is", "was"), "it": ("is", "was")}
    return tuple(f"{subject} {be}" for be in forms.get(subject.lower(), ("are", "were")))


def no_verb(s: RuleSentence, b: Binding) -> bool:
    """Return whether a sentence of six or more tokens opens with its subject, ends in a full stop and has no finite
    verb, infinitive or past participle.
    """
    if b["first"] != s.start or s.texts[s.end - 1] != "." or s.end - s.start < 6:
        return False
    inside = range(s.start, s.end)
    return not any(s.tags[i] in FINITE or s.tags[i] in ("VB", "VBN") or s.view.pos[i] == "AUX" for i in inside)


def alone(s: RuleSentence, b: Binding) -> bool:
    """Return whether the clause is the whole sentence."""
    inside = range(s.start, s.end)
    return (
        b["first"] == s.start
        and s.texts[s.end - 1] == "."
        and s.end - s.start > 10
        and not any(s.texts[i] in (",", ";", ":", "-", "–", "—", '"') for i in inside)
        and sum(s.tags[i] in FINITE for i in inside) == 1
    )
