"""Names of output fields, axes and units.

The command line loads this module just to list the names, so it must not import anything heavy.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

SOUND, FIT = "sound", "fit"
"""The two axes of adapted models: soundness and fit to the kind of text."""
LOG_ODDS, POINTS = "log-odds", "points of rating"
"""Units of contributions, for classifiers and for regressors."""
NATURALNESS, VOICE, LABEL, REASON = "naturalness", "voice", "label", "reason"
NO_VOICE = "no voice: fewer than 10 words"
"""The reason why the voice of a text that has a score is undefined."""
NO_LABEL = "no label"
"""The phrase shown instead of the label of a text that has a score, but is not English prose."""
LOW, HIGH, UNLIKE = "low", "high", "unlike"
WHY, FEATURES = "why", "features"
REGISTER, PERCENTILE = "register", "percentile"
"""Fields for the position of a score among the scores of human-written sentences."""
OVERALL = "overall_naturalness"
"""Field for the score that ignores the register."""
ALWAYS = (NATURALNESS, VOICE, LABEL, REASON)
WITHIN = (REGISTER, PERCENTILE, OVERALL)
"""Fields that need a register."""
SINGLE = (*ALWAYS, LOW, HIGH, UNLIKE, WHY, SOUND, FIT, *WITHIN)
"""Fields that have one column each, with the same name as the field."""
TEXTS = frozenset({LABEL, WHY, UNLIKE, REGISTER, REASON})
"""Fields whose values are texts; those of all others are numbers."""
FIELDS = (*SINGLE, FEATURES)
"""All fields that can be requested by name, in addition to groups of features and metrics."""
FALSE_ALARMS = 0.02
"""Default share of human-written sentences, in each register, that `check` may flag; 0 to 1."""


def typed(name: str, values: Sequence[Any]) -> Sequence[Any]:
    """Return the values of a column so that a writer of tables knows their type, even if there are none."""
    return values if name in TEXTS else array("d", values)
