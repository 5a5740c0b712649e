"""The score of one output, for evaluators that pass outputs singly."""

from __future__ import annotations

from typing import Any

from naturalness import Scorer
from naturalness.explaining.wording import repair_in_words, title_of
from naturalness.judging.fields import ALWAYS, NO_VOICE


def judged(scorer: Scorer, output: Any, threshold: float = 0.0) -> tuple[float, float, str]:
    """Return the naturalness and the voice of an output (NaN if undefined), and its label or why it has no score.

    If the naturalness is below ``threshold``, the cause and the repair follow the label, such as ``unnatural: verb
    forms; “go” → “went”``. The repair takes a few tenths of a second.
    """
    columns = scorer([output])
    value, voice, label, reason = (columns[name][0] for name in ALWAYS)
    if reason not in ("", NO_VOICE):
        return value, voice, reason
    if value >= threshold:
        return value, voice, label
    (explained,) = scorer.opened_model.explain([output], edits=1, register=scorer.register)
    repair = f"; {repair_in_words(explained.repair)}" if explained.repair else ""
    return value, voice, f"{label}: {title_of(explained)}{repair}"
