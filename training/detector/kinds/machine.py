"""Damage typical of text generators: phrases and spans repeated, left out, shuffled or replaced.

Lengths of spans have a Poisson distribution, as in BART (Lewis et al. 2020).
"""

from __future__ import annotations

import math
import random

from training.detector.drafts import Draft, Sentence, pick
from training.detector.kinds.order import MARKS

OPENERS = ("DT", "PRP$", "JJ", "NN", "NNS", "NNP", "CD", "IN", "TO", "VBG", "VBN")
NOUNS = ("NN", "NNS", "NNP", "NNPS", "CD")
MAX_PHRASE = 6
"""Words of a phrase."""
MEAN_SPAN = 3.0
"""Mean number of words of a span beyond the first."""


def phrase_at(draft: Draft, start: int) -> int:
    """Return the end of the phrase that starts there: after its first noun that no noun follows."""
    words = draft.words
    for at in range(start, min(start + MAX_PHRASE, len(words))):
        if words[at].text in MARKS:
            return start
        last = at + 1 == len(words) or words[at + 1].tag not in NOUNS
        if words[at].tag in NOUNS and last:
            return at + 1
    return start


def phrases(draft: Draft) -> list[tuple[int, int]]:
    """Return starts and ends of untouched phrases."""
    spans = []
    for start in draft.sound(lambda word: word.tag in OPENERS):
        end = phrase_at(draft, start)
        if end > start and all(word.kind == "sound" for word in draft.words[start:end]):
            spans.append((start, end))
    return spans


def said_twice(draft: Draft, rng: random.Random, other: Sentence) -> bool:
    """Repeat a phrase later, at the end or anywhere, sometimes after *and*."""
    known = phrases(draft)
    if not known:
        return False
    start, end = rng.choice(known)
    texts = [word.text for word in draft.words[start:end]]
    tags = [word.tag for word in draft.words[start:end]]
    last = len(draft.words) - (draft.words[-1].text in MARKS)
    at = last if rng.random() < 0.5 else rng.randint(end, last)
    if rng.random() < 0.5:
        texts, tags = ["and", *texts], ["CC", *tags]
    return draft.insert(at, texts, "repeated", tags)


def left_out(draft: Draft, rng: random.Random, other: Sentence) -> bool:
    """Delete a whole phrase, but not the word before it."""
    known = [(a, b) for a, b in phrases(draft) if a and draft.words[a - 1].text not in MARKS]
    if not known:
        return False
    start, end = rng.choice(known)
    return draft.drop(start, end - start)


def another(draft: Draft, rng: random.Random, other: Sentence) -> bool:
    """Insert a phrase of another sentence, mostly in place of one."""
    known, foreign = phrases(draft), phrases(Draft.of(other))
    if not known or not foreign:
        return False
    start, end = rng.choice(known)
    first, last = rng.choice(foreign)
    if rng.random() < 0.7:
        del draft.words[start:end]
    return draft.insert(start, [w.text for w in other[first:last]], "wrong", [w.tag for w in other[first:last]])


def stopped(draft: Draft, rng: random.Random, other: Sentence) -> bool:
    """End the sentence in the middle of a phrase."""
    at = pick(rng, [i for i in draft.sound() if 2 < i < len(draft.words) - 2])
    if at is None:
        return False
    mark = draft.words[-1]
    del draft.words[at:]
    draft.words.append(mark)
    draft.words[-1].kind = "missing"
    draft.kinds.append("missing")
    return True


def poisson(rng: random.Random, mean: float) -> int:
    """Return a Poisson-distributed number, by Knuth's product of random numbers."""
    n, product, least = 0, rng.random(), math.exp(-mean)
    while product > least:
        n, product = n + 1, product * rng.random()
    return n


def span(draft: Draft, rng: random.Random) -> tuple[int, int] | None:
    """Return start and end of a random span of untouched words before the last mark."""
    words, length = draft.words, 1 + poisson(rng, MEAN_SPAN)
    last = len(words) - (words[-1].text in MARKS)
    starts = [at for at in range(last - length + 1) if all(w.kind == "sound" for w in words[at : at + length])]
    at = pick(rng, starts)
    return None if at is None else (at, at + length)


def stuttered(draft: Draft, rng: random.Random, other: Sentence) -> bool:
    """Repeat a span at once."""
    limits = span(draft, rng)
    if limits is None:
        return False
    words = draft.words[slice(*limits)]
    return draft.insert(limits[1], [word.text for word in words], "repeated", [word.tag for word in words])


def gap(draft: Draft, rng: random.Random, other: Sentence) -> bool:
    """Delete a span of two words or more."""
    limits = span(draft, rng)
    return limits is not None and limits[1] - limits[0] > 1 and draft.drop(limits[0], limits[1] - limits[0])


def mixed_up(draft: Draft, rng: random.Random, other: Sentence) -> bool:
    """Shuffle a span of three words or more."""
    limits = span(draft, rng)
    if limits is None or limits[1] - limits[0] < 3:
        return False
    length = limits[1] - limits[0]
    return draft.reorder(limits[0], rng.sample(range(length), length))


KINDS = (said_twice, left_out, another, stopped, stuttered, gap, mixed_up)


def generated(draft: Draft, rng: random.Random, other: Sentence) -> bool:
    """Apply a random one of these kinds that fits the draft."""
    return any(kind(draft, rng, other) for kind in rng.sample(KINDS, len(KINDS)))
