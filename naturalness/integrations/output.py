"""The score of one output, for evaluators that pass outputs singly."""

from __future__ import annotations

from typing import Any

from naturalness import Scorer
from naturalness.explaining.wording import repair_in_words, title_of


def judged(scorer: Scorer, output: Any, threshold: float = 0.0) -> tuple[float, str]:
    """Return the naturalness of an output (NaN without a score), and its label or the reason why it has none.

    If the naturalness is below ``threshold``, the cause and the repair follow the label, such as ``unnatural: verb
    forms; “go” → “went”``. The repair takes a few tenths of a second.
    """
    columns = scorer([output])
    value, reason, label = (columns[name][0] for name in ("naturalness", "reason", "label"))
    if reason or value >= threshold:
        return value, reason or label
    (explained,) = scorer.opened_model.explain([output], edits=1, register=scorer.register)
    repair = f"; {repair_in_words(explained.repair)}" if explained.repair else ""
    return value, f"{label}: {title_of(explained)}{repair}"
