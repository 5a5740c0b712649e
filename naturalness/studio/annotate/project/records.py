"""Records of a project, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

LABELS, POINTS, SLIDER, PAIRS = "labels", "points", "slider", "pairs"
KINDS = (LABELS, POINTS, SLIDER, PAIRS)


@dataclass(frozen=True, slots=True)
class Scale:
    """The scale of the answers."""

    kind: str
    low: float
    high: float
    """Of labels 0 and their number less one; of pairs -1 (the second) and 1 (the first)."""
    labels: tuple[str, ...] = ()
    """From worst to best; empty unless ``kind`` is ``labels``."""

    @property
    def whole(self) -> bool:
        """Whether its values are whole numbers."""
        return self.kind != SLIDER

    def has(self, value: object) -> bool:
        """Return whether something is a value of the scale."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        return self.low <= value <= self.high and (not self.whole or float(value).is_integer())


@dataclass(frozen=True, slots=True)
class Text:
    """A text to rate."""

    number: int
    """From 0, in the order of the table."""
    text: str
    cells: Mapping[str, Any] = field(default_factory=dict)
    """Its other columns, untouched."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The next question, before it is stored."""

    texts: tuple[int, ...]
    """One text, or two to choose from."""
    reason: str
    """A key of `asking.REASONS`."""
    wording: str
    """The same in words."""
    test: bool = False
    again: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """One text, or two to choose from, put before one rater."""

    number: int
    rater: str
    texts: tuple[int, ...]
    reason: str
    """Why it is asked: a key of `asking.REASONS`."""
    wording: str
    """The same in words, for the page."""
    test: bool = False
    """Drawn at random, and set apart to measure on."""
    again: bool = False
    """This rater has answered it before."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A rater's answer."""

    value: float | None
    """On the scale; None where the rater skipped."""
    note: str = ""
    cause: str = ""
    """A key of `explaining.causes.TITLES`; empty where none is named."""
    marks: tuple[tuple[int, int], ...] = ()
    """Characters that sound wrong, from start to end."""
    seconds: float = 0.0
    """From seeing the question to answering."""


@dataclass(frozen=True, slots=True)
class Rating:
    """An answer in force: not undone, not replaced."""

    question: Question
    answer: Answer
    at: str
    """Time in UTC, ISO 8601."""
