"""Scales as people see them: their steps, what a value is called, and which keys they take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from naturalness.annotate.project.records import LABELS, PAIRS, POINTS, SLIDER, Scale

PAIR_STEPS = ((1.0, "First"), (0.0, "Same"), (-1.0, "Second"))
PAIR_SAID: Mapping[float, str] = {
    1.0: "the first sounds better",
    0.0: "both sound the same",
    -1.0: "the second sounds better",
}
ENDS = ("least natural", "most natural")
"""What the ends of a scale without labels are called."""
SKIPPED = "skipped"
LONGEST_NOTE = 2000
"""Characters of what is said beside a value."""


@dataclass(frozen=True, slots=True)
class Step:
    """A button: a value, what stands on it, and what a screen reader says (empty: the same)."""

    value: float
    title: str
    spoken: str = ""

    @property
    def value_told(self) -> str:
        """The value as an action names it."""
        return f"{self.value:g}"


@dataclass(frozen=True, slots=True)
class Steps:
    """A scale as a page shows it."""

    steps: tuple[Step, ...]
    low: str
    high: str
    low_title: str
    high_title: str


def steps_of(scale: Scale) -> Steps:
    """The buttons of a scale, from left to right; a slider has none."""
    low, high = f"{scale.low:g}", f"{scale.high:g}"
    if scale.kind == PAIRS:
        spoken = tuple(Step(value, title, PAIR_SAID[value]) for value, title in PAIR_STEPS)
        return Steps(spoken, low, high, "", "")
    if scale.kind == LABELS:
        named = tuple(Step(float(i), label) for i, label in enumerate(scale.labels))
        return Steps(named, low, high, "", "")
    if scale.kind == SLIDER:
        return Steps((), low, high, *ENDS)
    points = range(int(scale.low), int(scale.high) + 1)
    ends = {points[0]: f", {ENDS[0]}", points[-1]: f", {ENDS[1]}"}
    numbered = tuple(Step(float(i), str(i), f"{i}{ends.get(i, '')}") for i in points)
    return Steps(numbered, low, high, *ENDS)


def said(scale: Scale, value: float | None) -> str:
    """A value in words."""
    if value is None:
        return SKIPPED
    if scale.kind == PAIRS:
        return PAIR_SAID[(value > 0) - (value < 0) + 0.0]
    if scale.kind == LABELS:
        return scale.labels[round(value)]
    return f"{value:g} of {scale.high:g}"


def on_scale(scale: Scale, value: object) -> bool:
    """Whether it is a value of the scale."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    if not scale.low <= value <= scale.high:
        return False
    return scale.kind == SLIDER or float(value).is_integer()


def value_actions(scale: Scale) -> dict[str, tuple[str, str]]:
    """The key and the title of each action that rates; ten points are as many as have a key."""
    if scale.kind == SLIDER:
        return {"lower": ("ArrowLeft", "Lower"), "higher": ("ArrowRight", "Higher"), "send": ("Enter", "Rate")}
    first = int(scale.low) if scale.kind == POINTS else 1
    return {
        f"value:{step.value_told}": (str((first + place) % 10) if place < 10 else "", step.title)
        for place, step in enumerate(steps_of(scale).steps)
    }
