"""Normalise, tokenise and lower-case candidates and references in the same way, and score them row by row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple

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


Measure = Callable[[Read, Sequence[Read]], float]
"""A function that scores a candidate, given one or more nonempty references."""
TOKENS = "case:lower|tok:naturalness"
"""The part of a signature that describes case and tokenisation."""


def read(doc: Doc) -> Read:
    """Return the text and the tokens of a Doc, which needs no parse."""
    return Read(source_of(doc).text, tuple(view(doc).lower))


@lru_cache(maxsize=1 << 14)
def read_reference(text: str) -> Read:
    """Return the text and the tokens of a reference, using the shipped tokeniser; cached for other metrics."""
    return read(next(tokenise([text])))


def read_row(written: Sequence[str]) -> list[Read]:
    """Return the prepared nonempty references of a row."""
    if isinstance(written, str):
        raise TypeError(f"references of a text are a list of strings, found {written!r:.60}; use [text]")
    return [reference for reference in map(read_reference, written) if reference.tokens]


def score_rows(measure: Measure, docs: Sequence[Doc], references: References | None) -> FloatArray:
    """Return the score of each Doc, compared with its references; NaN if the text or every reference is empty."""
    rows = [[]] * len(docs) if references is None else list(map(read_row, references))
    if len(rows) != len(docs):
        raise ValueError(f"found references for {len(rows)} texts, expected one list for each of the {len(docs)} texts")
    pairs = [(read(doc), known) for doc, known in zip(docs, rows, strict=True)]
    scores = [measure(candidate, known) if candidate.tokens and known else np.nan for candidate, known in pairs]
    return np.array(scores, np.float64)


def reference_metric(
    name: str, measure: Measure, settings: str | Callable[[], str], description: str, **flags: Any
) -> ComputedMetric:
    """Return a metric that compares each text with its references."""
    return ComputedMetric(name, partial(score_rows, measure), settings, description, needs_references=True, **flags)
