"""Rules, which match patterns over the tokens of a sentence, and have a message to show for each match.

A pattern gives names to tokens of one sentence. The first token is the *anchor*; each further token is searched for
relative to a token that is already bound (``"left child of verb"``, ``"after verb"``). The rule fires if all its
``tokens`` are found, no group in ``unless`` is found, and ``test`` returns True.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from naturalness.english.inflection import inflect
from naturalness.english.rules.times import Span, is_in_clause, past_of, past_times
from naturalness.english.rules.verbs import base_of
from naturalness.english.wordlist import load_wordlist
from naturalness.text.matches import Severity
from naturalness.text.view import View, word_set

Binding = Mapping[str, int]
"""Indices in the View of the bound tokens, keyed by token name."""


NAMED = word_set("NNP NNPS")
"""The tags of names."""


SIGNS = frozenset("_\\\\=<>@#`~^|{}*")
QUOTES = frozenset({"'", '"', "`"})


class RuleSentence:
    """One sentence of a View. Rules never look at tokens outside the sentence."""

    def __init__(self, view: View, start: int, end: int) -> None:
        self.view, self.start, self.end = view, start, end
        self.texts, self.lower, self.lemmas = view.texts, view.lower, view.lemmas
        self.tags, self.deps, self.heads = view.tags, view.deps, view.heads

    @cached_property
    def children(self) -> list[list[int]]:
        """The dependents of each token, indexed from the start of the sentence."""
        dependents: list[list[int]] = [[] for _ in range(self.start, self.end)]
        for i in range(self.start, self.end):
            head = self.heads[i]
            if head != i and self.start <= head < self.end:
                dependents[head - self.start].append(i)
        return dependents

    @cached_property
    def names(self) -> tuple[int, int]:
        """The numbers of capitalised words and of lower-case names, not counting the first word; see `nouns.py`."""
        inside = range(self.start + 1, self.end)
        large = sum(self.texts[i][0].isupper() and self.texts[i] != "I" for i in inside)
        return large, sum(self.tags[i] in NAMED and self.texts[i].islower() for i in inside)

    @cached_property
    def past_times(self) -> list[Span]:
        """The spans of expressions for a time in the past."""
        return past_times(self.view, self.start, self.end)

    def is_past(self, verb: int) -> bool:
        """Return whether a time in the past opens the sentence of a verb, or follows it in its clause."""
        return any(
            is_in_clause(self.view, span, verb) for span in self.past_times if span[0] == self.start or span[0] > verb
        )

    def is_code(self, i: int) -> bool:
        """Return whether a token looks like code or markup: it contains or adjoins a sign, or stands in quotes."""
        texts = self.texts
        before = texts[i - 1] if i > self.start else ""
        after = texts[i + 1] if i + 1 < self.end else ""
        signed = any(not SIGNS.isdisjoint(text) for text in (texts[i], after, before if i - 1 > self.start else ""))
        return signed or (before == after and before in QUOTES)

    def children_of(self, i: int) -> list[int]:
        """Return the dependents of a token from left to right."""
        return self.children[i - self.start]


Relation = Callable[[RuleSentence, int], Sequence[int]]


def _head(s: RuleSentence, i: int) -> tuple[int, ...]:
    head = s.heads[i]
    return (head,) if head != i and s.start <= head < s.end else ()


def _at(s: RuleSentence, i: int) -> tuple[int, ...]:
    return (i,) if s.start <= i < s.end else ()


def _is_adverb(s: RuleSentence, i: int) -> bool:
    return s.tags[i] in ("RB", "RBR") or s.lower[i] in ("both", "all")


def _past_adverbs(s: RuleSentence, i: int, step: int) -> tuple[int, ...]:
    i += step
    while s.start <= i < s.end and _is_adverb(s, i):
        i += step
    return _at(s, i)


def _away(distance: int) -> Relation:
    """Return the relation to the token so many positions after a token; before it, if the distance is negative."""
    return lambda s, i: _at(s, i + distance)


FAR = 100
"""The number of tokens that *anywhere* reaches, limited so that running time is linear in the length of a sentence."""

RELATIONS: Mapping[str, Relation] = {
    "child of": RuleSentence.children_of,
    "left child of": lambda s, i: [c for c in s.children_of(i) if c < i],
    "head of": _head,
    "before": _away(-1),
    "2 before": _away(-2),
    "3 before": _away(-3),
    "after": _away(1),
    "2 after": _away(2),
    "after, past adverbs,": lambda s, i: _past_adverbs(s, i, 1),
    "before, past adverbs,": lambda s, i: _past_adverbs(s, i, -1),
    "soon before": lambda s, i: range(i - 1, max(s.start, i - 3) - 1, -1),
    "soon after": lambda s, i: range(i + 1, min(s.end, i + 4)),
    "anywhere before": lambda s, i: range(i - 1, max(s.start, i - FAR) - 1, -1),
    "anywhere after": lambda s, i: range(i + 1, min(s.end, i + FAR + 1)),
    "anywhere beside": lambda s, i: range(max(s.start, i - FAR), min(s.end, i + FAR + 1)),
    "same as": lambda s, i: (i,),
    "end of": lambda s, i: (s.end - 1,),
}
"""Functions that return the tokens in a given relation to a token, nearest first, keyed by the relation's name.
*End of* is the last token of the sentence, and *soon* means one to three tokens away."""

COLUMNS = ("lower", "lemma", "tag", "dep", "pos", "text")
"""The columns that a condition may test, most selective first. A rule is indexed by the first column that its anchor
tests."""
Columns = tuple[list[str], ...]
"""The lists of a View in the order of `COLUMNS`."""


def columns_of(view: View) -> Columns:
    """Return the lists of a View in the order of `COLUMNS`."""
    return (view.lower, view.lemmas, view.tags, view.deps, view.pos, view.texts)


@dataclass(frozen=True, slots=True)
class Condition:
    """A set of values that must, or must not, contain the value of a token's column."""

    column: int
    values: frozenset[str]
    wanted: bool


@dataclass(frozen=True, slots=True)
class Token:
    """One token of a pattern."""

    name: str
    conditions: tuple[Condition, ...]
    """The conditions that the token must meet: wanted values before unwanted ones, then selective columns first."""
    relation: Relation = RELATIONS["same as"]
    other: str = ""
    """Name of the token that the relation refers to; empty for the anchor."""
    behind: str = ""
    """Name of another token; the token lies between the two, whatever the relation."""
    like: Callable[[str], bool] | None = None
    """A predicate that the lower-case word must satisfy; None if there is no such condition."""

    def fits(self, columns: Columns, i: int) -> bool:
        """Return whether the token at index ``i`` meets the conditions."""
        for condition in self.conditions:
            if (columns[condition.column][i] in condition.values) is not condition.wanted:
                return False
        return self.like is None or self.like(columns[0][i])

    def indices(self, sentence: RuleSentence, bound: Binding) -> Sequence[int]:
        """Return the indices that the token may have, nearest first."""
        other = bound[self.other]
        return range(bound[self.behind] + 1, other) if self.behind else self.relation(sentence, other)

    def is_there(self, sentence: RuleSentence, columns: Columns, other: int) -> bool:
        """Return whether any token that has the relation to the token at index ``other`` meets the conditions."""
        for i in self.relation(sentence, other):  # noqa: SIM110 (any() would set up a generator)
            if self.fits(columns, i):
                return True
        return False


Tokens = tuple[Token, ...]


@dataclass(frozen=True, slots=True)
class RuleFinding:
    """The tokens of a View at which a rule fires, from `start` up to, but not including, `end`."""

    start: int
    end: int
    suggestions: tuple[str, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)
    """The values of the ``{name}`` fields in the rule's message."""
    is_past: bool = False
    """Whether a time in the past decides the tense of a suggestion."""


Test = Callable[[RuleSentence, Binding], bool]
Suggest = Callable[[RuleSentence, Binding], tuple[str, ...]]
Find = Callable[[RuleSentence], Iterator[RuleFinding]]


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A rule from a family's TOML file, which is either a pattern or a function that searches a sentence."""

    id: str
    message: str
    """The message; ``{name}`` stands for a bound token as written, ``{suggestion}`` for the first suggestion."""
    bad: tuple[str, ...]
    """Sentences in which this rule must fire; the first is shown in docs/codes.md."""
    good: tuple[str, ...]
    """Sentences in which no rule at all may fire; the first is a correction of the first bad sentence."""
    finds: str = ""
    fix: str = ""
    """Advice on how to fix the error; if empty, the general advice on its cause is used."""
    severity: Severity = "error"
    version: int = 1
    """The version of the rule, which is increased whenever a change affects what the rule finds."""
    tokens: Tokens = ()
    unless: tuple[Tokens, ...] = ()
    """Groups of tokens; the rule does not fire if all tokens of a group are present."""
    test: Test | None = None
    mark: tuple[str, ...] = ()
    """Names of tokens; the match extends from the first of them to the last. If empty, the match is the anchor."""
    suggest: Suggest | None = None
    find: Find | None = None
    """The function that searches a sentence, for a rule that has no pattern."""


PRESENT = ("VBZ", "VBP")
"""The tags of forms that become past forms if there is a time in the past."""
AFTER_I = {"are": "am", "were": "was"}
"""Forms of *be* after *I*, keyed by those after *you*."""
FORMATS: Mapping[str, Callable[[str], str]] = {"base": base_of, "lower": str}
"""Functions of the lower-case word, keyed by the names that templates use for them."""


@dataclass(frozen=True, slots=True)
class Template:
    """Suggest texts from templates.

    ``{name}`` stands for a token as written, ``{name:TAG}`` for its form for a tag, ``{name:base}`` for the base form
    of a verb, ``{name:lower}`` for the word in lower case, and ``{name:table}`` for its entry in a table of the family.
    """

    patterns: tuple[str, ...]
    tables: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def __call__(self, sentence: RuleSentence, bound: Binding) -> tuple[str, ...]:
        shown = {name: _Word(sentence, i, self.tables) for name, i in bound.items()}
        return tuple(pattern.format_map(shown) for pattern in self.patterns)

    def is_past(self, sentence: RuleSentence, bound: Binding) -> bool:
        """Return whether a time in the past decides the tense of a suggestion."""
        present = [f"{{{name}:{tag}}}" for name, i in bound.items() if sentence.is_past(i) for tag in PRESENT]
        return any(form in pattern for form in present for pattern in self.patterns)


@dataclass(frozen=True, slots=True)
class _Word:
    """A token that is formatted as written or by a Penn tag or table.

    The present becomes the past if there is a time in the past, as do *was* and *were*, which are past already.
    """

    sentence: RuleSentence
    i: int
    tables: Mapping[str, Mapping[str, str]]

    def __format__(self, tag: str) -> str:
        written, lower, lemma = (of[self.i] for of in (self.sentence.texts, self.sentence.lower, self.sentence.lemmas))
        if not tag:
            return written
        if tag in FORMATS:
            return FORMATS[tag](lower)
        if tag in self.tables:
            return self.tables[tag].get(lower, written)
        if tag.startswith("V") and lemma not in load_wordlist():
            lemma = base_of(lower)  # the tagger's lemma may be no word: "ne" for "need"
        past = tag in PRESENT and (lower in ("was", "were") or self.sentence.is_past(self.i))
        form = past_of(lemma, tag) if past else inflect(lemma, tag)
        before = _past_adverbs(self.sentence, self.i, -1)
        return AFTER_I.get(form, form) if before and self.sentence.lower[before[0]] == "i" else form


@dataclass(frozen=True, slots=True)
class Replacement:
    """Suggest a token's entry in a table; suggest nothing if the token has no entry."""

    name: str
    table: Mapping[str, str]

    def __call__(self, sentence: RuleSentence, bound: Binding) -> tuple[str, ...]:
        replacement = self.table.get(sentence.lower[bound[self.name]])
        return () if replacement is None else (replacement,)
