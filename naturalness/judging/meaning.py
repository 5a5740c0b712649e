"""The meaning of a score: how raters placed such texts, and how many human-written sentences score lower."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from naturalness.judging.model import PROSE_MODEL, OpenedModel
from naturalness.judging.people import SELECTED, People

MEANING = Path(__file__).with_suffix(".json")
"""For each shipped model and band of scores, the share of texts in the better half of their set, over rated sets that
were left out of training (benchmarks/results/meaning.md); for prose, over the folds of one set
(benchmarks/results/versions.md).
"""

SOUNDNESS_ALONE = (
    "They judged whether texts are sound, not how they are phrased, so fluent boilerplate scores high; voice is the "
    "number for phrasing."
)


def meaning_of(model: OpenedModel, score: float) -> list[str]:
    """Return sentences that say what a score (0..1) of a model promises.

    Ratings are known for shipped models only, and human-written sentences for models that store their scores.
    """
    label = model.classes[int(score >= model.threshold)] if len(model.classes) == 2 else ""
    named = (
        f"{label} ({model.classes[-1]} from {model.threshold:.3g})"
        if label
        else "its labels do not depend on the score alone"
    )
    first = f"{score:.3g} by model {model.name!r}: {named}."
    return [first, *_by_raters(model.name, score), *_by_people(model.people, score)]


def _by_raters(name: str, score: float) -> list[str]:
    bands: list[Mapping[str, float]] = json.loads(MEANING.read_text(encoding="utf-8")).get(name, [])
    band = next((band for band in reversed(bands) if score >= band["from"]), None)
    if band is None:
        return []
    better, lowest, highest = (f"{100 * band[name]:.0f}" for name in ("better", "lowest", "highest"))
    if name == PROSE_MODEL:
        return [
            f"Writers placed {better} of 100 paragraphs that scored from {band['from']:.3g} to {band['to']:.3g} in the "
            "better half of their set: drafts by language models and edits of them, each scored by a model that saw no "
            "version of it. Use the score to compare versions of one paragraph."
        ]
    return [
        f"Raters placed {better} of 100 texts that scored from {band['from']:.3g} to {band['to']:.3g} in the better "
        f"half of their set: the mean of {band['sets']} sets, each scored by a model trained without it, from {lowest} "
        f"in one set to {highest} in another.",
        SOUNDNESS_ALONE,
    ]


def _by_people(people: People | None, score: float) -> list[str]:
    if people is None:
        return []
    below = sorted((100 * register.below(score), name) for name, register in people.registers.items())
    edited = [pair for pair in below if pair[1] not in SELECTED]
    (least, first), (most, last) = (edited or below)[0], (edited or below)[-1]
    special = [f"{name} {_two_digits(share)}" for share, name in below if edited and name in SELECTED]
    other = f"; {', '.join(special)}" if special else ""
    ends = dict.fromkeys([f"{_two_digits(least)} ({first})", f"{_two_digits(most)} ({last})"])
    return [f"Of 100 human-written sentences, {' to '.join(ends)} score lower{other}."]


def _two_digits(number: float) -> str:
    """Return a number with two significant digits; 100 is not written as 1e+02."""
    return f"{float(f'{number:.2g}'):g}"
