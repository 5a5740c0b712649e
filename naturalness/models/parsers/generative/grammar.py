"""The log-probability of a tree and its words, by a grammar read off treebanks."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from naturalness.models.parsers.generative.backoff import Backoff
from naturalness.models.parsers.generative.symbols import Decision, Symbols, decisions
from naturalness.models.parsers.generative.words import WordModel, shape
from naturalness.models.parsers.tree import Node, nodes

REMEMBERED = 1 << 15


class Parts(NamedTuple):
    """Natural logs that sum to the log-probability of a tree and its words."""

    rules: float
    """Labels, tags, and where constituents end."""
    words: float
    """Words given tags and labels; what was never counted is one word of its tag."""
    spelling: float
    """Which of those words it is, letter by letter; the digits of numbers."""


@dataclass(frozen=True)
class Grammar:
    """A generative grammar: child by child given label, parent, siblings and tags to the left.

    A parent-annotated, horizontally markovised PCFG whose contexts also hold the tags of the two
    words before, after Roark (2001), *Probabilistic top-down parsing and language modeling*,
    without its search: trees are given. All that a context holds was generated before, so
    probabilities of trees with their words sum to 1.
    """

    symbols: Symbols
    rules: Backoff
    words: WordModel
    _rule: Callable[[Decision], float] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_rule", lru_cache(maxsize=REMEMBERED)(self.rule))

    def logprob(self, root: Node, words: Sequence[str], tags: Sequence[str]) -> float:
        """log P(tree, words), below 0; higher is likelier. ``tags`` are Penn tags."""
        return math.fsum(self.parts(root, words, tags))

    def parts(self, root: Node, words: Sequence[str], tags: Sequence[str]) -> Parts:
        """The same in parts. Labels and tags that no treebank had share a small probability."""
        if not (root.start == 0 and root.stop == len(words) == len(tags)):
            raise ValueError(
                f"a tree over words {root.start} to {root.stop} with {len(words)} words and "
                f"{len(tags)} tags; expected as many of each"
            )
        numbers = [self.symbols.tag(tag) for tag in tags]
        rules = sum(map(self._rule, decisions(root, numbers, self.symbols)))
        return Parts(rules, *self._words(root, words, numbers))

    def rule(self, decision: Decision) -> float:
        """Log-probability of one decision; those of all children and STOP sum to 1."""
        *context, child = decision
        return math.log(self.rules.prob(context, child, 1 / self.symbols.children))

    def _words(self, root: Node, words: Sequence[str], tags: Sequence[int]) -> tuple[float, float]:
        """The words' part and that of their spelling."""
        start = next((i for i, word in enumerate(words) if shape(word).cased), 0)
        score, label_of = self.words.score, self.symbols.label
        counted = spelling = 0.0
        for node in nodes(root):
            for child in node.children:
                if isinstance(child, int):
                    label = label_of(node.label)
                    found = score(words[child], tags[child], label, child <= start)
                    counted += found[0]
                    spelling += found[1]
        return counted, spelling
