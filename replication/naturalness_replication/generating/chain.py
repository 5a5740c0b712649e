"""Tag sequences drawn from a bigram chain, and the likeliest words for them (Mutton et al. 2007).

A text of n tokens consists of n - 1 tagged words and a full stop. The tags are drawn from the bigram
chain of a corpus, conditioned on a length of n: each tag is drawn with its bigram probability times
the probability of reaching the end in the remaining tokens. The words are then the most probable
words for these tags (`WordSearch`). With Penn tags this is the paper's *PoS-tag* method, with supertags (`tagged`)
its *supertag* method.

Viterbi search finds the best words for a tag sequence under P(word | tag) P(word | word before).
Both are estimated from tagged sentences. P(word | tag) is the relative frequency of the word among
the tag's tokens, so a word is only used with tags that it has in the corpus. Bigrams are smoothed as
in Witten and Bell (1991),

    P(w | v) = (c(v, w) + T(v) P(w)) / (c(v) + T(v))

where c is a count, T(v) the number of distinct words that follow v, and P(w) the relative frequency
of w. A begin mark precedes the first word and the full stop follows the last word, so the bigrams at
both ends are included.

**Repeats are discouraged**: a word that already occurs on the path costs `REPEAT_COST` (a natural
log). Since Viterbi keeps only the best path to each word, the search is exact for a cost of 0 and
approximate otherwise: a discarded path might have had no repeat. At each position, the `BEAM` best
words are kept; most tags have fewer words. The words are deterministic given the tags; the first
word in sorted order wins a tie.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from naturalness.arrays import FloatArray
from naturalness.errors import CorpusError
from naturalness_replication.generating.drawing import Count, Spacing, draw_texts, pick
from naturalness_replication.generating.tagged import STOP, Tagged

Ints = NDArray[np.intp]

REPEAT_COST = 2.0
"""The cost of a repeated word (a natural log). With this value, words are repeated about as often as in the corpus."""
BEAM = 100
BEGINNING = 0
"""The index of the begin mark; the full stop has the next index, and the sorted words have the indices after that."""
END_TAG = "<.>"
"""The tag of the full stop."""


class TagChain:
    """A generator of texts from tagged sentences that end in a full stop (`pos_tagged`, `supertagged`)."""

    def __init__(self, sentences: Sequence[Tagged], *, length: int = 24, count: Count | None = None) -> None:
        if not sentences:
            raise CorpusError("the corpus has no sentence from a letter to a full stop")
        if length < 2:
            raise CorpusError(f"texts of {length} tokens; expected a word and a full stop at least")
        self.length = length
        self.count = count
        self.tags = TagSequences([[t.tag for t in s[:-1]] for s in sentences], length - 1)
        self.words = WordSearch(sentences)
        self.spacing = Spacing([(t.text, t.space) for t in s] for s in sentences)

    def generate(self, n: int, *, seed: int = 0) -> Iterator[str]:
        """Yield n random texts of ``length`` tokens each."""
        yield from draw_texts(n, self._draw, key=f"{seed}:chain", length=self.length, count=self.count)

    def _draw(self, rng: random.Random) -> str:
        words, _ = self.words.best(self.tags.draw(rng))
        return self.spacing.text([*words, STOP])


class TagSequences:
    """A bigram chain of tags, from which tag sequences of a fixed length are drawn."""

    def __init__(self, sequences: Sequence[Sequence[str]], length: int) -> None:
        self.names = sorted({tag for sequence in sequences for tag in sequence})
        index = {name: i for i, name in enumerate(self.names)}
        first = Counter(index[s[0]] for s in sequences)
        last = Counter(index[s[-1]] for s in sequences)
        counted = Counter((index[a], index[b]) for s in sequences for a, b in pairwise(s))
        pairs = sorted(counted.items())
        size = len(self.names)
        self.source = np.array([a for (a, _), _ in pairs], dtype=np.intp)
        self.target = np.array([b for (_, b), _ in pairs], dtype=np.intp)
        counts = np.array([n for _, n in pairs], dtype=np.float64)
        ends = np.array([last[i] for i in range(size)], dtype=np.float64)
        totals = np.bincount(self.source, counts, size) + ends
        self.share = counts / totals[self.source]
        self.start = np.array([first[i] for i in range(size)]) / len(sequences)
        self.rows = np.searchsorted(self.source, np.arange(size + 1))
        self.reach = self._reach(ends / totals, length)

    def _reach(self, ends: FloatArray, length: int) -> list[FloatArray]:
        """Return, for each position and each tag there, the probability that the text ends after the last position."""
        reach: list[FloatArray] = [ends]
        for _ in range(length - 1):
            step = self.share * reach[-1][self.target]
            reach.append(np.bincount(self.source, step, len(ends)).astype(np.float64))
        if not (self.start @ reach[-1]) > 0:
            raise CorpusError(
                f"no sequence of {length} tags and a full stop can be made of the corpus's pairs "
                "of tags; give more text, or choose another length"
            )
        return reach[::-1]

    def draw(self, rng: random.Random) -> list[str]:
        """Return random tags for a text, excluding its full stop."""
        at = pick(rng, self.start * self.reach[0])
        drawn = [self.names[at]]
        for reach in self.reach[1:]:
            row = slice(self.rows[at], self.rows[at + 1])
            after = self.target[row]
            at = int(after[pick(rng, self.share[row] * reach[after])])
            drawn.append(self.names[at])
        return drawn


class Edges(NamedTuple):
    """The observed bigrams between words of two tags, sorted by target; indices refer to each tag's list of words."""

    source: Ints
    target: Ints
    logprob: FloatArray


class Front(NamedTuple):
    """The words that are kept at a position, each with the best path to it and the score of this path."""

    words: Ints
    scores: FloatArray
    paths: Ints
    """The best path to each word, as indices in the vocabulary, (words, positions)."""
    indices: Ints
    """The indices of the kept words in the list of the tag's words."""


class WordSearch:
    """The probabilities of words given their tag and the previous word."""

    def __init__(self, sentences: Sequence[Tagged], *, repeat_cost: float = REPEAT_COST, beam: int = BEAM) -> None:
        self.repeat_cost, self.beam = repeat_cost, beam
        # The full stop has its own tag and occurs only at the end.
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
        total = np.maximum(seen + kinds, 1.0)  # avoids 0 / 0 for the full stop, which nothing follows
        with np.errstate(divide="ignore"):
            self.share, self.left = np.log(share), np.log(kinds / total)
        smoothed = counts + kinds[self.source] * share[self.target]
        self.logprob = np.log(smoothed / total[self.source])

    def best(self, tags: Sequence[str]) -> tuple[list[str], float]:
        """Return the best words for the tags of a text (excluding its full stop), and their score.

        The score is the sum of the log-probabilities of the words given their tags and of the bigrams, including the
        full stop's, minus the cost of repeats. The first word starts with a letter.
        """
        front = self._first(tags[0])
        for before, tag in pairwise([*tags, END_TAG]):
            front = self._next(front, before, tag)
        (path,), (score,) = front.paths, front.scores
        return [self.vocabulary[i] for i in path[:-1]], float(score)

    def _first(self, tag: str) -> Front:
        words, emitted = self.emitted[tag]
        indices = np.flatnonzero(self.starts[words])
        if not len(indices):
            raise ValueError(f"no word of {tag!r} starts with a letter; it cannot be the first")
        scores = self.left[BEGINNING] + self.share
        row = slice(*np.searchsorted(self.source, [BEGINNING, BEGINNING + 1]))
        scores[self.target[row]] = self.logprob[row]
        scores = scores[words] + emitted
        indices = indices[self._best_of(scores[indices])]
        return Front(words[indices], scores[indices], words[indices, None], indices)

    def _next(self, front: Front, before: str, tag: str) -> Front:
        words, emitted = self.emitted[tag]
        scores, source = self._backed_off(front, words)
        edges = self._between(before, tag)
        where = np.full(len(self.emitted[before][0]), -1)
        where[front.indices] = np.arange(len(front.indices))
        starts = where[edges.source]
        usable = np.flatnonzero(starts >= 0)
        if len(usable):
            starts, targets = starts[usable], edges.target[usable]
            repeats = (front.paths[starts] == words[targets, None]).any(axis=1)
            by_edge = front.scores[starts] + edges.logprob[usable] - self.repeat_cost * repeats
            bounds = _first_of_each(targets)
            sizes = np.append(bounds[1:], len(targets)) - bounds
            # Take the best observed edge to each word (the first, if tied) if it scores higher than backing off.
            highest = np.maximum.reduceat(by_edge, bounds)
            best = np.flatnonzero(by_edge == np.repeat(highest, sizes))
            best = best[_first_of_each(targets[best])]
            best = best[highest > scores[targets[best]]]
            scores[targets[best]] = by_edge[best]
            source[targets[best]] = starts[best]
        scores += emitted
        indices = self._best_of(scores)
        words = words[indices]
        paths = np.concatenate([front.paths[source[indices]], words[:, None]], axis=1)
        return Front(words, scores[indices], paths, indices)

    def _backed_off(self, front: Front, words: Ints) -> tuple[FloatArray, Ints]:
        """Return the best backed-off score of each word, and the index of the word before it.

        The back-off weight depends only on the previous word, so the same previous word is best for all
        words except those that already occur on the path to that previous word.
        """
        leaving = front.scores + self.left[front.words]
        top = int(np.argmax(leaving))
        scores = leaving[top] + self.share[words]
        source = np.full(len(words), top, dtype=np.intp)
        path = front.paths[top]
        indices = np.minimum(np.searchsorted(words, path), len(words) - 1)
        for i in indices[words[indices] == path]:
            repeats = (front.paths == words[i]).any(axis=1)
            ways = leaving - self.repeat_cost * repeats
            source[i] = np.argmax(ways)
            scores[i] = ways[source[i]] + self.share[words[i]]
        return scores, source

    def _between(self, before: str, tag: str) -> Edges:
        """Return the observed bigrams between words of two tags."""
        edges = self._edges.get((before, tag))
        if edges is None:
            size = len(self.vocabulary)
            sources, targets = (np.full(size, -1) for _ in range(2))
            for indices, name in ((sources, before), (targets, tag)):
                words = self.emitted[name][0]
                indices[words] = np.arange(len(words))
            rows = np.flatnonzero((sources[self.source] >= 0) & (targets[self.target] >= 0))
            rows = rows[np.argsort(targets[self.target[rows]], kind="stable")]
            edges = self._edges[before, tag] = Edges(
                sources[self.source[rows]], targets[self.target[rows]], self.logprob[rows]
            )
        return edges

    def _best_of(self, scores: FloatArray) -> Ints:
        """Return the indices of the best words at a position, including words that tie with the last of them."""
        if len(scores) <= self.beam:
            return np.arange(len(scores))
        return np.flatnonzero(scores >= np.partition(scores, -self.beam)[-self.beam])


def _first_of_each(numbers: Ints) -> Ints:
    """Return the index of the first occurrence of each number in a sorted, nonempty array."""
    return np.flatnonzero(np.concatenate([[True], numbers[1:] != numbers[:-1]]))
