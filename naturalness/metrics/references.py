"""Normalise, tokenise and lower-case candidates and references in the same way, and score them row by row."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.metrics.base import ComputedMetric, References
from naturalness.text.parsing import source_of, tokenise
from naturalness.text.view import Doc, view


class Read(NamedTuple):
    """A candidate or reference, prepared for metrics."""

    text: str
    """The normalised text (see `naturalness.text.normalisation`) in its original case."""
    tokens: tuple[str, ...]
    """The tokens in lower case, including punctuation."""


Rows = Sequence[Sequence[Read]]
"""The nonempty references of each text."""
Measure = Callable[[Read, Sequence[Read]], float]
"""A function that scores a candidate, given one or more nonempty references."""


def read(doc: Doc) -> Read:
    """Return the text and the tokens of a Doc, which needs no parse."""
    return Read(source_of(doc).text, tuple(view(doc).lower))


@lru_cache(maxsize=1 << 14)
def read_reference(text: str) -> Read:
    """Return the text and the tokens of a reference, using the shipped tokeniser; cached for other metrics."""
    return read(next(tokenise([text])))


def read_rows(references: References | None) -> Rows:
    """Return the prepared references of all rows.

    A row that is a string, not a list, is skipped here; `score_rows` raises an error for it.
    """
    return [
        [reference for reference in map(read_reference, written) if reference.tokens]
        for written in references or []
        if not isinstance(written, str)
    ]


def score_rows(docs: Sequence[Doc], references: References | None, measure: Measure) -> FloatArray:
    """Return the score of each Doc, compared with its references; NaN if the text or every reference is empty."""
    scores = np.full(len(docs), np.nan)
    for i, candidate, known in complete_rows(docs, references):
        scores[i] = measure(candidate, known)
    return scores


def complete_rows(docs: Sequence[Doc], references: References | None) -> Iterator[tuple[int, Read, list[Read]]]:
    """Yield the index, the text and the nonempty references of each row; skip rows that lack a text or references."""
    if references is None:
        return
    if len(references) != len(docs):
        raise ValueError(
            f"found references for {len(references)} texts, expected one list for each of the {len(docs)} texts"
        )
    for i, (doc, written) in enumerate(zip(docs, references, strict=True)):
        if isinstance(written, str):
            raise TypeError(f"references of a text are a list of strings, found {written!r:.60}; use [text]")
        known = [reference for reference in map(read_reference, written) if reference.tokens]
        candidate = read(doc)
        if known and candidate.tokens:
            yield i, candidate, known


TOKENS = "case:lower|tok:naturalness"
"""The part of a signature that describes case and tokenisation."""


def referenced(
    name: str, measure: Measure, settings: str | Callable[[], str], description: str, *, package: str = ""
) -> ComputedMetric:
    """Return a metric that applies ``measure`` to each text and its references."""
    scored = partial(score_rows, measure=measure)
    return ComputedMetric(name, scored, settings, description, needs_references=True, package=package)


def referenced_in_set(name: str, open: Callable[[Rows], Measure], description: str) -> ComputedMetric:
    """Return a metric whose measure ``open`` builds from the references of all rows, which determine n-gram weights."""
    settings = f"weights:of the set|{TOKENS}"
    scored = partial(score_set, open)
    return ComputedMetric(name, scored, settings, description, needs_references=True, set_dependent=True)


def score_set(open: Callable[[Rows], Measure], docs: Sequence[Doc], references: References | None) -> FloatArray:
    """Score each Doc against its references, using a measure that ``open`` builds from the references of all rows."""
    return score_rows(docs, references, open(read_rows(references)))
