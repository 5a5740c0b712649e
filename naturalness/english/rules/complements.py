"""Functions for the rules in `complements.toml`: the form after a verb, adjective or preposition (to do, doing, do)."""

from __future__ import annotations

from naturalness.english.rules.pattern import Binding, Sentence
from naturalness.english.rules.verbs import bare


def to_bare(s: Sentence, b: Binding) -> tuple[str, ...]:
    """Suggest *to* and the bare verb."""
    return tuple(f"to {verb}" for verb in bare(s, b))


def opens_question(s: Sentence, b: Binding) -> bool:
    """Return whether the question word opens a sentence that ends in a question mark."""
    return b["wh"] == s.start and s.texts[s.end - 1] == "?"
