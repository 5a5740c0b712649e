"""An assertion for promptfoo: ``type: python`` with the ``value: file://natural.py``, a file that imports `get_assert`.

Do not name this file itself there: promptfoo puts its folder on Python's path, where it hides packages such as spaCy.
"""

from __future__ import annotations

import math
from typing import Any

from naturalness import Scorer
from naturalness.integrations.output import judged


def get_assert(output: str, context: dict[str, Any]) -> dict[str, Any]:
    """Return promptfoo's result for an output: ``score`` is its naturalness, 0..1, higher is better.

    The assertion's ``config`` may set ``model`` and ``register``, as in `naturalness.Scorer`, and ``threshold`` (0.5),
    from which on an output passes. An output without a score fails, with the reason and a score of 0, since JSON has no
    NaN. ``namedScores`` holds naturalness and, for ten words or more, voice.
    """
    config = dict(context.get("config") or {})
    threshold = float(config.pop("threshold", 0.5))
    scorer = Scorer(**config)
    value, voice, why = judged(scorer, output, threshold)
    named = {"naturalness": value, "voice": voice}
    scored = {name: number for name, number in named.items() if not math.isnan(number)}
    return {
        "pass": value >= threshold,
        "score": scored.get("naturalness", 0.0),
        "reason": f"{why} (naturalness {value:.3f}, threshold {threshold:g})",
        "namedScores": scored,
        "metadata": {"signature": scorer.signature},
    }
