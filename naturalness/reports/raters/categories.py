"""Which categories each text is in: length, clauses, constructions, what is found odd, columns.

Of a text's findings only those count that a reader would see, too (`explanation.SURE`): with the
faint ones every text would have all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from naturalness.arrays import BoolArray
from naturalness.explaining.explanation import SURE, Finding
from naturalness.explaining.findings import OF_RULES, OTHER, SEVERE
from naturalness.explaining.places import by_detector
from naturalness.features.rules import rule_checker
from naturalness.models.checkers.base import checked
from naturalness.reports.raters.constructions import kinds_of, writing_of
from naturalness.reports.raters.judged import Advance
from naturalness.text.parsing import parse, short_memory, unusable
from naturalness.text.view import view

if TYPE_CHECKING:
    from spacy.tokens import Doc

ENDS = (0, 5, 10, 15, 20, 30, 40)
"""Words at which the bands of length end."""
FOUND: Mapping[str, tuple[str, ...]] = {
    "agreement": ("agreement", "noun"),
    "verb form": ("verb",),
    "preposition": ("preposition",),
    "article or pronoun": ("article", "pronoun"),
    "word order": ("order",),
    "missing word": ("missing", "fragment"),
    "extra or repeated word": ("extra", "repeated"),
    "choice of word": ("wrong", "form"),
    "spelling": ("spelling",),
    "joined sentences": ("join",),
}
"""What is found, by kinds of findings; Groves et al. (2018) name agreement, prepositions, order."""
NOTHING = "nothing found"
BATCH = 64
Find = Callable[[Sequence["Doc"]], Sequence[Sequence[Finding]]]
"""What finds odd places in Docs."""


@dataclass(frozen=True, slots=True)
class Category:
    """A set of texts."""

    dimension: str
    """``length``, ``clauses``, ``construction``, ``writing``, ``found`` or a column's name."""
    name: str
    rows: BoolArray


def find_odd(docs: Sequence[Doc]) -> list[list[Finding]]:
    """What rules and detector find: of all that `explaining.findings` asks, what has a kind of its
    own and costs little."""
    found = [list(by_detector(doc)) for doc in docs]
    for own, result in zip(found, checked(rule_checker(), docs), strict=True):
        for match in result.matches:
            kind = OF_RULES.get(match.category, OTHER)
            weight = SEVERE[match.severity]
            own.append(Finding(match.start, match.end, "", kind, "", match.message, "rules", weight))
    return found


def categorise(
    texts: Sequence[str],
    columns: Mapping[str, Sequence[str]],
    *,
    nlp: str,
    finder: Find = find_odd,
    advance: Advance = lambda done, total: None,
) -> list[Category]:
    """All categories that at least one text is in, dimension by dimension.

    ``columns`` are further dimensions: a value per text, by name of the column.
    """
    member: list[set[tuple[str, str]]] = []
    advance(0, len(texts))
    for start in range(0, len(texts), BATCH):
        part = texts[start : start + BATCH]
        with short_memory(nlp=nlp):
            docs = parse(part, nlp=nlp)
            member += [_of_text(*one) for one in zip(part, docs, _found(docs, finder), strict=True)]
            del docs
        advance(len(member), len(texts))
    made = _collected(member, _order())
    for column, values in columns.items():
        many = Counter(values)
        for value in sorted(many, key=lambda v: (-many[v], v)):
            rows = np.array([one == value for one in values], dtype=bool)
            made.append(Category(column, value, rows))
    return made


def _found(docs: Sequence[Doc], finder: Find) -> list[Sequence[Finding]]:
    """Findings of each Doc; none where it cannot be judged."""
    good = [i for i, doc in enumerate(docs) if not unusable(doc)]
    found: list[Sequence[Finding]] = [()] * len(docs)
    for i, own in zip(good, finder([docs[i] for i in good]) if good else (), strict=True):
        found[i] = own
    return found


def _of_text(text: str, doc: Doc, findings: Sequence[Finding]) -> set[tuple[str, str]]:
    seen = view(doc)
    member = {("length", band(len(text.split()))), *kinds_of(seen), *writing_of(text)}
    kinds = {one.kind for one in findings if one.weight >= SURE}
    odd = {("found", name) for name, own in FOUND.items() if not kinds.isdisjoint(own)}
    return member | (odd or {("found", NOTHING)})


def band(words: int) -> str:
    """The band of a length in words."""
    for low, high in pairwise(ENDS):
        if words <= high:
            return f"{low + 1}–{high} words"
    return f"over {ENDS[-1]} words"


def _order() -> dict[tuple[str, str], int]:
    """The order in which lengths and findings are told; the rest follows as it comes."""
    bands = [("length", band(end)) for end in (*ENDS[1:], ENDS[-1] + 1)]
    return {name: i for i, name in enumerate(bands)}


def _collected(member: Sequence[Iterable[tuple[str, str]]], order: Mapping[tuple[str, str], int]) -> list[Category]:
    """From the categories of each text to the texts of each category; the largest first."""
    rows: dict[tuple[str, str], list[int]] = {}
    for row, own in enumerate(member):
        for one in own:
            rows.setdefault(one, []).append(row)
    dimensions = ("length", "clauses", "construction", "writing", "found")
    names = sorted(rows, key=lambda n: (dimensions.index(n[0]), order.get(n, 0), -len(rows[n]), n[1]))
    found = []
    for dimension, name in names:
        inside = np.zeros(len(member), dtype=bool)
        inside[rows[dimension, name]] = True
        found.append(Category(dimension, name, inside))
    return found
