"""Which system is furthest from the texts that a model was adapted to, and in what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from naturalness.explaining.wording import usual
from naturalness.judging.fields import FIT
from naturalness.pages.formats import decimal, enumeration
from naturalness.reports.systems.answers import Answer
from naturalness.reports.systems.standings import Standing

SOUNDNESS = "soundness"
"""The cause that is not of the kind of text."""
MAX_NAMED = 3
"""Features that are named, at most."""
MIN_SHARE = 0.1
"""Of a system's texts that have to be apart in a feature for it to be named."""


def tell_fit(standings: Sequence[Standing], answers_of: Mapping[str, Sequence[Answer]]) -> str:
    """Say which of several systems fits the reader's texts least, and in what; empty of a model without that axis.

    ``draft fits your texts least: mean fit 0.17 (final 0.34). Where its texts stand apart from yours: commas (higher
    in 41 % of them).``
    """
    ranked = sorted((s for s in standings if FIT in s.axes and s.n_scored), key=lambda s: s.axes[FIT].value)
    if len(ranked) < 2 or round(ranked[-1].axes[FIT].value - ranked[0].axes[FIT].value, 2) <= 0:
        return ""
    worst, best = ranked[0], ranked[-1]
    low, high = worst.axes[FIT], best.axes[FIT]
    overlap = "" if low.high < high.low else "; the intervals overlap"
    line = (
        f"{worst.system} fits your texts least: mean fit {decimal(low.value, 2)} "
        f"({best.system} {decimal(high.value, 2)}{overlap})."
    )
    named = distinguishing([answer for answer in answers_of[worst.system] if answer.scored])
    return f"{line} Where its texts stand apart from yours: {enumeration(named)}." if named else line


def distinguishing(answers: Sequence[Answer]) -> list[str]:
    """The features in which most texts lie beyond three quarters of the reader's, to the cost of their score."""
    counts: Counter[tuple[str, str]] = Counter()
    for answer in answers:
        moved = [
            feature
            for cause in answer.explanation.contributions
            if cause.cause != SOUNDNESS
            for feature in cause.features
        ]
        counts.update(
            {
                (feature.words, "higher" if feature.share > 0.5 else "lower")
                for feature in moved
                if feature.effect < 0 and feature.share == feature.share and not usual(feature)
            }
        )
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    shares = [(words, side, number / len(answers)) for (words, side), number in ordered[:MAX_NAMED]]
    return [f"{words} ({side} in {100 * share:.0f} % of them)" for words, side, share in shares if share >= MIN_SHARE]
