"""Rules as data: how tokens stand to each other, and what to say where they do.

A rule binds names to tokens of one sentence. The first token is the *anchor*; each further one is
found from one that is bound already (``"left child of verb"``, ``"after verb"``). The rule fires
where all of ``tokens`` are found, none of ``unless``, and ``test`` agrees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from naturalness.english.inflection import inflect
from naturalness.text.matches import Severity
from naturalness.text.view import View

Binding = Mapping[str, int]
"""Names of tokens and their indices in the View."""


def words(text: str) -> frozenset[str]:
    """Return a set of words, written as a text."""
    return frozenset(text.split())


NAMED = frozenset({"NNP", "NNPS"})
"""Tags of names."""


class Sentence:
    """One sentence of a View: the only tokens that a rule may look at."""

    __slots__ = ("__dict__", "end", "start", "view")

    def __init__(self, view: View, start: int, end: int) -> None:
        self.view, self.start, self.end = view, start, end

    @cached_property
    def children(self) -> list[list[int]]:
        """Dependents of each token, counted from the start of the sentence."""
        dependents: list[list[int]] = [[] for _ in range(self.start, self.end)]
        for i in range(self.start, self.end):
            head = self.view.heads[i]
            if head != i and self.start <= head < self.end:
                dependents[head - self.start].append(i)
        return dependents

    @cached_property
    def names(self) -> tuple[int, int]:
        """Words with a capital, and names without, behind the first word: see `nouns.py`."""
        texts, tags = self.view.texts, self.view.tags
        inside = range(self.start + 1, self.end)
        large = sum(texts[i][0].isupper() and texts[i] != "I" for i in inside)
        return large, sum(tags[i] in NAMED and texts[i].islower() for i in inside)

    def children_of(self, i: int) -> list[int]:
        """Return the dependents of a token, from left to right."""
        return self.children[i - self.start]


def _head(s: Sentence, i: int) -> tuple[int, ...]:
    head = s.view.heads[i]
    return (head,) if head != i and s.start <= head < s.end else ()


def _at(s: Sentence, i: int) -> tuple[int, ...]:
    return (i,) if s.start <= i < s.end else ()


def _is_adverb(s: Sentence, i: int) -> bool:
    return s.view.tags[i] in ("RB", "RBR") or s.view.lower[i] in ("both", "all")


def _past_adverbs(s: Sentence, i: int) -> tuple[int, ...]:
    i += 1
    while i < s.end and _is_adverb(s, i):
        i += 1
    return _at(s, i)


def _before_adverbs(s: Sentence, i: int) -> tuple[int, ...]:
    i -= 1
    while i >= s.start and _is_adverb(s, i):
        i -= 1
    return _at(s, i)


FAR = 100
"""How many tokens away *anywhere* reaches, so that time grows with the length, not its square."""

RELATIONS: Mapping[str, Callable[[Sentence, int], tuple[int, ...] | list[int] | range]] = {
    "child of": lambda s, i: s.children_of(i),
    "left child of": lambda s, i: [c for c in s.children_of(i) if c < i],
    "right child of": lambda s, i: [c for c in s.children_of(i) if c > i],
    "head of": _head,
    "before": lambda s, i: _at(s, i - 1),
    "2 before": lambda s, i: _at(s, i - 2),
    "3 before": lambda s, i: _at(s, i - 3),
    "after": lambda s, i: _at(s, i + 1),
    "2 after": lambda s, i: _at(s, i + 2),
    "3 after": lambda s, i: _at(s, i + 3),
    "4 after": lambda s, i: _at(s, i + 4),
    "after, past adverbs,": _past_adverbs,
    "before, past adverbs,": _before_adverbs,
    "soon before": lambda s, i: range(i - 1, max(s.start, i - 3) - 1, -1),
    "soon after": lambda s, i: range(i + 1, min(s.end, i + 4)),
    "anywhere before": lambda s, i: range(i - 1, max(s.start, i - FAR) - 1, -1),
    "anywhere after": lambda s, i: range(i + 1, min(s.end, i + FAR + 1)),
    "anywhere beside": lambda s, i: range(max(s.start, i - FAR), min(s.end, i + FAR + 1)),
    "same as": lambda s, i: (i,),
}
"""Where a token may stand; *soon* is one to three places away, the nearest is tried first."""

COLUMNS = ("lower", "lemma", "tag", "dep", "pos", "text")
"""What a condition may speak of, the most selective first; rules are filed under the first one."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What one column of a token must, or must not, hold."""

    column: str
    values: frozenset[str]
    wanted: bool


@dataclass(frozen=True, slots=True)
class Token:
    """One token of a rule."""

    name: str
    relation: str
    """A key of `RELATIONS`; empty for the anchor."""
    other: str
    """The name of the token that the relation starts from."""
    conditions: tuple[Condition, ...]
    like: Callable[[str], bool] | None
    """A question about the word in lower case, for what a set of words cannot say."""


def token(
    name: str,
    where: str = "",
    *,
    like: Callable[[str], bool] | None = None,
    **conditions: str | set[str] | frozenset[str],
) -> Token:
    """Return a token of a rule: ``token("verb", "head of subject", tag="VBP VBZ", lemma_not="be")``.

    ``where`` is a relation and a name. Conditions are columns, or columns and ``_not``; values are
    words apart by spaces, or a set of them.
    """
    relation, _, other = where.rpartition(" ")
    if where and relation not in RELATIONS:
        raise ValueError(f"token {name!r} is {relation!r} another; one of {', '.join(RELATIONS)}")
    ordered = []
    for key, values in conditions.items():
        column = key.removesuffix("_not")
        if column not in COLUMNS:
            raise ValueError(f"token {name!r} asks for {column!r}; one of {', '.join(COLUMNS)}")
        values = words(values) if isinstance(values, str) else frozenset(values)
        ordered.append(Condition(column, values, column == key))
    ordered.sort(key=lambda c: (not c.wanted, COLUMNS.index(c.column)))
    return Token(name, relation, other, tuple(ordered), like)


Unless = Token | tuple[Token, ...]
Test = Callable[[Sentence, Binding], bool]
Suggest = Callable[[Sentence, Binding], tuple[str, ...]]


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A pattern, and what to say where it matches."""

    id: str
    message: str
    """``{name}`` stands for a bound token as written, ``{suggestion}`` for the first suggestion."""
    tokens: tuple[Token, ...]
    unless: tuple[Unless, ...] = ()
    """None of these may be there; a tuple counts where all its tokens are."""
    test: Test | None = None
    """What the data cannot say; used rarely."""
    mark: str = ""
    """Names of tokens: the match reaches from the first to the last. Default: the anchor."""
    suggest: Suggest | None = None
    severity: Severity = "error"
    bad: tuple[str, ...]
    """Sentences in which this rule must fire."""
    good: tuple[str, ...]
    """Sentences in which no rule may fire."""

    def __post_init__(self) -> None:
        known: set[str] = set()
        for step in self.tokens:
            _check(self.id, step, known)
            known.add(step.name)
        for group in self.unless:
            inside = set(known)
            for step in (group,) if isinstance(group, Token) else group:
                _check(self.id, step, inside)
                inside.add(step.name)
        if unknown := set(self.mark.split()) - known:
            raise ValueError(f"rule {self.id} marks {unknown}; its tokens are {sorted(known)}")
        if not any(c.wanted for c in self.tokens[0].conditions):
            raise ValueError(f"rule {self.id}: the anchor needs a value to be filed under")


def _check(rule: str, step: Token, known: set[str]) -> None:
    """Refuse a token, other than the anchor, that does not start from one bound before it."""
    if step.name in known or bool(known) != bool(step.other) or (known and step.other not in known):
        raise ValueError(
            f"rule {rule}: token {step.name!r} starts from {step.other!r}; bound before it are "
            f"{sorted(known) or 'none'}, and names are given once"
        )


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule found: tokens of a View, from `start` up to, not including, `end`."""

    start: int
    end: int
    message: str
    suggestions: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class CodeRule:
    """A rule that is code: it looks through one sentence itself."""

    id: str
    find: Callable[[Sentence], Iterator[Finding]]
    severity: Severity = "error"
    bad: tuple[str, ...]
    good: tuple[str, ...]


# What helps to write suggestions: small objects rather than functions in functions, so that a
# rule's checksum sees what they were made with.


@dataclass(frozen=True, slots=True)
class Form:
    """Suggest texts with each ``{name}`` or ``{name:TAG}`` filled in; tags inflect the lemma."""

    patterns: tuple[str, ...]

    def __call__(self, sentence: Sentence, bound: Binding) -> tuple[str, ...]:
        shown = {name: _Word(sentence.view, i) for name, i in bound.items()}
        return tuple(pattern.format_map(shown) for pattern in self.patterns)


class _Word:
    """A token within a suggestion: as written, or in another form."""

    __slots__ = ("i", "view")

    def __init__(self, view: View, i: int) -> None:
        self.view, self.i = view, i

    def __format__(self, tag: str) -> str:
        if not tag:
            return self.view.texts[self.i]
        return inflect(self.view.lemmas[self.i], tag)


def instead(*patterns: str) -> Form:
    """Suggest texts: ``instead("to {verb:VB}", "{verb:VBG}")``; ``instead("")`` leaves it out."""
    return Form(patterns)


@dataclass(frozen=True, slots=True)
class Replacement:
    """Suggest what a table has for the word; nothing where it has none."""

    name: str
    table: Mapping[str, str]

    def __call__(self, sentence: Sentence, bound: Binding) -> tuple[str, ...]:
        replacement = self.table.get(sentence.view.lower[bound[self.name]])
        return () if replacement is None else (replacement,)


def replaced(name: str, table: Mapping[str, str]) -> Replacement:
    """Suggest what a table has for a token: ``replaced("determiner", {"this": "these"})``."""
    return Replacement(name, table)
