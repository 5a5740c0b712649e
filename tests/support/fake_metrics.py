"""Made-up rated texts, and metrics with known values."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import spacy
from numpy.typing import NDArray
from spacy.tokens import Doc

from tests.support.rated import sentences


@dataclass(frozen=True)
class Fake:
    """A metric that applies a function to the words of a text (and its references)."""

    name: str
    measure: Callable[[list[str], Sequence[str]], float]
    higher_is_better: bool = True
    needs_references: bool = False
    package: str = ""
    description: str = "made for tests, with `code`"

    @property
    def signature(self) -> str:
        return f"{self.name}|fake"

    def score(self, docs: Sequence[Doc], references: Sequence[Sequence[str]] | None = None) -> NDArray[np.float64]:
        rows = references if references is not None else [()] * len(docs)
        return np.array([self.measure(d.text.split(), r) for d, r in zip(docs, rows, strict=True)], float)


def odd(words: list[str], references: Sequence[str]) -> float:
    """Count words that are repeated or end in a doubled letter: the damage of `tests.support.rated`."""
    doubled = sum(a == b for a, b in itertools.pairwise(words))
    return -float(doubled + sum(w[-2:-1] == w[-1:] for w in words))


GOOD = Fake("good", odd)
TURNED = Fake("turned", lambda w, r: -odd(w, r), higher_is_better=False)
LONG = Fake("words", lambda w, r: float(len(w)))
MATCHED = Fake("matched", lambda w, r: float(len(r)) if r else float("nan"), needs_references=True)


def rated(n: int = 60) -> tuple[list[Doc], list[float], list[str]]:
    """Return unparsed Docs, ratings and sources."""
    nlp = spacy.blank("en")
    rows = sentences(n)
    return [nlp(text) for text, _, _ in rows], [float(r) for _, r, _ in rows], [s for *_, s in rows]
