"""The edit tags that turn a damaged draft back into the sentence as it was written."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise

from naturalness.english.wordlist import load_wordlist
from naturalness.explaining.tags import DELETE, INSERT, JOIN, KEEP, SPELL, SWAP, replacements
from training.detector.drafts import Draft, Sentence, Word

Answer = tuple[str, ...]
"""Tags with the same effect, the most general first."""


def answers(draft: Draft, sentence: Sentence) -> list[Answer]:
    """Return the right tag for each word of a draft, and for its end."""
    words = draft.words
    tags: list[Answer] = [(KEEP,)] * (len(words) + 1)
    places: list[int | None] = [word.position if word.position >= 0 else None for word in words]
    swapped = _swaps(words, places)
    for i in swapped:
        tags[i] = (SWAP,)
        places[i], places[i + 1] = places[i + 1], places[i]
    anchors = _increasing(places)
    last = before = -1
    for at in [*anchors, len(words)]:
        place = places[at] if at < len(words) else len(sentence)
        missing = [*sentence[last + 1 : place]]
        for gone in range(before + 1, at):
            tags[gone] = changed(words[gone].text, missing.pop(0)) if missing else (DELETE,)
        if at < len(words) and at not in swapped and at - 1 not in swapped:
            original = sentence[places[at]]
            if words[at].text != original.text:
                tags[at] = changed(words[at].text, original, words[at + 1].text if at + 1 < len(words) else "")
            elif missing:
                tags[at] = (f"{INSERT} {missing[0].text}",)
        elif at == len(words) and missing:
            tags[at] = (f"{INSERT} {missing[0].text}",)
        last, before = place, at
    return _with_joins(tags, words)


def _with_joins(tags: list[Answer], words: Sequence[Word]) -> list[Answer]:
    """Return the tags, with no answer for the second half of a joined word."""
    for i, answer in enumerate(tags[:-1]):
        if answer[0] == JOIN and i + 1 < len(words):
            tags[i + 1] = (KEEP,)
    return tags


def changed(text: str, original: Word, following: str = "") -> Answer:
    """Return the tags that turn a word into an original word."""
    if following and text + following == original.text:
        return (JOIN,)
    unknown = text.isalpha() and text not in load_wordlist()
    return (SPELL,) if unknown else tuple(replacements(text, original.text, original.tag))


def _swaps(words: Sequence[Word], places: Sequence[int | None]) -> set[int]:
    """Return the positions of words that change places with the next word."""
    swaps: set[int] = set()
    for i, (first, second) in enumerate(pairwise(places)):
        swapped = first is not None and second is not None and first == second + 1
        if swapped and i - 1 not in swaps and "order" in (words[i].kind, words[i + 1].kind):
            swaps.add(i)
    return swaps


def _increasing(places: Sequence[int | None]) -> list[int]:
    """Return the indices of a longest increasing subsequence; None counts as absent."""
    ends: list[int] = []  # the smallest last place of a subsequence of each length
    indices: list[int] = []
    previous: dict[int, int] = {}
    for i, place in enumerate(places):
        if place is None:
            continue
        n = bisect_left(ends, place)
        ends[n : n + 1], indices[n : n + 1] = [place], [i]
        previous[i] = indices[n - 1] if n else -1
    chosen, i = [], indices[-1] if indices else -1
    while i >= 0:
        chosen.append(i)
        i = previous[i]
    return chosen[::-1]
