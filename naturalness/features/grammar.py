"""The number, kinds and severity of LanguageTool's matches.

The group needs Java and LanguageTool, so it is measured only if named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from naturalness.arrays import FloatArray
from naturalness.features.base import Columns, Requirement, stack
from naturalness.features.requirements import LANGUAGETOOL
from naturalness.text.matches import SEVERITIES, Matches, MatchFinder, checked
from naturalness.text.view import Doc, view

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
"""LanguageTool's categories, grouped by this package's kinds of matches; all other categories are `OTHER`."""
KIND_OF = {category: kind for kind, those in CATEGORIES.items() for category in those}


def open_checker() -> MatchFinder:
    """Return LanguageTool's checker; the module that runs it is imported only on first use."""
    from naturalness.models.checkers.languagetool import LanguageToolChecker

    return LanguageToolChecker()


@dataclass(frozen=True)
class GrammarFeatures:
    """Counts of LanguageTool's matches in a text."""

    name: str = "grammar"
    open: Callable[[], MatchFinder] = open_checker
    requires: tuple[Requirement, ...] = (LANGUAGETOOL,)

    features = Columns("grammar")

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Return an array of shape (n_docs, n_features)."""
        rows = [row(result, len(view(doc).words)) for doc, result in zip(docs, self._checked(docs), strict=True)]
        return stack(rows, len(self.features))

    def gaps(self, docs: Sequence[Doc]) -> list[str]:
        """Return, for each Doc, why it has no values although it has words; an empty string if it has values."""
        return [result.problem for result in self._checked(docs)]

    def _checked(self, docs: Sequence[Doc]) -> list[Matches]:
        """Return LanguageTool's matches for each Doc; Docs that have no words are not sent to it."""
        worded = [i for i, doc in enumerate(docs) if view(doc).words]
        results = [Matches(())] * len(docs)
        if worded:
            findings = checked(self.open(), [docs[i] for i in worded])
            for i, result in zip(worded, findings, strict=True):
                results[i] = result
        return results


def row(result: Matches, words: int) -> tuple[float, ...] | None:
    """Return the values of a text in the order of ``tables/grammar.csv``; None if LanguageTool could not check it."""
    if result.problem or not words:
        return None
    kinds = Counter(KIND_OF.get(match.category, OTHER) for match in result.matches)
    errors = sum(match.severity == "error" for match in result.matches)
    return (
        float(any(match.category == GRAMMAR for match in result.matches)),
        len(result.matches),
        errors / words,
        sum(SEVERITIES[match.severity] for match in result.matches) / words,
        *(kinds[kind] / words for kind in (*CATEGORIES, OTHER)),
    )
