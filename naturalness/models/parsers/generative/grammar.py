"""The log-probability of a tree and its words, under a grammar estimated from treebanks.

Labels and tags are small integers, with one for unknown ones. A word consists of a form (lower case, digits
as 0, straight quotes), its digits, and its capitalisation.

    P(word | tag, label) = P(form | tag, label) P(capitals | tag, first, form) / m 10^digits

Forms counted with a tag, or often with any tag, and one unknown form have probabilities that sum to 1. An
unknown form is spelled letter by letter given the tag, from the end (the most informative part) to a begin
mark; an unseen letter is uniform over Unicode. A form with irregular capitals has m equally likely
spellings. Every word thus has a probability; they sum to slightly less than 1, since letters can also
spell known forms.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from naturalness.models.parsers.generative.backoff import Backoff
from naturalness.models.parsers.tree import Node, nodes
from naturalness.text.normalisation import QUOTES

STOP, NONE, ROOT, OTHER_LABEL, OTHER_TAG = range(5)
"""End of the children; no previous child or word; parent of the root; unknown label; unknown tag."""
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
"""Tags of the pipeline and other treebanks, by their equivalent in the training treebanks."""

Decision = tuple[int, int, int, int, int, int, int]
"""Label of the node, previous child, parent of the node, child before the previous one, tags of the last
and second-last words, and the child generated, or STOP."""


class Symbols:
    """Numbers of labels and tags."""

    def __init__(self, labels: Sequence[str], tags: Sequence[str]) -> None:
        self.labels = {label: FIRST + i for i, label in enumerate(labels)}
        self.tags = {tag: FIRST + len(labels) + i for i, tag in enumerate(tags)}
        self.size = FIRST + len(labels) + len(tags)
        for written, meant in ALIASES.items():
            if meant in self.tags:
                self.tags.setdefault(written, self.tags[meant])

    @property
    def children(self) -> int:
        """Number of possible children: labels, tags, STOP and the unknown ones."""
        return self.size - 2  # NONE and ROOT are never a child

    def label(self, label: str) -> int:
        """Return the number of a label."""
        return self.labels.get(label, OTHER_LABEL)

    def tag(self, tag: str) -> int:
        """Return the number of a tag."""
        return self.tags.get(tag, OTHER_TAG)


def decisions(root: Node, tags: Sequence[int], symbols: Symbols) -> Iterator[Decision]:
    """Yield the decisions of a tree: the root's label, then each node's children from left to right, and STOP.

    Contexts contain nothing to the right of a decision, so the product of the decisions' probabilities is
    a distribution over trees.
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


class Forms:
    """Sorted distinct word forms, in UTF-8, each with its line end."""

    def __init__(self, text: bytes) -> None:
        self._forms = text.split(b"\n")[:-1]

    @classmethod
    def of(cls, forms: Iterable[str]) -> Forms:
        """Return the list of some forms."""
        return cls(b"".join(form + b"\n" for form in sorted(form.encode() for form in forms)))

    @property
    def text(self) -> bytes:
        """The forms as stored in a file, each with its line end."""
        return b"".join(form + b"\n" for form in self._forms)

    def __len__(self) -> int:
        return len(self._forms)

    def __iter__(self) -> Iterator[str]:
        return (form.decode("utf-8") for form in self._forms)

    def find(self, form: str) -> int:
        """Return the position of a form in the list, or -1."""
        sought = form.encode("utf-8", "surrogatepass")
        at = bisect_left(self._forms, sought)
        return at if at < len(self._forms) and self._forms[at] == sought else -1


PLAIN = str.maketrans(QUOTES)
DIGIT = re.compile("[0-9]")
LOWER, CAPITAL, CAPITALS, MIXED = range(4)
CASES = 4
"""Number of capitalisation classes: no capital; the first letter; all of at least two letters; anything else."""
BEGINNING, OTHER_LETTER = 0, 1
"""Numbers of the outcomes that are not known letters: the word is complete, or the letter is unseen."""
ALPHABET_START = 2
UNICODE = 0x110000
WORDS_REMEMBERED = 1 << 13
"""Cached words, of at most `LETTERS_REMEMBERED` letters."""
LETTERS_REMEMBERED = 64
LN10 = math.log(10.0)


class Shape(NamedTuple):
    """Form and capitalisation of a word."""

    form: str
    case: int
    cased: bool
    """Whether it has a letter with an upper and lower case."""
    share: float
    """Minus the log of the number of words with this form and capitalisation."""


def shape(word: str) -> Shape:
    """Return the shape of a word."""
    return _remembered(word) if len(word) <= LETTERS_REMEMBERED else _apart(word)


@lru_cache(maxsize=WORDS_REMEMBERED)
def _remembered(word: str) -> Shape:
    return _apart(word)


def _apart(word: str) -> Shape:
    if word in ("``", "''"):
        word = '"'
    word = word.translate(PLAIN)
    form, digits = DIGIT.subn("0", word.lower())
    letters = [c for c in word if c.lower() != c.upper()]
    capitals = sum(c != c.lower() for c in letters)
    share = -digits * LN10
    if not capitals:
        return Shape(form, LOWER, bool(letters), share)
    if capitals == 1 and letters[0] != letters[0].lower():
        return Shape(form, CAPITAL, True, share)
    if capitals == len(letters):
        return Shape(form, CAPITALS, True, share)
    # 2^n patterns for n letters, except no capital, all, and the first alone.
    n = len(letters)
    return Shape(form, MIXED, True, share - (n * math.log(2.0) + math.log1p(-3.0 * 2.0**-n)))


class WordModel:
    """Probabilities of words given tags and labels, which are numbered as in the grammar's symbols."""

    def __init__(
        self, forms: Forms, letters: Sequence[str], *, counted: Backoff, spelled: Backoff, cased: Backoff
    ) -> None:
        self.forms = forms
        self.letters = {c: ALPHABET_START + i for i, c in enumerate(letters)}
        self.counted, self.spelled, self.cased = counted, spelled, cased
        self._remembered = lru_cache(maxsize=WORDS_REMEMBERED)(self._score)

    def score(self, word: str, tag: int, label: int, first: bool) -> tuple[float, float]:
        """Return the log-probability of a word in two parts: counts and spelling.

        ``first`` tells whether it is the first word with letters. For a known form, spelling covers the
        digits alone; for an unknown one it covers the letters too, and counts the event of an unknown form.
        """
        score = self._remembered if len(word) <= LETTERS_REMEMBERED else self._score
        return score(word, tag, label, first)

    def _score(self, word: str, tag: int, label: int, first: bool) -> tuple[float, float]:
        form, case, cased, share = shape(word)
        number = self.forms.find(form)
        counted, left = self.counted.split((tag, label), number)
        capitals = 0.0
        if cased:
            capitals = math.log(self.cased.prob((first, tag, number + 1), case, 1 / CASES))
        if counted > 0.0:
            return math.log(counted) + capitals, share
        return math.log(left) + capitals, self.spell(form, tag) + share

    def spell(self, form: str, tag: int) -> float:
        """Return the log-probability of a form's letters, from last to first, and of the begin mark."""
        size = ALPHABET_START + len(self.letters)
        known = [self.letters.get(c, OTHER_LETTER) for c in reversed(form)]
        following = later = BEGINNING  # initial context: no following letter
        total = 0.0
        for letter in [*known, BEGINNING]:
            total += math.log(self.spelled.prob((following, tag, later), letter, 1 / size))
            later, following = following, letter
        return total - known.count(OTHER_LETTER) * math.log(UNICODE)


DECISIONS_REMEMBERED = 1 << 15


class Parts(NamedTuple):
    """Natural logs that sum to the log-probability of a tree and its words."""

    rules: float
    """Log-probability of labels, tags, and ends of constituents."""
    words: float
    """Log-probability of words given tags and labels; all unknown forms of a tag count as one word."""
    spelling: float
    """Log-probability of the letters of unknown forms, and of the digits of numbers."""


@dataclass(frozen=True)
class Grammar:
    """A generative grammar: each child given label, parent, and the siblings and tags to its left.

    A parent-annotated, horizontally markovised PCFG whose contexts also contain the tags of the two previous
    words, after Roark (2001), *Probabilistic top-down parsing and language modeling*. It scores given trees
    and does not search. Contexts contain only what was generated before, so the probabilities of trees with
    their words sum to 1.
    """

    symbols: Symbols
    rules: Backoff
    words: WordModel
    _rule: Callable[[Decision], float] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_rule", lru_cache(maxsize=DECISIONS_REMEMBERED)(self.rule))

    def logprob(self, root: Node, words: Sequence[str], tags: Sequence[str]) -> float:
        """Return log P(tree, words), below 0; higher is likelier. ``tags`` are Penn tags."""
        return math.fsum(self.parts(root, words, tags))

    def parts(self, root: Node, words: Sequence[str], tags: Sequence[str]) -> Parts:
        """Return log P(tree, words) in parts. Unknown labels and tags share a small probability."""
        if not (root.start == 0 and root.stop == len(words) == len(tags)):
            raise ValueError(
                f"a tree over words {root.start} to {root.stop} with {len(words)} words and "
                f"{len(tags)} tags; expected as many of each"
            )
        numbers = [self.symbols.tag(tag) for tag in tags]
        rules = sum(map(self._rule, decisions(root, numbers, self.symbols)))
        return Parts(rules, *self._words(root, words, numbers))

    def rule(self, decision: Decision) -> float:
        """Return the log-probability of one decision; probabilities of all children and STOP sum to 1."""
        *context, child = decision
        return math.log(self.rules.prob(context, child, 1 / self.symbols.children))

    def _words(self, root: Node, words: Sequence[str], tags: Sequence[int]) -> tuple[float, float]:
        """Return the parts of words and spelling."""
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
