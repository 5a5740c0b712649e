"""Explanations made by hand, in the form that a model returns."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from naturalness.explaining.explanation import Contribution, Explanation, Finding
from naturalness.judging.fields import LOG_ODDS
from naturalness.reports.systems.answers import Answer, Judge

TITLES = {"agreement": "agreement and number", "spelling": "spelling and typing"}
JUDGE = Judge("toy", 0.5, LOG_ODDS)


def explained(
    text: str,
    naturalness: float,
    *,
    voice: float = math.nan,
    agreement: float = 0.0,
    spelling: float = 0.0,
    findings: Sequence[Finding] = (),
    reason: str = "",
    unlike: Sequence[str] = (),
) -> Explanation:
    """Return an explanation with two causes."""
    if math.isnan(naturalness):
        return Explanation(text, math.nan, math.nan, math.nan, None, reason, LOG_ODDS, math.nan, math.nan, (), ())
    parts = tuple(
        Contribution(cause, TITLES[cause], value, ())
        for cause, value in (("agreement", agreement), ("spelling", spelling))
    )
    total = agreement + spelling
    label = "natural" if naturalness >= JUDGE.threshold else "unnatural"
    return Explanation(
        text,
        naturalness,
        math.nan,
        math.nan,
        label,
        reason,
        LOG_ODDS,
        0.0,
        total,
        parts,
        tuple(findings),
        tuple(unlike),
        voice=voice,
    )


def finding(text: str, part: str, kind: str = "agreement", weight: float = 0.9) -> Finding:
    """Return a finding at the first occurrence of ``part``."""
    start = text.index(part)
    return Finding(start, start + len(part), part, kind, "agreement", f"{part!r} is odd", "detector", weight)


def answer(
    text: str, naturalness: float, system: str = "a", key: str = "", row: int = 0, *, reason: str = "", **more: float
) -> Answer:
    """Return an answer whose words are separated by blanks."""
    explanation = explained(text, naturalness, reason=reason, **more)  # type: ignore[arg-type]
    return Answer(explanation, system, key, key, len(text.split()), 1, row)


def system_of(
    name: str,
    mean: float,
    n: int = 40,
    *,
    keyed: bool = False,
    voice: float = math.nan,
    agreement: float = 0.0,
    spread: float = 0.1,
    seed: int = 0,
) -> list[Answer]:
    """Return a system whose scores lie around ``mean``; equal seeds give equal noise."""
    noise = np.random.default_rng(seed).normal(size=n) * spread
    texts = [f"{name} says that {'very ' * (i % 5)}{word(i)} dogs run" for i in range(n)]
    return [
        answer(
            text,
            float(np.clip(mean + e, 0, 1)),
            name,
            f"input {i}" if keyed else "",
            i,
            voice=float(voice - e),
            agreement=agreement + float(e),
        )
        for i, (text, e) in enumerate(zip(texts, noise, strict=True))
    ]


def word(number: int) -> str:
    """Return a made-up word for each number."""
    return "".join("bcdfghjklm"[int(d)] + "a" for d in f"{number:03d}")
