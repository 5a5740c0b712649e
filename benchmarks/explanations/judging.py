"""Judge whether an explanation names a known error and marks its place.

Places are compared as words, pieces between spaces. A span is the words that it overlaps, a gap the
word before it and the word behind it. An explanation *shows* its findings of weight `SURE` or more,
or its first one alone where none is that sure; one that marks more than half of the words shows no
place. The place is right where what is shown and the error share a word. How often that is so by
chance: the same marks, moved on by every number of words (those at the end begin anew).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.explanations.cases import Case
from naturalness.explaining import wording
from naturalness.explaining.causes import TITLES
from naturalness.explaining.explanation import Explanation, Finding
from naturalness.explaining.shown import SURE

CAUSES: Mapping[str, str] = {
    "word_order": "order",
    "agreement": "agreement",
    "tense": "verbs",
    "article": "small_words",
    "preposition": "small_words",
    "drop": "missing",
    "insert": "extra",
    "repeat": "extra",
    "splice": "structure",
    "pronoun": "small_words",
    "wrong_word": "wording",
    "spelling": "spelling",
}
"""The cause that fits a kind of error."""

FINDINGS: Mapping[str, frozenset[str]] = {
    kind: frozenset(names.split())
    for kind, names in {
        "word_order": "order",
        "agreement": "agreement noun",
        "tense": "verb",
        "article": "article",
        "preposition": "preposition",
        "drop": "missing",
        "insert": "extra",
        "repeat": "repeated",
        "splice": "join",
        "pronoun": "pronoun",
        "wrong_word": "wrong",
        "spelling": "spelling",
    }.items()
}
"""The kinds of findings that match an error exactly; the damage `agreement` changes nouns too."""

WIDEST = 0.5
"""The largest share of a text's words that a finding may mark and still locate an error."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The judgement of an explanation."""

    kind: str
    fall: float
    """Naturalness of the sound text minus that of the text with the error."""
    cause: str
    finding_kind: str
    """The kind of its first finding; empty where it has none."""
    by_finding: bool
    """Whether any finding is sure."""
    cause_right: bool
    kind_right: bool
    span_right: bool
    span_by_chance: float
    """0..1; NaN for a single word."""
    marked: float
    """Share of words that are marked, 0..1."""


def judge(case: Case, explanation: Explanation, fall: float) -> Judged:
    """Compare an explanation with the known error."""
    words = words_of(case.text)
    marked = marked_words(words, explanation, widest=WIDEST)
    damaged = touched(words, case.start, case.end)
    kind = explanation.findings[0].kind if explanation.findings else ""
    return Judged(
        kind=case.kind,
        fall=fall,
        cause=explanation.cause,
        finding_kind=kind,
        by_finding=bool(sure(explanation)),
        cause_right=explanation.cause == CAUSES[case.kind],
        kind_right=kind in FINDINGS[case.kind],
        span_right=bool(marked & damaged),
        span_by_chance=chance(marked, damaged, len(words)),
        marked=len(marked_words(words, explanation)) / len(words),
    )


def words_of(text: str) -> list[tuple[int, int]]:
    """Return the start and end of each space-separated word."""
    spans, at = [], 0
    for piece in text.split():
        start = text.index(piece, at)
        at = start + len(piece)
        spans.append((start, at))
    return spans


def touched(words: Sequence[tuple[int, int]], start: int, end: int) -> set[int]:
    """Return the words that a span overlaps, or the neighbours of a gap."""
    if start < end:
        return {i for i, (s, e) in enumerate(words) if s < end and start < e}
    before = [i for i, (s, _) in enumerate(words) if s < start][-1:]
    behind = [i for i, (s, _) in enumerate(words) if s >= start][:1]
    return {*before, *behind}


def sure(explanation: Explanation) -> list[Finding]:
    """Return the findings that are more likely right than wrong."""
    return [finding for finding in explanation.findings if finding.weight >= SURE]


def marked_words(words: Sequence[tuple[int, int]], explanation: Explanation, *, widest: float = 1.0) -> set[int]:
    """Return the words that an explanation marks, without findings that mark a larger share than ``widest``."""
    shown = sure(explanation) or explanation.findings[:1]
    marked = [touched(words, finding.start, finding.end) for finding in shown]
    return {i for words_of_mark in marked if len(words_of_mark) <= widest * len(words) for i in words_of_mark}


def chance(marked: set[int], damaged: set[int], n: int) -> float:
    """Return the share of shifted copies of the marks that overlap the error by chance."""
    if n < 2:
        return math.nan
    moved = ({(i + step) % n for i in marked} for step in range(1, n))
    return sum(bool(shifted & damaged) for shifted in moved) / (n - 1)


def contradictions(explanation: Explanation) -> tuple[bool, bool]:
    """Return whether the cause that is named is missing from the line of causes, and whether it
    raised the score instead of lowering it.
    """
    value = next(
        (contribution.value for contribution in explanation.contributions if contribution.cause == explanation.cause),
        0.0,
    )
    return TITLES.get(explanation.cause, "") not in wording.why(explanation), value > 0
