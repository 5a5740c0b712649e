"""Tags drawn by their bigrams, then the likeliest words for them (Mutton et al., 2007).

A text of n tokens is n - 1 tags and a full stop. The tags are drawn from the chain of tag bigrams
of a corpus, given that the sentence ends after exactly n tokens: each tag with the probability of
its bigram times that of reaching the end in the tokens that are left. So they are distributed as
those sentences of the chain that have n tokens. The words are then the best for the tags
(`viterbi.WordModel`). With Penn tags this is the paper's *PoS-tag* method, with supertags
(`supertags`) its *supertag* method.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.errors import CorpusError
from naturalness.generating.damage import Damaged
from naturalness.generating.drawing import Count, draw_texts, pick
from naturalness.generating.spacing import Spacing, made
from naturalness.generating.tagged import STOP, Tagged
from naturalness.generating.viterbi import REPEAT_COST, WordModel


class TagChain:
    """A generator over tagged sentences that end in a full stop (`pos_tagged`, `supertagged`)."""

    def __init__(
        self,
        sentences: Sequence[Tagged],
        *,
        length: int = 24,
        repeat_cost: float = REPEAT_COST,
        count: Count | None = None,
    ) -> None:
        if not sentences:
            raise CorpusError("the corpus has no sentence from a letter to a full stop")
        if length < 2:
            raise CorpusError(f"texts of {length} tokens; expected a word and a full stop at least")
        self.length = length
        self.count = count
        self.tags = TagSequences([[t.tag for t in s[:-1]] for s in sentences], length - 1)
        self.words = WordModel(sentences, repeat_cost=repeat_cost)
        self.spacing = Spacing([(t.text, t.space) for t in s] for s in sentences)

    def generate(self, n: int, *, seed: int = 0) -> Iterator[Damaged]:
        """Texts of ``length`` tokens."""
        yield from draw_texts(n, self._draw, key=f"{seed}:chain", length=self.length, count=self.count)

    def _draw(self, rng: random.Random) -> Damaged:
        words, _ = self.words.best(self.tags.draw(rng))
        return made(self.spacing.text([*words, STOP]))


class TagSequences:
    """The chain of tag bigrams, drawn from at one length."""

    def __init__(self, sequences: Sequence[Sequence[str]], length: int) -> None:
        self.names = sorted({tag for sequence in sequences for tag in sequence})
        place = {name: i for i, name in enumerate(self.names)}
        first = Counter(place[s[0]] for s in sequences)
        last = Counter(place[s[-1]] for s in sequences)
        counted = Counter((place[a], place[b]) for s in sequences for a, b in pairwise(s))
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
        """For each position and tag the probability that the sentence ends behind the last one."""
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
        """The tags of a text, without its full stop."""
        at = pick(rng, self.start * self.reach[0])
        drawn = [self.names[at]]
        for reach in self.reach[1:]:
            row = slice(self.rows[at], self.rows[at + 1])
            after = self.target[row]
            at = int(after[pick(rng, self.share[row] * reach[after])])
            drawn.append(self.names[at])
        return drawn
