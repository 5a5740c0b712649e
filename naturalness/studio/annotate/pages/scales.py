"""Scales on the pages: buttons, names of values, and keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from naturalness.studio.annotate.project.guidelines import USUAL_ENDS
from naturalness.studio.annotate.project.records import LABELS, PAIRS, POINTS, SLIDER, Scale

PAIR_STEPS = ((1.0, "First"), (0.0, "Same"), (-1.0, "Second"))
PAIR_SAID: Mapping[float, str] = {
    1.0: "the first sounds better",
    0.0: "both sound the same",
    -1.0: "the second sounds better",
}
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
    if scale.kind == PAIRS:
        return tuple(Step(value, title, PAIR_SAID[value]) for value, title in PAIR_STEPS)
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
    if scale.kind == PAIRS:
        return PAIR_SAID[(value > 0) - (value < 0) + 0.0]
    if scale.kind == LABELS:
        return scale.labels[round(value)]
    return f"{value:g} of {scale.high:g}"


def value_actions(scale: Scale) -> dict[str, tuple[str, str]]:
    """Return the default key and the title of each rating action; after the tenth, the key is empty."""
    if scale.kind == SLIDER:
        return {"lower": ("ArrowLeft", "Lower"), "higher": ("ArrowRight", "Higher"), "send": ("Enter", "Rate")}
    first = int(scale.low) if scale.kind == POINTS else 1
    return {
        f"value:{step.formatted}": (str((first + index) % 10) if index < 10 else "", step.title)
        for index, step in enumerate(steps_of(scale))
    }


COMMON: Mapping[str, tuple[str, str]] = {
    "skip": ("s", "Skip"),
    "undo": ("u", "Undo"),
    "mark": ("m", "Mark words"),
    "note": ("n", "Note"),
    "cause": ("c", "What is wrong"),
    "context": ("x", "Whole context"),
    "guide": ("g", "Instructions"),
    "keys": ("?", "Change keys"),
}
"""Default key and title of each action other than rating; see `key_actions` for those that not every project has."""
KEYS = "keys:"
"""Start of the project setting that holds a rater's keys; the rater's name follows."""
MAX_KEY_NAME = 16
"""Maximum length of a key's name; browsers' names are shorter ("MediaPlayPause")."""
RESERVED = ("Tab", "Escape", "Shift", "Control", "Alt", "Meta")


def usual_keys(scale: Scale, *, context: bool = False) -> dict[str, str]:
    """Return the default keys, keyed by action; see `key_actions`."""
    return {action: key for action, (key, _) in key_actions(scale, context=context).items()}


def key_actions(scale: Scale, *, context: bool = False) -> dict[str, tuple[str, str]]:
    """Return the default key and the title of each action that has a key; ``context`` says whether texts have a
    context."""
    absent = {"mark": scale.kind == PAIRS, "context": not context}
    common = {name: key_and_title for name, key_and_title in COMMON.items() if not absent.get(name, False)}
    return {**value_actions(scale), **common}


def bound_keys(scale: Scale, keys: Mapping[str, str], *, context: bool = False) -> dict[str, str]:
    """Return a rater's keys if they fit the scale; otherwise, the default keys.

    An action added after the rater chose keys gets its default key, unless the rater uses that key for another action.
    """
    usual = usual_keys(scale, context=context)
    chosen = {action: key for action, key in keys.items() if action in usual}
    taken = set(chosen.values())
    merged = {action: chosen.get(action, "" if key in taken else key) for action, key in usual.items()}
    try:
        return checked_keys(scale, merged, context=context)
    except ValueError:
        return usual


def checked_keys(scale: Scale, keys: Any, *, context: bool = False) -> dict[str, str]:
    """Return the keys sent by a page; raise unless each action has one key and no key is used twice."""
    usual = usual_keys(scale, context=context)
    if not isinstance(keys, Mapping) or set(keys) != set(usual):
        raise ValueError("expected a key for each action of this scale")
    for action, key in keys.items():
        if not isinstance(key, str) or len(key) > MAX_KEY_NAME or key in RESERVED:
            raise ValueError(f"{key!r:.40} cannot be the key of {action!r}")
    # Actions beyond the tenth point of a scale have no default key.
    used = [key for key in keys.values() if key]
    if len(set(used)) < len(used):
        raise ValueError("a key stands for two actions; give each its own")
    return {action: str(keys[action]) for action in usual}
