"""Explanations made by hand, in the form that a model returns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from naturalness.explaining.explanation import Contribution, Explanation, Finding, without_score
from naturalness.judging.fields import LOG_ODDS
from naturalness.reports.systems.answers import ScoringModel, SystemText
from naturalness.reports.systems.report import SystemsReport, make_report
from naturalness.statistics.bootstrap import Resampling

TITLES = {"agreement": "agreement and number", "spelling": "spelling and typing"}
JUDGE = ScoringModel("toy", 0.5, LOG_ODDS)


def answer(
    text: str,
    naturalness: float,
    system: str = "a",
    key: str = "",
    row: int = 0,
    *,
    voice: float = math.nan,
    agreement: float = 0.0,
    spelling: float = 0.0,
    findings: Sequence[Finding] = (),
    reason: str = "",
    unlike: Sequence[str] = (),
) -> SystemText:
    """Return an answer with two causes, whose words are separated by blanks."""
    if math.isnan(naturalness):
        return SystemText(without_score(text, reason, unit=LOG_ODDS, threshold=0.5), system, key, 0, 1, row)
    parts = [
        Contribution(cause, TITLES[cause], value, ())
        for cause, value in (("agreement", agreement), ("spelling", spelling))
    ]
    explanation = Explanation(
        text,
        naturalness,
        math.nan,
        math.nan,
        "natural" if naturalness >= JUDGE.threshold else "unnatural",
        reason,
        LOG_ODDS,
        0.0,
        agreement + spelling,
        tuple(parts),
        tuple(findings),
        tuple(unlike),
        voice=voice,
    )
    return SystemText(explanation, system, key, len(text.split()), 1, row)


def finding(text: str, part: str, kind: str = "agreement", weight: float = 0.9) -> Finding:
    """Return a finding at the first occurrence of ``part``."""
    start = text.index(part)
    return Finding(start, start + len(part), part, kind, "agreement", f"{part!r} is odd", "detector", weight)


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
) -> list[SystemText]:
    """Return a system whose scores lie around ``mean``; equal seeds give equal noise."""
    noise = np.random.default_rng(seed).normal(size=n) * spread
    words = ["".join("bcdfghjklm"[int(digit)] + "a" for digit in f"{i:03d}") for i in range(n)]
    return [
        answer(
            f"{name} says that {'very ' * (i % 5)}{word} dogs run",
            float(np.clip(mean + e, 0, 1)),
            name,
            f"input {i}" if keyed else "",
            i,
            voice=float(voice - e),
            agreement=agreement + float(e),
        )
        for i, (word, e) in enumerate(zip(words, noise, strict=True))
    ]


def report_on(answers: Sequence[SystemText], **options: Any) -> SystemsReport:
    """Return the report on these answers, with few resamples."""
    return make_report(answers, JUDGE, how=Resampling(300), **options)
