"""What GRUEN's authors name as its limits, each as a number of its own and off in `gruen`.

Repetition inside a sentence, sentences that say the same in other words, and pronouns that nothing
before them can be meant by. Each counts what it finds; the metrics take 0.1 off for each, as GRUEN
does for its own violations.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from naturalness.models.metrics.clouds import Cloud, middle_of, word_cloud
from naturalness.models.metrics.gruen.focus import FAR, similarity
from naturalness.models.metrics.gruen.redundancy import fired_tests
from naturalness.models.metrics.gruen.text import Text
from naturalness.text.view import CONTENT, View, is_word, view

if TYPE_CHECKING:
    from spacy.tokens import Doc

SAME = 0.55
"""Similarity above which two sentences say the same: five in a thousand of neighbours in held-out
text, nine in ten of pairs that a machine wrote of the same facts
(`benchmarks.papers.gruen_parts`)."""
DOUBLED = frozenset({"very", "really", "so", "that", "had", "no", "ha", "bye", "yeah", "ok", "far"})
"""Words that may stand twice in a row."""
PERSONS = {
    "he": "he",
    "him": "he",
    "his": "he",
    "himself": "he",
    "she": "she",
    "her": "she",
    "hers": "she",
    "herself": "she",
    "they": "they",
    "them": "they",
    "their": "they",
    "theirs": "they",
    "themselves": "they",
}
"""Pronouns that need somebody, or something, named before them. *It* often needs nothing."""
NAMED = ("NOUN", "PROPN", "NUM")
ANYONE = frozenset(
    {
        "someone",
        "somebody",
        "anyone",
        "anybody",
        "everyone",
        "everybody",
        "nobody",
        "one",
        "who",
        "whoever",
        "those",
        "these",
        "many",
        "some",
        "others",
        "both",
        "all",
        "each",
        "you",
        "we",
    }
)
"""Words that a pronoun can go back to though they are no nouns."""


def repeats_within(doc: Doc) -> int:
    """Words and phrases that come again in their own sentence, over all sentences; 0 or more.

    A phrase is two words or more, of which one carries content; a single word counts where it
    stands twice in a row.
    """
    seen = view(doc)
    return sum(_repeats(seen, words) for words in seen.sentence_words)


def _repeats(seen: View, words: Sequence[int]) -> int:
    texts = [seen.lower[i] for i in words]
    content = [seen.pos[i] in CONTENT for i in words]
    taken = [False] * len(texts)
    before: dict[str, list[int]] = {}
    found = 0
    for at in range(1, len(texts)):
        before.setdefault(texts[at - 1], []).append(at - 1)
        if taken[at]:
            continue
        starts = before.get(texts[at], [])
        length = max((_run(texts, taken, start, at) for start in starts), default=0)
        doubled = texts[at] == texts[at - 1] and texts[at] not in DOUBLED
        if (length > 1 and any(content[at : at + length])) or doubled:
            found += 1
            taken[at : at + max(1, length)] = [True] * max(1, length)
    return found


def _run(texts: Sequence[str], taken: Sequence[bool], start: int, at: int) -> int:
    """How many words from ``at`` on are those from ``start`` on; the two do not overlap."""
    length = 0
    while (
        at + length < len(texts)
        and start + length < at
        and not taken[at + length]
        and texts[start + length] == texts[at + length]
    ):
        length += 1
    return length


def paraphrases(doc: Doc) -> int:
    """Pairs of sentences that say the same and pass GRUEN's four tests; 0 or more."""
    text = Text(doc)
    clouds = [word_cloud(text.seen.lower[a:b]) for a, b in text.seen.sentences]
    known = zip(text.sentences, clouds, strict=True)
    return sum(
        _alike(one_cloud, other_cloud) and not fired_tests(one, other)
        for (one, one_cloud), (other, other_cloud) in combinations(known, 2)
    )


def _alike(one: Cloud | None, other: Cloud | None) -> bool:
    # What is moved goes at least as far as the middle does, which costs nothing to find out.
    if one is None or other is None:
        return False
    least = float(np.linalg.norm(middle_of(one) - middle_of(other)))
    return least < FAR * (1 - SAME) and similarity(one, other) > SAME


def lost_pronouns(doc: Doc) -> int:
    """*He*, *she* and *they*, each once, where nothing that is named before can be meant; 0 to 3.

    What stands later in the sentence counts where the pronoun is in a clause that comes first
    (*When he came, Paul …*). Whether what is named fits in number and sex is not asked.
    """
    seen = view(doc)
    found: set[str] = set()
    for start, end in seen.sentences:
        for i in range(start, end):
            if _names(seen, i):
                return len(found)  # all later ones may go back to it
            person = PERSONS.get(seen.lower[i])
            if person and not (_in_first_clause(seen, i) and _any_after(seen, i, end)):
                found.add(person)
    return len(found)


def _names(seen: View, i: int) -> bool:
    return (seen.pos[i] in NAMED and is_word(seen.texts[i])) or seen.lower[i] in ANYONE


def _any_after(seen: View, i: int, end: int) -> bool:
    return any(seen.pos[k] in NAMED and seen.deps[k].startswith("nsubj") for k in range(i + 1, end))


def _in_first_clause(seen: View, i: int) -> bool:
    """Whether a word belongs to a clause or phrase that comes before what it depends on."""
    at = i
    while seen.heads[at] != at:
        if seen.deps[at].split(":")[0] in ("advcl", "obl", "acl") and seen.heads[at] > at:
            return True
        at = seen.heads[at]
    return False
