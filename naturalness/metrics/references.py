"""Normalise, tokenise and lower-case candidates and references alike; score them row by row."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.metrics.base import ComputedMetric, References
from naturalness.text.parsing import source_of, tokenise
from naturalness.text.view import view

if TYPE_CHECKING:
    from spacy.tokens import Doc


class Read(NamedTuple):
    """A text as read by metrics."""

    text: str
    """Normalised text (see `naturalness.text.normalisation`) in its original case."""
    tokens: tuple[str, ...]
    """Lower-case tokens including punctuation."""


Rows = Sequence[Sequence[Read]]
"""The references of each text, without empty ones."""
Measure = Callable[[Read, Sequence[Read]], float]
"""Maps a candidate and at least one nonempty reference to a number."""


def read(doc: Doc) -> Read:
    """Read a parsed or tokenised Doc."""
    return Read(source_of(doc).text, tuple(view(doc).lower))


@lru_cache(maxsize=1 << 14)
def read_reference(text: str) -> Read:
    """Read a reference with the shipped tokeniser; cached for other metrics."""
    return read(next(tokenise([text])))


def read_rows(references: References | None) -> Rows:
    """Read the references of all rows; rows that are not lists are skipped here and refused by `score_rows`."""
    return [
        [reference for reference in map(read_reference, written) if reference.tokens]
        for written in references or []
        if not isinstance(written, str)
    ]


def score_rows(docs: Sequence[Doc], references: References | None, measure: Measure) -> FloatArray:
    """Score each Doc against its references; NaN if the text or all references are empty."""
    scores = np.full(len(docs), np.nan)
    for i, candidate, known in complete_rows(docs, references):
        scores[i] = measure(candidate, known)
    return scores


def complete_rows(docs: Sequence[Doc], references: References | None) -> Iterator[tuple[int, Read, list[Read]]]:
    """Yield index, text and nonempty references of each row that has both."""
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
"""Part of a signature that describes case and tokenisation."""


def referenced(
    name: str, measure: Measure, settings: str | Callable[[], str], description: str, *, package: str = ""
) -> ComputedMetric:
    """Return a metric over the tokens of a text and its references."""
    scored = partial(score_rows, measure=measure)
    return ComputedMetric(name, scored, settings, description, needs_references=True, package=package)


def referenced_in_set(name: str, open: Callable[[Rows], Measure], description: str) -> ComputedMetric:
    """Return a metric whose weights come from the references of all rows."""
    settings = f"weights:of the set|{TOKENS}"
    scored = partial(score_set, open)
    return ComputedMetric(name, scored, settings, description, needs_references=True, set_dependent=True)


def score_set(open: Callable[[Rows], Measure], docs: Sequence[Doc], references: References | None) -> FloatArray:
    """Score each Doc against its references, with weights from the references of all rows."""
    return score_rows(docs, references, open(read_rows(references)))
