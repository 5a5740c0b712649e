"""Voice: phrasing as careful people have it, or as chat models do (`naturalness.models.voice`)."""

from __future__ import annotations

from naturalness.english.constructions import constructions, token_lines
from naturalness.features.base import MeasuredGroup
from naturalness.features.requirements import asset
from naturalness.models.voice import ASSET, MIN_WORDS, PHRASES, WORDS, evenness_of, logistic, scale_of, voice
from naturalness.text.view import Doc


def measure(doc: Doc) -> list[float] | None:
    """Return the values of a Doc in the order of ``tables/voice.csv``; None for fewer than `MIN_WORDS` words."""
    lines = token_lines(doc.text)
    table, n_words = voice(), lines.n_words
    if n_words < MIN_WORDS:
        return None
    sums = table.sums(lines)
    per_100 = 100 / n_words / scale_of(lines)
    counts = [sums.values[construction.name] * per_100 for construction in constructions()]
    parts = [sums.values[WORDS], sums.values[PHRASES]]
    return [logistic(table.log_odds(sums)), *parts, *counts, evenness_of(lines)]


VOICE = MeasuredGroup(
    ASSET,
    "Phrasing: how far words, phrases and constructions are those of careful people rather than of chat models.",
    measure,
    (asset(ASSET),),
)
