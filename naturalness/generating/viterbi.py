"""The best words for a sequence of tags: Viterbi over P(word | tag) P(word | word before).

Both probabilities are counted in tagged sentences. P(word | tag) is the word's share of the tag's
tokens, so a word stands only where it was seen with that tag. Bigrams are smoothed as Witten and
Bell (1991) do,

    P(w | v) = (c(v, w) + T(v) P(w)) / (c(v) + T(v))

where c counts, T(v) is how many different words follow v, and P(w) is the word's share of all
tokens. The words before the first are a mark of the beginning, and the last word is followed by the
full stop, so beginnings and ends count.

**Repeats are discouraged**: a word that stands on the way to a place costs `repeat_cost` (a natural
log) there. The ways are those that Viterbi keeps, the best one to each word: what is found is the
best sequence where the cost is 0, and else a good one, since a way that was given up for its score
might have been free of a repeat. Of each position the `BEAM` best words are kept; most tags have
fewer. Nothing is drawn: the same tags give the same words, the first in order among equals.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from naturalness.arrays import FloatArray
from naturalness.generating.tagged import STOP, Tagged

Ints = NDArray[np.intp]

REPEAT_COST = 2.0
"""With it about as many tokens repeat another of their text as do in the sentences themselves."""
BEAM = 100
BEGINNING = 0
"""Number of the mark of the beginning; the full stop is next, then words in their order."""
END_TAG = "<.>"
"""The tag of the full stop."""


class Edges(NamedTuple):
    """Bigrams that were seen between words of two tags: places among these, sorted by target."""

    source: Ints
    target: Ints
    logprob: FloatArray


class Front(NamedTuple):
    """The words kept at a position, the score of the best way to each, and that way."""

    words: Ints
    scores: FloatArray
    paths: Ints
    """*Shape:* (words, positions)."""
    places: Ints
    """Of the words among those of the tag."""


class WordModel:
    """Probabilities of words given tags and words before."""

    def __init__(self, sentences: Sequence[Tagged], *, repeat_cost: float = REPEAT_COST, beam: int = BEAM) -> None:
        self.repeat_cost, self.beam = repeat_cost, beam
        # The stop is no choice: it stands under a tag of its own, at the end alone.
        known = sorted({t.text for s in sentences for t in s[:-1]})
        self.vocabulary = ["", STOP, *known]
        self.starts = np.array([word[:1].isalpha() for word in self.vocabulary])
        self.number = {word: i for i, word in enumerate(known, start=2)} | {STOP: 1}
        self._count_tags(sentences)
        self._count_pairs(sentences)
        self._edges: dict[tuple[str, str], Edges] = {}

    def _count_tags(self, sentences: Sequence[Tagged]) -> None:
        counts: dict[str, Counter[int]] = defaultdict(Counter)
        for sentence in sentences:
            for token in sentence[:-1]:
                counts[token.tag][self.number[token.text]] += 1
        counts[END_TAG][self.number[STOP]] = 1
        self.emitted: dict[str, tuple[Ints, FloatArray]] = {}
        for tag, words in counts.items():
            numbers = np.array(sorted(words), dtype=np.intp)
            shares = np.array([words[int(i)] for i in numbers]) / words.total()
            self.emitted[tag] = numbers, np.log(shares)

    def _count_pairs(self, sentences: Sequence[Tagged]) -> None:
        pairs: Counter[tuple[int, int]] = Counter()
        words: Counter[int] = Counter()
        for sentence in sentences:
            numbers = [self.number[token.text] for token in sentence]
            words.update(numbers)
            pairs.update(pairwise([BEGINNING, *numbers]))
        size = len(self.vocabulary)
        order = sorted(pairs)
        self.source = np.array([a for a, _ in order], dtype=np.intp)
        self.target = np.array([b for _, b in order], dtype=np.intp)
        counts = np.array([pairs[pair] for pair in order], dtype=np.float64)
        share = np.array([words[i] for i in range(size)]) / words.total()
        seen = np.bincount(self.source, counts, size)
        kinds = np.bincount(self.source, minlength=size).astype(np.float64)
        total = np.maximum(seen + kinds, 1.0)  # nothing follows the stop
        with np.errstate(divide="ignore"):
            self.share, self.left = np.log(share), np.log(kinds / total)
        smoothed = counts + kinds[self.source] * share[self.target]
        self.logprob = np.log(smoothed / total[self.source])

    def best(self, tags: Sequence[str]) -> tuple[list[str], float]:
        """The words for the tags of a text without its full stop, and their score.

        The score is the sum of the logs of both probabilities, the stop's included, less what
        repeats cost. The first word starts with a letter.
        """
        front = self._first(tags[0])
        for before, tag in pairwise([*tags, END_TAG]):
            front = self._next(front, before, tag)
        (path,), (score,) = front.paths, front.scores
        return [self.vocabulary[i] for i in path[:-1]], float(score)

    def _first(self, tag: str) -> Front:
        words, emitted = self.emitted[tag]
        places = np.flatnonzero(self.starts[words])
        if not len(places):
            raise ValueError(f"no word of {tag!r} starts with a letter; it cannot be the first")
        scores = self.left[BEGINNING] + self.share
        row = slice(*np.searchsorted(self.source, [BEGINNING, BEGINNING + 1]))
        scores[self.target[row]] = self.logprob[row]
        scores = scores[words] + emitted
        places = places[self._kept(scores[places])]
        return Front(words[places], scores[places], words[places, None], places)

    def _next(self, front: Front, before: str, tag: str) -> Front:
        words, emitted = self.emitted[tag]
        scores, source = self._backed_off(front, words)
        edges = self._between(before, tag)
        where = np.full(len(self.emitted[before][0]), -1)
        where[front.places] = np.arange(len(front.places))
        starts = where[edges.source]
        kept = np.flatnonzero(starts >= 0)
        if len(kept):
            starts, targets = starts[kept], edges.target[kept]
            repeats = (front.paths[starts] == words[targets, None]).any(axis=1)
            found = front.scores[starts] + edges.logprob[kept] - self.repeat_cost * repeats
            bounds = _first_of_each(targets)
            sizes = np.append(bounds[1:], len(targets)) - bounds
            # The best edge to each word, the first in order among equals, if it beats no edge.
            highest = np.maximum.reduceat(found, bounds)
            best = np.flatnonzero(found == np.repeat(highest, sizes))
            best = best[_first_of_each(targets[best])]
            best = best[highest > scores[targets[best]]]
            scores[targets[best]] = found[best]
            source[targets[best]] = starts[best]
        scores += emitted
        places = self._kept(scores)
        words = words[places]
        paths = np.concatenate([front.paths[source[places]], words[:, None]], axis=1)
        return Front(words, scores[places], paths, places)

    def _backed_off(self, front: Front, words: Ints) -> tuple[FloatArray, Ints]:
        """The best way to each word as if no pair had been seen, and the place it leads from.

        What is left for such a pair depends on the word before alone, so the same one is best for
        all words but those that stand on the way to it.
        """
        leaving = front.scores + self.left[front.words]
        top = int(np.argmax(leaving))
        scores = leaving[top] + self.share[words]
        source = np.full(len(words), top, dtype=np.intp)
        path = front.paths[top]
        places = np.minimum(np.searchsorted(words, path), len(words) - 1)
        for place in places[words[places] == path]:
            repeats = (front.paths == words[place]).any(axis=1)
            ways = leaving - self.repeat_cost * repeats
            source[place] = np.argmax(ways)
            scores[place] = ways[source[place]] + self.share[words[place]]
        return scores, source

    def _between(self, before: str, tag: str) -> Edges:
        """The pairs that were seen between words of two tags."""
        found = self._edges.get((before, tag))
        if found is None:
            size = len(self.vocabulary)
            sources, targets = (np.full(size, -1) for _ in range(2))
            for places, name in ((sources, before), (targets, tag)):
                words = self.emitted[name][0]
                places[words] = np.arange(len(words))
            rows = np.flatnonzero((sources[self.source] >= 0) & (targets[self.target] >= 0))
            rows = rows[np.argsort(targets[self.target[rows]], kind="stable")]
            found = self._edges[before, tag] = Edges(
                sources[self.source[rows]], targets[self.target[rows]], self.logprob[rows]
            )
        return found

    def _kept(self, scores: FloatArray) -> Ints:
        """Places of the best words of a position; those as good as the last of them stay too."""
        if len(scores) <= self.beam:
            return np.arange(len(scores))
        return np.flatnonzero(scores >= np.partition(scores, -self.beam)[-self.beam])


def _first_of_each(numbers: Ints) -> Ints:
    """Where each number first stands among ascending ones; there is at least one."""
    return np.flatnonzero(np.concatenate([[True], numbers[1:] != numbers[:-1]]))
