"""Scales on the pages: buttons, names of values, and keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from naturalness.studio.annotate.project.guidelines import USUAL_ENDS
from naturalness.studio.annotate.project.records import LABELS, POINTS, SLIDER, Scale

SKIPPED = "skipped"
MAX_NOTE_CHARACTERS = 2000
"""Maximum number of characters in a rater's note."""


@dataclass(frozen=True, slots=True)
class Step:
    """A button: a value, its title, and the text for screen readers; if the text is empty, they read the title."""

    value: float
    title: str
    spoken: str = ""

    @property
    def formatted(self) -> str:
        """The value, formatted for the name of an action."""
        return f"{self.value:g}"


def steps_of(scale: Scale, ends: tuple[str, str] = USUAL_ENDS) -> tuple[Step, ...]:
    """Return the buttons of a scale; a slider has none. ``ends`` name the lowest and the highest point."""
    if scale.kind == LABELS:
        return tuple(Step(float(i), label) for i, label in enumerate(scale.labels))
    if scale.kind == SLIDER:
        return ()
    points = range(int(scale.low), int(scale.high) + 1)
    titles = {points[0]: f", {ends[0]}", points[-1]: f", {ends[1]}"}
    return tuple(Step(float(i), str(i), f"{i}{titles.get(i, '')}") for i in points)


def said(scale: Scale, value: float | None) -> str:
    """Return a value in words."""
    if value is None:
        return SKIPPED
    if scale.kind == LABELS:
        return scale.labels[round(value)]
    return f"{value:g} of {scale.high:g}"


COMMON_KEYS: Mapping[str, str] = {"skip": "s", "undo": "u", "mark": "m", "note": "n", "cause": "c", "guide": "g"}
"""The key of each action other than rating."""


def keys_of(scale: Scale) -> dict[str, str]:
    """Return the key of each action; the value after the tenth has none."""
    if scale.kind == SLIDER:
        return {"lower": "ArrowLeft", "higher": "ArrowRight", "send": "Enter", **COMMON_KEYS}
    first = int(scale.low) if scale.kind == POINTS else 1
    values = {f"value:{step.formatted}": str((first + i) % 10) for i, step in enumerate(steps_of(scale)[:10])}
    return {**values, **COMMON_KEYS}
