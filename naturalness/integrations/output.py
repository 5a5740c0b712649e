"""The score of one output, for evaluators that pass outputs singly."""

from __future__ import annotations

from typing import Any

from naturalness import Scorer


def judged(scorer: Scorer, output: Any) -> tuple[float, str]:
    """Return the naturalness of an output (NaN without a score), and its label or the reason why it has none."""
    columns = scorer([output])
    return columns["naturalness"][0], columns["reason"][0] or columns["label"][0]
