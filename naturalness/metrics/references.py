"""Candidates and references read the same way: normalised, tokenised, lower-cased."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from naturalness import __version__
from naturalness.arrays import FloatArray
from naturalness.metrics.base import References
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


@dataclass(frozen=True)
class ReferenceMetric:
    """A number from the tokens of a text and of its references."""

    name: str
    measure: Measure
    settings: str | Callable[[], str]
    """A function where an asset has to be looked up."""
    description: str
    higher_is_better: bool = True
    needs_references: bool = True
    set_dependent: bool = False
    package: str = ""

    @property
    def signature(self) -> str:
        """Name, settings and version."""
        settings = self.settings if isinstance(self.settings, str) else self.settings()
        return f"{self.name}|{settings}|case:lower|tok:naturalness|v:{__version__}"

    def score(self, docs: Sequence[Doc], references: References | None = None) -> FloatArray:
        """Return one number per Doc; NaN for an empty text or one without references."""
        return score_rows(docs, references, self.measure)
