"""Variety, repetition and length in texts of several sentences.

The values are copied from `lexical`, `repetition`, `surface` and `readability`, but are undefined for a single
sentence. A linear model can therefore give them weight only in passages, where they matter to people.
"""

from __future__ import annotations

from naturalness.features import lexical, readability, repetition, surface
from naturalness.features.base import MeasuredGroup, read_table
from naturalness.features.requirements import asset
from naturalness.text.view import Doc, view


def measure(doc: Doc) -> list[float] | None:
    """Return the values of a Doc in the order of ``tables/passage.csv``; None for a single sentence."""
    if len(view(doc).sentences) < 2:
        return None
    groups = lexical.LEXICAL, repetition.REPETITION, surface.SURFACE, readability.ReadabilityFeatures()
    values = {
        feature.name: value
        for group in groups
        for feature, value in zip(group.features, group.extract([doc])[0].tolist(), strict=True)
    }
    return [values[feature.name] for feature in read_table("passage")]


PASSAGE = MeasuredGroup(
    "passage",
    "Features of other groups, measured only on texts of two sentences or more.",
    measure,
    (asset("wordlist"),),
)
