"""The least natural texts of a system, near duplicates once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from naturalness.reports.systems.answers import Answer

SHOWN = 6
"""Texts per system."""
ALIKE = 0.75
"""Words that two texts share, of all words of both, from which on they count as the same error."""
WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Worst:
    """A text among the least natural, and how many of its system are nearly the same."""

    answer: Answer
    alike: int


def worst_of(answers: Sequence[Answer], shown: int = SHOWN) -> tuple[Worst, ...]:
    """The least natural scored texts, the worst first; each stands for those like it."""
    order = sorted((one for one in answers if one.scored), key=lambda one: (one.explanation.naturalness, one.row))
    kept: list[Answer] = []
    seen: list[frozenset[str]] = []
    many: list[int] = []
    for one in order:
        words = bag(one.explanation.text)
        same = next((i for i, other in enumerate(seen) if alike(words, other)), None)
        if same is not None:
            many[same] += 1
        elif len(kept) < shown:
            kept.append(one)
            seen.append(words)
            many.append(0)
    return tuple(Worst(one, n) for one, n in zip(kept, many, strict=True))


def bag(text: str) -> frozenset[str]:
    """The different words of a text, without case; all numbers are one word."""
    return frozenset(DIGITS.sub("0", word) for word in WORD.findall(text.casefold()))


def alike(first: frozenset[str], second: frozenset[str]) -> bool:
    """Whether two texts are nearly the same."""
    if not first and not second:
        return True
    return len(first & second) >= ALIKE * len(first | second)
