"""Records of a project, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

LABELS, POINTS, SLIDER = "labels", "points", "slider"
KINDS = (LABELS, POINTS, SLIDER)


@dataclass(frozen=True, slots=True)
class Scale:
    """The scale of the answers."""

    kind: str
    low: float
    high: float
    """Highest value. With labels, the values run from 0 to the number of labels minus one."""
    labels: tuple[str, ...] = ()
    """Labels from worst to best; empty unless ``kind`` is ``labels``."""

    @property
    def whole(self) -> bool:
        """Whether its values are integers."""
        return self.kind != SLIDER

    def has(self, value: object) -> bool:
        """Return whether a value is on the scale."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        return self.low <= value <= self.high and (not self.whole or float(value).is_integer())


@dataclass(frozen=True, slots=True)
class Text:
    """A text to rate."""

    number: int
    """Number of the text, from 0, in the order of the table."""
    text: str
    cells: Mapping[str, Any] = field(default_factory=dict)
    """Cells of the other columns in its row, unchanged."""


@dataclass(frozen=True, slots=True)
class TextChoice:
    """The next question, before it is stored."""

    text: int
    reason: str
    """A key of `asking.REASONS`."""
    wording: str
    """The reason in words."""
    test: bool = False
    again: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a text, shown to one rater."""

    number: int
    rater: str
    text: int
    reason: str
    """Key of the reason in `asking.REASONS`."""
    wording: str
    """The reason in words, for the page."""
    test: bool = False
    """Whether it was drawn at random for the test set."""
    again: bool = False
    """Whether this rater has already answered it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A rater's answer."""

    value: float | None
    """Rating on the scale; None if the rater skipped."""
    note: str = ""
    cause: str = ""
    """Key of a cause in `explaining.causes.TITLES`; empty if none was chosen."""
    marks: tuple[tuple[int, int], ...] = ()
    """Spans of characters that sound wrong, from start to end."""
    seconds: float = 0.0
    """Seconds from seeing the question to answering."""


@dataclass(frozen=True, slots=True)
class Rating:
    """An answer in force, that is, neither undone nor replaced."""

    question: Question
    answer: Answer
    at: str
    """Time in UTC, ISO 8601."""
