"""Count three flaws that GRUEN misses according to its authors; the metric `gruen` does not include them.

The flaws are repetition within a sentence, sentences that paraphrase each other, and pronouns that have no antecedent.
The counts are columns of the feature group `gruen`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from naturalness.metrics.gruen.judges import Text
from naturalness.metrics.gruen.parts import UNRELATED_DISTANCE, fired_tests, similarity
from naturalness.metrics.movers import Cloud, middle_of, word_cloud
from naturalness.text.view import CONTENT, View, is_word, view

if TYPE_CHECKING:
    from spacy.tokens import Doc

PARAPHRASE_SIMILARITY = 0.55
"""The similarity above which two sentences count as paraphrases. It is exceeded by 0.5 % of neighboring pairs in
held-out text, and by 90 % of pairs generated from the same facts (measured for release 0.2.0)."""
DOUBLED = frozenset({"very", "really", "so", "that", "had", "no", "ha", "bye", "yeah", "ok", "far"})
"""Words that can correctly occur twice in a row."""
PERSONS = {
    pronoun: forms.split()[0]
    for forms in ("he him his himself", "she her hers herself", "they them their theirs themselves")
    for pronoun in forms.split()
}
"""The person that each pronoun refers to (he, she or they). *It* is left out, because it often needs no antecedent."""
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
"""Words other than nouns that can be antecedents."""


def repeats_within(doc: Doc) -> int:
    """Return the number of repetitions of a word or phrase within a sentence, summed over all sentences.

    A phrase is a run of two or more words that includes a content word. A single word counts only if it occurs twice in
    a row.
    """
    seen = view(doc)
    return sum(_repeats(seen, words) for words in seen.sentence_words)


def _repeats(seen: View, words: Sequence[int]) -> int:
    texts = [seen.lower[i] for i in words]
    content = [seen.pos[i] in CONTENT for i in words]
    taken = [False] * len(texts)
    before: dict[str, list[int]] = {}
    n_repeats = 0
    for i in range(1, len(texts)):
        before.setdefault(texts[i - 1], []).append(i - 1)
        if taken[i]:
            continue
        starts = before.get(texts[i], [])
        length = max((_run(texts, taken, start, i) for start in starts), default=0)
        doubled = texts[i] == texts[i - 1] and texts[i] not in DOUBLED
        if (length > 1 and any(content[i : i + length])) or doubled:
            n_repeats += 1
            taken[i : i + max(1, length)] = [True] * max(1, length)
    return n_repeats


def _run(texts: Sequence[str], taken: Sequence[bool], first: int, second: int) -> int:
    """Return the length of the run at ``second`` that repeats the run at ``first``; the runs do not overlap."""
    length = 0
    while (
        second + length < len(texts)
        and first + length < second
        and not taken[second + length]
        and texts[first + length] == texts[second + length]
    ):
        length += 1
    return length


def paraphrases(doc: Doc) -> int:
    """Return the number of pairs of sentences that are paraphrases, but for which none of GRUEN's four tests fires."""
    text = Text(doc)
    clouds = [word_cloud(text.seen.lower[a:b]) for a, b in text.seen.sentences]
    known = zip(text.sentences, clouds, strict=True)
    return sum(
        _alike(first_cloud, second_cloud) and not fired_tests(first, second)
        for (first, first_cloud), (second, second_cloud) in combinations(known, 2)
    )


def _alike(first: Cloud | None, second: Cloud | None) -> bool:
    # The distance between the means is a lower bound on the transport cost, and fast to compute.
    if first is None or second is None:
        return False
    least = float(np.linalg.norm(middle_of(first) - middle_of(second)))
    return (
        least < UNRELATED_DISTANCE * (1 - PARAPHRASE_SIMILARITY) and similarity(first, second) > PARAPHRASE_SIMILARITY
    )


def lost_pronouns(doc: Doc) -> int:
    """Return how many of the pronouns *he*, *she* and *they* (in any form) lack an antecedent; 0 to 3.

    The antecedent may follow the pronoun if the pronoun is in a clause or phrase that precedes its head (*When he
    came, Paul …*). Whether number and gender agree is not checked.
    """
    seen = view(doc)
    lost: set[str] = set()
    for start, end in seen.sentences:
        for i in range(start, end):
            if _names(seen, i):
                return len(lost)  # this noun or name may be the antecedent of all later pronouns
            person = PERSONS.get(seen.lower[i])
            if person and not (_in_first_clause(seen, i) and _any_after(seen, i, end)):
                lost.add(person)
    return len(lost)


def _names(seen: View, i: int) -> bool:
    return (seen.pos[i] in NAMED and is_word(seen.texts[i])) or seen.lower[i] in ANYONE


def _any_after(seen: View, i: int, end: int) -> bool:
    return any(seen.pos[k] in NAMED and seen.deps[k].startswith("nsubj") for k in range(i + 1, end))


def _in_first_clause(seen: View, i: int) -> bool:
    """Return whether a word is in a clause or phrase that precedes its head."""
    at = i
    while seen.heads[at] != at:
        if seen.deps[at].split(":")[0] in ("advcl", "obl", "acl") and seen.heads[at] > at:
            return True
        at = seen.heads[at]
    return False
