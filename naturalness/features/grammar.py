"""What LanguageTool finds: whether grammar is wrong, how often what kind of thing, how bad.

Needs Java and LanguageTool, so it is no group that is measured unless asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.features.base import NAN, TOKENS_ALONE, WHOLE, Feature
from naturalness.features.requirements import LANGUAGETOOL, Requirement
from naturalness.text.matches import SEVERITIES, Checked, Checker, checked
from naturalness.text.view import view

if TYPE_CHECKING:
    from spacy.tokens import Doc

GROVES = "Groves et al. 2018"
GRAMMAR = "GRAMMAR"
OTHER = "other"
CATEGORIES: Mapping[str, tuple[str, ...]] = {
    "grammar": (GRAMMAR, "COLLOCATIONS"),
    "typos": ("TYPOS", "MULTITOKEN_SPELLING", "COMPOUNDING"),
    "confused_words": ("CONFUSED_WORDS", "NONSTANDARD_PHRASES"),
    "punctuation": ("PUNCTUATION",),
    "casing": ("CASING", "PROPER_NOUNS"),
    "typography": ("TYPOGRAPHY",),
    "style": ("STYLE", "REDUNDANCY", "REPETITIONS_STYLE", "PLAIN_ENGLISH"),
}
"""Our kinds of matches, and LanguageTool's categories in each; the rest is `OTHER`."""
KIND_WORDS: Mapping[str, str] = {
    "grammar": "grammar errors",
    "typos": "typing errors",
    "confused_words": "confused words",
    "punctuation": "punctuation errors",
    "casing": "errors of case",
    "typography": "errors of typography",
    "style": "remarks on style",
    OTHER: "other remarks",
}
"""What the share of each kind is called."""
KIND_OF = {category: kind for kind, those in CATEGORIES.items() for category in those}
UNDEFINED = "no words, or a text that could not be checked"


def _table() -> tuple[Feature, ...]:
    def column(
        name: str, formula: str, values: str, direction: str, source: str = "this project", *, words: str
    ) -> Feature:
        return Feature(name, formula, values, direction, source, WHOLE, UNDEFINED, words)

    def kind(name: str, which: str) -> Feature:
        words = f"{KIND_WORDS[name]} (LanguageTool)"
        return column(f"{name}_word", f"matches of {which} / words", "0..", f"more {name} matches", words=words)

    weights = ", ".join(f"{kind} {weight:g}" for kind, weight in SEVERITIES.items())
    return (
        column(
            "any_grammar",
            "1 if a rule of category GRAMMAR matches, else 0",
            "0, 1",
            "a grammatical error was found",
            GROVES,
            words="any grammatical error (LanguageTool)",
        ),
        column("n_matches", "matches of all rules", "0..", "more found wrong", words="number of errors (LanguageTool)"),
        column("errors_word", "matches of severity error / words", "0..", "more errors", words="errors (LanguageTool)"),
        column(
            "severity_word",
            f"sum over matches of their weights ({weights}) / words",
            "0..",
            "more and graver errors",
            words="gravity of the errors (LanguageTool)",
        ),
        *(kind(name, "category " + ", ".join(those)) for name, those in CATEGORIES.items()),
        kind(OTHER, "any other category"),
    )


FEATURES = _table()


def open_checker() -> Checker:
    """LanguageTool, imported when it is used."""
    from naturalness.models.checkers.languagetool import open_checker as opened

    return opened()


@dataclass(frozen=True)
class GrammarFeatures:
    """Counts of what LanguageTool finds in a text."""

    parsed: ClassVar = TOKENS_ALONE
    name: str = "grammar"
    open: Callable[[], Checker] = open_checker
    requires: tuple[Requirement, ...] = (LANGUAGETOOL,)

    @property
    def features(self) -> tuple[Feature, ...]:
        """The table of its features."""
        return FEATURES

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Numbers of shape (n_docs, n_features)."""
        rows = [row(result, len(view(doc).words)) for doc, result in zip(docs, self._checked(docs), strict=True)]
        return np.array(rows, dtype=np.float64).reshape(len(docs), len(FEATURES))

    def gaps(self, docs: Sequence[Doc]) -> list[str]:
        """Why a Doc with words has no values; empty where it has."""
        return [result.problem for result in self._checked(docs)]

    def _checked(self, docs: Sequence[Doc]) -> list[Checked]:
        """The findings of each Doc; those without words are not asked about."""
        worded = [i for i, doc in enumerate(docs) if view(doc).words]
        results = [Checked(())] * len(docs)
        if worded:
            findings = checked(self.open(), [docs[i] for i in worded])
            for i, result in zip(worded, findings, strict=True):
                results[i] = result
        return results


def row(result: Checked, words: int) -> tuple[float, ...]:
    """The values of a text, in the order of `FEATURES`."""
    if result.problem or not words:
        return (NAN,) * len(FEATURES)
    kinds = Counter(KIND_OF.get(match.category, OTHER) for match in result.matches)
    errors = sum(match.severity == "error" for match in result.matches)
    return (
        float(any(match.category == GRAMMAR for match in result.matches)),
        len(result.matches),
        errors / words,
        sum(SEVERITIES[match.severity] for match in result.matches) / words,
        *(kinds[kind] / words for kind in (*CATEGORIES, OTHER)),
    )
