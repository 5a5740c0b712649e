"""Which key does what: as at first, as changed in a project, and what is no key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from naturalness.annotate.pages.scales import value_actions
from naturalness.annotate.project.records import PAIRS, Scale

COMMON: Mapping[str, tuple[str, str]] = {
    "skip": ("s", "Skip"),
    "undo": ("u", "Undo"),
    "mark": ("m", "Mark words"),
    "note": ("n", "Note"),
    "cause": ("c", "What is wrong"),
    "keys": ("?", "Change keys"),
}
"""Actions of every scale: their key and what they are called."""
LONGEST = 16
"""Characters of a key's name: those of browsers are shorter ("MediaPlayPause")."""
RESERVED = ("Tab", "Escape", "Shift", "Control", "Alt", "Meta")


def usual(scale: Scale) -> dict[str, str]:
    """The keys as they are at first, by action."""
    return {action: key for action, (key, _) in actions(scale).items()}


def actions(scale: Scale) -> dict[str, tuple[str, str]]:
    """Key at first and title of everything that has a key."""
    common = {name: one for name, one in COMMON.items() if scale.kind != PAIRS or name != "mark"}
    return {**value_actions(scale), **common}


def titles(scale: Scale) -> list[tuple[str, str]]:
    """Actions and what they are called, in the order of the page."""
    return [(action, title) for action, (_, title) in actions(scale).items()]


def bound(scale: Scale, kept: Any) -> dict[str, str]:
    """The keys that a project keeps, or those at first where it keeps none, or none that fit."""
    try:
        return checked(scale, kept)
    except ValueError:
        return usual(scale)


def checked(scale: Scale, given: Any) -> dict[str, str]:
    """Keys as a page sends them: one for each action, none twice."""
    if not isinstance(given, Mapping) or set(given) != set(usual(scale)):
        raise ValueError("expected a key for each action of this scale")
    for action, key in given.items():
        if not isinstance(key, str) or len(key) > LONGEST or key in RESERVED:
            raise ValueError(f"{key!r:.40} cannot be the key of {action!r}")
    # Actions beyond the tenth point of a scale have no key at first.
    used = [key for key in given.values() if key]
    if len(set(used)) < len(used):
        raise ValueError("a key stands for two actions; give each its own")
    return {action: str(given[action]) for action in usual(scale)}
