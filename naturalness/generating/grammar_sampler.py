"""Sentences of a treebank grammar with exactly n words, drawn tree by tree.

A grammar left alone makes trees of any size, some without an end. Here they are drawn from those of
n words, each with its probability among them: the inside sums, over lengths instead of words, say
how likely each symbol and each rest of a production is to give a stretch of l words, and from the
root downwards productions and the lengths of their children are drawn by these. The words are drawn
for each tag alone: nothing chooses them to fit each other.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate

import numpy as np

from naturalness.errors import CorpusError
from naturalness.generating.damage import Damaged
from naturalness.generating.drawing import Count, draw_texts, pick
from naturalness.generating.productions import TERMINAL_BIAS, TOP, Grammar, Production, count_productions, is_tag
from naturalness.generating.spacing import Spacing, made
from naturalness.generating.tagged import Tagged
from naturalness.models.parsers.tree import Bracketed


class GrammarSampler:
    """A generator over trees (`treebank`), with more words from tagged sentences."""

    def __init__(
        self,
        trees: Iterable[Bracketed],
        tagged: Iterable[Tagged] = (),
        *,
        length: int = 24,
        terminal_bias: float = TERMINAL_BIAS,
        count: Count | None = None,
    ) -> None:
        tagged = list(tagged)
        grammar = count_productions(trees, tagged, terminal_bias=terminal_bias)
        if TOP not in grammar.productions:
            raise CorpusError("no tree of a sentence that goes from a letter to a full stop")
        self.length = length
        self.count = count
        self.tags = TreeLeaves(grammar, length)
        self.spacing = Spacing([(t.text, t.space) for t in s] for s in tagged)
        self.words = {
            tag: (sorted(own), list(accumulate(own[word] for word in sorted(own))))
            for tag, own in grammar.words.items()
        }

    def generate(self, n: int, *, seed: int = 0) -> Iterator[Damaged]:
        """Texts of ``length`` tokens."""
        yield from draw_texts(n, self._draw, key=f"{seed}:cfg", length=self.length, count=self.count)

    def _draw(self, rng: random.Random) -> Damaged | None:
        """A text; None where it does not start with a letter."""
        words = [self._word(rng, tag) for tag in self.tags.draw(rng)]
        return made(self.spacing.text(words)) if words[0][0].isalpha() else None

    def _word(self, rng: random.Random, tag: str) -> str:
        words, sums = self.words[tag]
        return words[bisect_right(sums, rng.randrange(sums[-1]))]


class TreeLeaves:
    """Tags under the trees of a grammar that have one number of leaves."""

    def __init__(self, grammar: Grammar, length: int) -> None:
        self.length = length
        rests = {
            production[i:] for own in grammar.productions.values() for production in own for i in range(len(production))
        }
        self.rests = sorted(rests)
        self.place = {rest: i for i, rest in enumerate(self.rests)}
        symbols = {*grammar.productions, *(rest[0] for rest in rests)}
        self.symbols = {symbol: i for i, symbol in enumerate(sorted(symbols))}
        self.own = {
            label: (np.array([self.place[p] for p in own], dtype=np.intp), np.array([*own.values()]))
            for label, own in grammar.productions.items()
        }
        self._sum()
        if not self.inside[self.symbols[TOP], length] > 0:
            raise CorpusError(
                f"the grammar has no tree of {length} words; give more sentences, or choose another length"
            )

    def _sum(self) -> None:
        """Probability of each symbol, and of each rest of a production, to give so many words."""
        heads = np.array([self.symbols[rest[0]] for rest in self.rests])
        tails = np.array([self.place.get(rest[1:], -1) for rest in self.rests])
        single, several = np.flatnonzero(tails < 0), np.flatnonzero(tails >= 0)
        self.inside = np.zeros((len(self.symbols), self.length + 1))
        self.rest = np.zeros((len(self.rests), self.length + 1))
        self.inside[[at for symbol, at in self.symbols.items() if is_tag(symbol)], 1] = 1.0
        # A production of one child is one of a tag, so a symbol needs none of its own length.
        self.rest[single, 1] = self.inside[heads[single], 1]
        for n in range(1, self.length + 1):
            first = self.inside[heads[several], 1:n]
            behind = self.rest[tails[several], n - 1 : 0 : -1]
            self.rest[several, n] = np.einsum("rk,rk->r", first, behind)
            for label, (places, shares) in self.own.items():
                self.inside[self.symbols[label], n] = shares @ self.rest[places, n]
            self.rest[single, n] = self.inside[heads[single], n]

    def draw(self, rng: random.Random) -> list[str]:
        """The tags under a tree, from left to right."""
        leaves: list[str] = []
        waiting: list[tuple[str | Production, int]] = [(TOP, self.length)]
        while waiting:
            item, n = waiting.pop()
            if isinstance(item, str):
                if is_tag(item):
                    leaves.append(item)
                else:
                    places, shares = self.own[item]
                    chosen = places[pick(rng, shares * self.rest[places, n])]
                    waiting.append((self.rests[chosen], n))
            elif len(item) == 1:
                waiting.append((item[0], n))
            else:
                first = self.inside[self.symbols[item[0]], 1:n]
                behind = self.rest[self.place[item[1:]], n - 1 : 0 : -1]
                size = 1 + pick(rng, first * behind)
                waiting += [(item[1:], n - size), (item[0], size)]
        return leaves
