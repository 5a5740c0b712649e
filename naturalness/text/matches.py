"""Results of checkers: matches with their offsets in the original text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

from naturalness.text.view import Doc, stored_beside

Severity = Literal["error", "warning", "hint"]
SEVERITIES: dict[Severity, float] = {"error": 1.0, "warning": 0.5, "hint": 0.25}
"""Weights of matches, keyed by severity: a certain error, a probable error, or a question of style."""


@dataclass(frozen=True, slots=True, order=True)
class Match:
    """One finding of a checker."""

    start: int
    end: int
    """``start`` and ``end`` are offsets in the original text."""
    rule: str
    """Identifier of the rule, in capitals."""
    category: str
    """LanguageTool's category (``GRAMMAR``), or the family of a rule of this package."""
    message: str
    """Description of the error."""
    suggestions: tuple[str, ...] = ()
    """Replacements, the most likely first; an empty string deletes the words."""
    severity: Severity = "error"


@dataclass(frozen=True, slots=True)
class Matches:
    """The findings of a checker in one text."""

    matches: tuple[Match, ...]
    """Matches, in the order of their positions in the text."""
    problem: str = ""
    """Why the text could not be checked, in which case there are no matches; empty if it was checked."""


@runtime_checkable
class MatchFinder(Protocol):
    """A checker of Docs. The matches of a Doc do not depend on the batch."""

    @property
    def name(self) -> str:
        """A short name of the checker, for messages."""
        ...

    @property
    def signature(self) -> str:
        """The name, version and settings of the checker, to be recorded with results."""
        ...

    def check(self, docs: Sequence[Doc]) -> list[Matches]:
        """Return the findings of each Doc."""
        ...


def checked(checker: MatchFinder, docs: Sequence[Doc]) -> list[Matches]:
    """Return the findings of each Doc, and store them with the Doc, so that features and reports share one check."""
    return stored_beside(docs, f"naturalness.checked.{checker.signature}", checker.check)
