"""Say in words why an edit is made, from its kind and the parsed words around it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from naturalness.english.inflection import inflect
from naturalness.english.rules.verbs import base_of
from naturalness.explaining.forms import NOUN_TAGS, VERB_TAGS
from naturalness.explaining.rewriting import EditableText, join_words
from naturalness.files.toml import read_beside
from naturalness.text.view import word_set

NEARBY = 4
"""The largest distance in tokens from an edit to the noun that follows it."""
NOTHING = ("-", "-", "-")
"""The values of a word that is not there."""


@cache
def patterns() -> list[Mapping[str, Any]]:
    """Return the patterns of `reasons.toml`, with a set of values for each condition."""
    table = read_beside(__file__)
    for pattern in table["patterns"]:
        for name, condition in pattern["if"].items():
            pattern["if"][name] = word_set(" ".join(table["lists"].get(word, word) for word in condition.split()))
    return [*table["patterns"]]


def reason(text: EditableText, start: int, end: int, words: tuple[str, ...], kind: str) -> str:
    """Return why tokens of a text are replaced by words, such as ``'depends' takes 'on' here``; empty if unknown.

    ``start`` and ``end`` are positions in the text's View, equal for an insertion; ``kind`` is that of
    `explanation.Edit`.
    """
    facts = facts_of(text, start, end, words) | {"kind": [kind]}
    for pattern in patterns():
        if all(not values.isdisjoint(facts[name]) for name, values in pattern["if"].items()):
            shown = {name: "I" if values[0] == "i" else values[0] for name, values in facts.items()}
            return str(pattern["reason"]).format_map(shown)
    return ""


def facts_of(text: EditableText, start: int, end: int, words: tuple[str, ...]) -> dict[str, Sequence[str]]:
    """Return the values of an edit that conditions test, by name; a reason shows the first value."""
    seen, here = text.seen, slice(start, end)
    tokens = [*zip(seen.lower, seen.lemmas, seen.tags, strict=True), NOTHING]
    before, after, (_, lemma, tag) = tokens[start - 1], tokens[end], [*tokens[here], NOTHING][0]
    old, new = (join_words(part).lower() or "-" for part in (seen.texts[here], words))
    forms = (
        (tag, inflect(base, tag)) for base, tags in ((lemma, NOUN_TAGS), (base_of(old), VERB_TAGS)) for tag in tags
    )
    # The head of an auxiliary or of a second verb has the subject; that of a noun may be another verb.
    verbs = [start, *seen.heads[here] * (tag not in NOUN_TAGS)]
    subjects = [i for i, dep in enumerate(seen.deps) if dep.startswith("nsubj") and seen.heads[i] in verbs]
    states = {
        "repeated": old in (before[0], after[0]),
        "first": start in dict(seen.sentences),
        "capital": "".join(words)[:1].isupper(),
    }
    return {
        "old": (old, lemma, tag),
        "new": (new, f"-{new[-2:]}", *(form for form, word in forms if word == new)),
        "pair": ["/".join(sorted((old, new)))],
        "before2": tokens[max(start - 2, -1)],
        "before": before,
        "after": after,
        "head": tokens[min([start - 1, *seen.heads[here]])],
        "noun": next((token for token in tokens[end : end + NEARBY] if token[2].startswith("NN")), NOTHING),
        "subject": tokens[min(subjects, default=-1)],
        "text": seen.lower,
        "is": [name for name, holds in states.items() if holds] or NOTHING,
    }
