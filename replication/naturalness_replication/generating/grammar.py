"""Generate sentences of exactly n words from a treebank grammar.

Unconstrained sampling yields trees of any size. Here trees are drawn from the grammar's distribution
conditioned on n words: inside sums over lengths give the probability that a symbol, or a suffix of a
production, yields l words; productions and the lengths of their children are then drawn from the
root down. Each word is drawn given only its tag.

A unary chain is treated as one symbol (`S+VP`), so that there are no unary productions and a tree of
n words has at most n nodes. The label of the root is dropped: `TOP` has the productions of all sentences that end
in a full stop.

The grammar is biased towards terminals: the counts of productions that consist only of tags are
multiplied by `TERMINAL_BIAS`.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from naturalness.errors import CorpusError
from naturalness.models.parsers.tree import CHAIN, Bracketed, Node
from naturalness.text.view import Doc, view
from naturalness_replication.generating.drawing import Count, Spacing, Weighted, draw_texts, pick
from naturalness_replication.generating.tagged import Tagged, inner, is_usable

if TYPE_CHECKING:
    from naturalness.models.parsers.base import ConstituencyParser

TOP = "<TOP>"
END = "<.>"
"""The tag of the full stop that ends a text."""
TERMINAL_BIAS = 2.0
Production = tuple[str, ...]
"""The children of a node: constituents (in angle brackets) and tags."""


class ProductionGrammar(NamedTuple):
    """The probabilities of each symbol's productions, and the counts of each tag's words."""

    productions: Mapping[str, Mapping[Production, float]]
    words: Mapping[str, Mapping[str, int]]


def unary_chain(node: Node) -> tuple[list[str], Node]:
    """Return the labels of nodes that cover the same words, outermost first, and the innermost node."""
    labels = [node.label]
    while len(node.children) == 1 and isinstance(node.children[0], Node):
        node = node.children[0]
        labels.append(node.label)
    return labels, node


def parsed_trees(docs: Sequence[Doc], parser: ConstituencyParser) -> list[Bracketed]:
    """Return the best tree of each sentence of tagged Docs."""
    trees = []
    for doc, sentences in zip(docs, parser.nbest(docs, 1), strict=True):
        seen = view(doc)
        for sentence in sentences:
            if not sentence.problem:
                part = slice(sentence.start, sentence.stop)
                trees.append(Bracketed(sentence.best, seen.texts[part], seen.tags[part]))
    return trees


def count_productions(
    trees: Iterable[Bracketed], tagged: Iterable[Tagged] = (), *, terminal_bias: float = TERMINAL_BIAS
) -> ProductionGrammar:
    """Return the grammar of a treebank; additional words are taken from tagged sentences.

    Sentences that `tagged.is_usable` excludes are skipped, and so are sentences whose full stop is not a
    child of the root. Words are ignored if their tag occurs in no tree.
    """
    counts: defaultdict[str, Counter[Production]] = defaultdict(Counter)
    words: dict[str, Counter[str]] = defaultdict(Counter)
    for root, texts, tags in trees:
        last = len(texts) - 1
        if not is_usable(texts, tags) or _end(root) != last:
            continue
        tags = [*tags[:-1], END]
        _count(root, tags, counts)
        for i, (text, tag) in enumerate(zip(texts, tags, strict=True)):
            words[tag][text if i else inner(text, tag)] += 1
    for sentence in tagged:
        for text, _, tag in sentence[:-1]:
            if tag in words:
                words[tag][text] += 1
    return ProductionGrammar(
        {label: _shares(productions, terminal_bias) for label, productions in counts.items()}, words
    )


def _end(root: Node) -> int | None:
    """Return the last child of the root, or of the last node of its unary chain; None if it is not a word."""
    child = unary_chain(root)[1].children[-1]
    return child if isinstance(child, int) else None


def _count(root: Node, tags: Sequence[str], counts: defaultdict[str, Counter[Production]]) -> None:
    waiting = [(TOP, _joined(root)[1])]
    while waiting:
        label, node = waiting.pop()
        production = []
        for child in node.children:
            if isinstance(child, int):
                production.append(tags[child])
            else:
                name, inside = _joined(child)
                production.append(name)
                waiting.append((name, inside))
        counts[label][tuple(production)] += 1


def _joined(node: Node) -> tuple[str, Node]:
    """Return the symbol of a unary chain, and its last node."""
    labels, last = unary_chain(node)
    return f"<{CHAIN.join(labels)}>", last


def is_tag(symbol: str) -> bool:
    """Return whether a symbol is a tag."""
    return symbol == END or not symbol.startswith("<")


def _shares(counts: Counter[Production], terminal_bias: float) -> dict[Production, float]:
    weights = {
        production: n * (terminal_bias if all(map(is_tag, production)) else 1.0) for production, n in counts.items()
    }
    total = sum(weights.values())
    return {production: weight / total for production, weight in weights.items()}


class GrammarSampler:
    """A generator of texts from trees; additional words are taken from tagged sentences."""

    def __init__(
        self, trees: Iterable[Bracketed], tagged: Iterable[Tagged] = (), *, length: int = 24, count: Count | None = None
    ) -> None:
        tagged = list(tagged)
        grammar = count_productions(trees, tagged)
        if TOP not in grammar.productions:
            raise CorpusError("no tree of a sentence that goes from a letter to a full stop")
        self.length = length
        self.count = count
        self.tags = TreeLeaves(grammar, length)
        self.spacing = Spacing([(t.text, t.space) for t in s] for s in tagged)
        self.words = {tag: Weighted(dict(sorted(counts.items()))) for tag, counts in grammar.words.items()}

    def generate(self, n: int, *, seed: int = 0) -> Iterator[str]:
        """Yield n random texts of ``length`` tokens."""
        yield from draw_texts(n, self._draw, key=f"{seed}:cfg", length=self.length, count=self.count)

    def _draw(self, rng: random.Random) -> str | None:
        """Return a random text; None if it does not start with a letter."""
        words = [self.words[tag].draw(rng) for tag in self.tags.draw(rng)]
        return self.spacing.text(words) if words[0][0].isalpha() else None


class TreeLeaves:
    """A sampler of trees with a given number of leaves, which returns only the tags of the leaves."""

    def __init__(self, grammar: ProductionGrammar, length: int) -> None:
        self.length = length
        rests = {
            production[i:]
            for productions in grammar.productions.values()
            for production in productions
            for i in range(len(production))
        }
        self.rests = sorted(rests)
        self.rest_index = {rest: i for i, rest in enumerate(self.rests)}
        symbols = {*grammar.productions, *(rest[0] for rest in rests)}
        self.symbols = {symbol: i for i, symbol in enumerate(sorted(symbols))}
        self.shares = {
            label: (np.array([self.rest_index[p] for p in shares], dtype=np.intp), np.array([*shares.values()]))
            for label, shares in grammar.productions.items()
        }
        self._sum()
        if not self.inside[self.symbols[TOP], length] > 0:
            raise CorpusError(
                f"the grammar has no tree of {length} words; give more sentences, or choose another length"
            )

    def _sum(self) -> None:
        """Compute the probability that each symbol, and each suffix of a production, yields each number of words."""
        heads = np.array([self.symbols[rest[0]] for rest in self.rests])
        tails = np.array([self.rest_index.get(rest[1:], -1) for rest in self.rests])
        single, several = np.flatnonzero(tails < 0), np.flatnonzero(tails >= 0)
        self.inside = np.zeros((len(self.symbols), self.length + 1))
        self.rest = np.zeros((len(self.rests), self.length + 1))
        self.inside[[at for symbol, at in self.symbols.items() if is_tag(symbol)], 1] = 1.0
        # A production with one child yields a tag, so no symbol depends on another symbol of the same length.
        self.rest[single, 1] = self.inside[heads[single], 1]
        for n in range(1, self.length + 1):
            first = self.inside[heads[several], 1:n]
            behind = self.rest[tails[several], n - 1 : 0 : -1]
            self.rest[several, n] = np.einsum("rk,rk->r", first, behind)
            for label, (rests, shares) in self.shares.items():
                self.inside[self.symbols[label], n] = shares @ self.rest[rests, n]
            self.rest[single, n] = self.inside[heads[single], n]

    def draw(self, rng: random.Random) -> list[str]:
        """Return the tags of a random tree, from left to right."""
        leaves: list[str] = []
        waiting: list[tuple[str | Production, int]] = [(TOP, self.length)]
        while waiting:
            item, n = waiting.pop()
            if isinstance(item, str):
                if is_tag(item):
                    leaves.append(item)
                else:
                    rests, shares = self.shares[item]
                    chosen = rests[pick(rng, shares * self.rest[rests, n])]
                    waiting.append((self.rests[chosen], n))
            elif len(item) == 1:
                waiting.append((item[0], n))
            else:
                first = self.inside[self.symbols[item[0]], 1:n]
                behind = self.rest[self.rest_index[item[1:]], n - 1 : 0 : -1]
                size = 1 + pick(rng, first * behind)
                waiting += [(item[1:], n - size), (item[0], size)]
        return leaves
