"""Candidates and references read the same way: normalised, tokenised, lower-cased."""

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
    """A text as metrics read it."""

    text: str
    """Normalised (see `naturalness.text.normalisation`), case kept."""
    tokens: tuple[str, ...]
    """In lower case; punctuation counts, white space does not."""


Rows = Sequence[Sequence[Read]]
"""For each text its references, those without tokens left out."""
Measure = Callable[[Read, Sequence[Read]], float]
"""A candidate and its references, at least one, all of them with tokens, to a number."""


def read(doc: Doc) -> Read:
    """Read a Doc, parsed or only tokenised, as metrics do."""
    return Read(source_of(doc).text, tuple(view(doc).lower))


@lru_cache(maxsize=1 << 14)
def read_reference(text: str) -> Read:
    """Read a reference by the shipped tokeniser; the next metric finds it in memory."""
    return read(next(tokenise([text])))


def read_rows(references: References | None) -> Rows:
    """Read the references of all rows, except what is no list of texts, which `score_rows` refuses."""
    return [
        [reference for reference in map(read_reference, written) if reference.tokens]
        for written in references or []
        if not isinstance(written, str)
    ]


def score_rows(docs: Sequence[Doc], references: References | None, measure: Measure) -> FloatArray:
    """Measure each Doc against its references; NaN where the text or all references are empty."""
    scores = np.full(len(docs), np.nan)
    for i, candidate, known in complete_rows(docs, references):
        scores[i] = measure(candidate, known)
    return scores


def complete_rows(docs: Sequence[Doc], references: References | None) -> Iterator[tuple[int, Read, list[Read]]]:
    """Yield number, text and references of each row that has both, without references that have no tokens."""
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
"""How texts are read, for a signature."""


def referenced(
    name: str, measure: Measure, settings: str | Callable[[], str], description: str, *, package: str = ""
) -> ComputedMetric:
    """Return a metric of a text's tokens and those of its references."""
    scored = partial(score_rows, measure=measure)
    return ComputedMetric(name, scored, settings, description, needs_references=True, package=package)


def referenced_in_set(name: str, open: Callable[[Rows], Measure], description: str) -> ComputedMetric:
    """Return a metric whose weights come from the references of all rows."""
    settings = f"weights:of the set|{TOKENS}"
    scored = partial(score_set, open)
    return ComputedMetric(name, scored, settings, description, needs_references=True, set_dependent=True)


def score_set(open: Callable[[Rows], Measure], docs: Sequence[Doc], references: References | None) -> FloatArray:
    """Measure each Doc against its references, with weights from the references of all rows."""
    return score_rows(docs, references, open(read_rows(references)))
