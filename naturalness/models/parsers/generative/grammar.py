"""The log-probability of a tree and its words, under a grammar estimated from treebanks.

Labels and tags are small integers; one of each stands for all unknown ones. A word consists of its form (in lower case,
with each digit replaced by 0 and quotes straightened), its digits, and its capitalisation.

    P(word | tag, label) = P(form | tag, label) P(capitals | tag, first, form) / m 10^digits

For each tag, the probabilities of known forms (those seen with the tag, or often with other tags) and of a single
unknown form sum to 1. An unknown form is spelled letter by letter given the tag, from its end (the most informative
part) to a begin mark; a letter that was never seen has a uniform probability over Unicode. A form with irregular
capitals has m spellings, which are equally likely; otherwise m is 1. Every word thus has a probability. The sum over
all words is slightly below 1, since letters can also spell known forms.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from naturalness.models.parsers.generative.backoff import Backoff
from naturalness.models.parsers.tree import Node, nodes
from naturalness.text.normalisation import QUOTES

STOP, NONE, ROOT, OTHER_LABEL, OTHER_TAG = range(5)
"""Numbers of special symbols: end of the children, no previous child or word, parent of the root, unknown label,
unknown tag."""
FIRST = 5
ALIASES = {
    "(": "-LRB-",
    "-LSB-": "-LRB-",
    "-LCB-": "-LRB-",
    ")": "-RRB-",
    "-RSB-": "-RRB-",
    "-RCB-": "-RRB-",
    "NFP": ":",
    "ADD": "NNP",
    "GW": "NN",
    "#": "$",
}
"""Tags that only the pipeline or other treebanks use, each with its equivalent in the training treebanks."""

Decision = tuple[int, int, int, int, int, int, int]
"""Label of the node, its previous child, its parent, the child before the previous one, the tags of the last word and
of the word before it; then the child that is generated, or STOP."""


class Symbols:
    """The numbers that stand for labels and tags."""

    def __init__(self, labels: Sequence[str], tags: Sequence[str]) -> None:
        self.labels = {label: FIRST + i for i, label in enumerate(labels)}
        self.tags = {tag: FIRST + len(labels) + i for i, tag in enumerate(tags)}
        self.size = FIRST + len(labels) + len(tags)
        for written, meant in ALIASES.items():
            if meant in self.tags:
                self.tags.setdefault(written, self.tags[meant])

    @property
    def children(self) -> int:
        """Number of possible children: labels and tags, including the unknown ones, and STOP."""
        return self.size - 2  # NONE and ROOT are never a child

    def label(self, label: str) -> int:
        """Return the number of a label."""
        return self.labels.get(label, OTHER_LABEL)

    def tag(self, tag: str) -> int:
        """Return the number of a tag."""
        return self.tags.get(tag, OTHER_TAG)


def decisions(root: Node, tags: Sequence[int], symbols: Symbols) -> Iterator[Decision]:
    """Yield a tree's decisions: the root's label; then each node's children from left to right, and STOP.

    The context of a decision contains nothing to its right, so the product of the decisions' probabilities is a
    probability distribution over trees.
    """
    before = [NONE, NONE, *tags]
    numbers = symbols.labels
    top = numbers.get(root.label, OTHER_LABEL)
    yield ROOT, NONE, NONE, NONE, NONE, NONE, top
    waiting = [(root, top, ROOT)]
    while waiting:
        node, label, parent = waiting.pop()
        last = earlier = NONE
        for child in node.children:
            if isinstance(child, int):
                at, number = child, tags[child]
            else:
                at, number = child.start, numbers.get(child.label, OTHER_LABEL)
                waiting.append((child, number, label))
            yield label, last, parent, earlier, before[at + 1], before[at], number
            last, earlier = number, last
        yield label, last, parent, earlier, before[node.stop + 1], before[node.stop], STOP


PLAIN = str.maketrans(QUOTES)
DIGIT = re.compile("[0-9]")
LOWER, CAPITAL, CAPITALS, MIXED = range(4)
CASES = 4
"""Number of capitalisation classes: no capitals; a capital first letter; all letters capital, at least two; anything
else."""
BEGINNING, OTHER_LETTER = 0, 1
"""Outcomes of spelling that are not known letters: the begin mark, and any letter that was never seen."""
ALPHABET_START = 2
UNICODE = 0x110000
WORDS_REMEMBERED = 1 << 13
"""Maximum number of cached words; words of more than `LETTERS_REMEMBERED` letters are not cached."""
LETTERS_REMEMBERED = 64
LN10 = math.log(10.0)


class WordShape(NamedTuple):
    """Form and capitalisation class of a word."""

    form: str
    case: int
    cased: bool
    """Whether the word has a letter that exists in upper and lower case."""
    share: float
    """Minus the log of the number of different words with this form and capitalisation class."""


def shape(word: str) -> WordShape:
    """Return the shape of a word."""
    return _remembered(word) if len(word) <= LETTERS_REMEMBERED else _apart(word)


@lru_cache(maxsize=WORDS_REMEMBERED)
def _remembered(word: str) -> WordShape:
    return _apart(word)


def _apart(word: str) -> WordShape:
    if word in ("``", "''"):
        word = '"'
    word = word.translate(PLAIN)
    form, digits = DIGIT.subn("0", word.lower())
    letters = [c for c in word if c.lower() != c.upper()]
    capitals = sum(c != c.lower() for c in letters)
    share = -digits * LN10
    if not capitals:
        return WordShape(form, LOWER, bool(letters), share)
    if capitals == 1 and letters[0] != letters[0].lower():
        return WordShape(form, CAPITAL, True, share)
    if capitals == len(letters):
        return WordShape(form, CAPITALS, True, share)
    # n letters have 2^n patterns; three are regular: no capital, all capitals, and only the first one.
    n = len(letters)
    return WordShape(form, MIXED, True, share - (n * math.log(2.0) + math.log1p(-3.0 * 2.0**-n)))


class WordModel:
    """Probabilities of words given tags and labels, which are numbered as in the grammar's symbols."""

    def __init__(
        self, forms: Sequence[str], letters: Sequence[str], *, counted: Backoff, spelled: Backoff, cased: Backoff
    ) -> None:
        self.forms = {form: i for i, form in enumerate(forms)}
        self.letters = {c: ALPHABET_START + i for i, c in enumerate(letters)}
        self.counted, self.spelled, self.cased = counted, spelled, cased
        self._remembered = lru_cache(maxsize=WORDS_REMEMBERED)(self._score)

    def score(self, word: str, tag: int, label: int, first: bool) -> tuple[float, float]:
        """Return the log-probability of a word in two parts: one from counts, one from spelling.

        ``first`` tells whether no earlier word of the sentence has letters. If the word's form is known, spelling
        covers only its digits and irregular capitals. If the form is unknown, counts give the probability of an unknown
        form, and spelling also covers its letters.
        """
        score = self._remembered if len(word) <= LETTERS_REMEMBERED else self._score
        return score(word, tag, label, first)

    def _score(self, word: str, tag: int, label: int, first: bool) -> tuple[float, float]:
        form, case, cased, share = shape(word)
        number = self.forms.get(form, -1)
        counted, left = self.counted.split((tag, label), number)
        capitals = 0.0
        if cased:
            capitals = math.log(self.cased.prob((first, tag, number + 1), case, 1 / CASES))
        if counted > 0.0:
            return math.log(counted) + capitals, share
        return math.log(left) + capitals, self.spell(form, tag) + share

    def spell(self, form: str, tag: int) -> float:
        """Return the log-probability of a form's letters, from the last to the first, and of the begin mark."""
        size = ALPHABET_START + len(self.letters)
        known = [self.letters.get(c, OTHER_LETTER) for c in reversed(form)]
        following = later = BEGINNING  # initial context: no following letter
        total = 0.0
        for letter in [*known, BEGINNING]:
            total += math.log(self.spelled.prob((following, tag, later), letter, 1 / size))
            later, following = following, letter
        return total - known.count(OTHER_LETTER) * math.log(UNICODE)


DECISIONS_REMEMBERED = 1 << 15


class TreeLogprobs(NamedTuple):
    """Three natural logs, whose sum is the log-probability of a tree and its words."""

    rules: float
    """Log-probability of the tree's labels, tags, and ends of constituents."""
    words: float
    """Log-probability of words given tags and labels, in which all unknown forms with a tag count as one word."""
    spelling: float
    """Log-probability of the letters of unknown forms, of digits, and of irregular capitals."""


@dataclass(frozen=True)
class Grammar:
    """A grammar that generates each child given its parent, its grandparent, and siblings and tags to its left.

    A parent-annotated, horizontally markovised PCFG whose contexts also contain the tags of the two previous words,
    after Roark (2001), *Probabilistic top-down parsing and language modeling*. It scores a given tree; it does not
    parse. Contexts contain only what was generated before, so the probabilities of trees with their words sum to at
    most 1.
    """

    symbols: Symbols
    rules: Backoff
    words: WordModel
    _rule: Callable[[Decision], float] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_rule", lru_cache(maxsize=DECISIONS_REMEMBERED)(self.rule))

    def logprob(self, root: Node, words: Sequence[str], tags: Sequence[str]) -> float:
        """Return ln P(tree, words), which is below 0; higher is more probable. ``tags`` are Penn tags."""
        return math.fsum(self.parts(root, words, tags))

    def parts(self, root: Node, words: Sequence[str], tags: Sequence[str]) -> TreeLogprobs:
        """Return ln P(tree, words) in parts; all unknown labels share a small probability, as do unknown tags."""
        if not (root.start == 0 and root.stop == len(words) == len(tags)):
            raise ValueError(
                f"a tree over words {root.start} to {root.stop} with {len(words)} words and "
                f"{len(tags)} tags; expected as many of each"
            )
        numbers = [self.symbols.tag(tag) for tag in tags]
        rules = sum(map(self._rule, decisions(root, numbers, self.symbols)))
        return TreeLogprobs(rules, *self._words(root, words, numbers))

    def rule(self, decision: Decision) -> float:
        """Return the log-probability of a decision; the probabilities of all children and STOP sum to 1."""
        *context, child = decision
        return math.log(self.rules.prob(context, child, 1 / self.symbols.children))

    def _words(self, root: Node, words: Sequence[str], tags: Sequence[int]) -> tuple[float, float]:
        """Return `TreeLogprobs.words` and `TreeLogprobs.spelling`."""
        start = next((i for i, word in enumerate(words) if shape(word).cased), 0)
        score, label_of = self.words.score, self.symbols.label
        counted = spelling = 0.0
        for node in nodes(root):
            for child in node.children:
                if isinstance(child, int):
                    label = label_of(node.label)
                    logs = score(words[child], tags[child], label, child <= start)
                    counted += logs[0]
                    spelling += logs[1]
        return counted, spelling
