"""Names of what a model says of a text: columns of scored tables, axes, units. Light, so that the command line can list
them.
"""

from __future__ import annotations

SOUND, FIT = "sound", "fit"
"""The axes of adapted models."""
LOG_ODDS, POINTS = "log-odds", "points of rating"
"""Units of contributions: of models of labels, and of models of ratings."""
NATURALNESS, LABEL, REASON = "naturalness", "label", "reason"
LOW, HIGH, UNLIKE = "low", "high", "unlike"
WHY, FEATURES = "why", "features"
REGISTER, PERCENTILE = "register", "percentile"
"""The position of a score among those of people's sentences; needs a register."""
OVERALL = "overall_naturalness"
"""The score without regard to the register, which `score` adds to that within it."""
ALWAYS = (NATURALNESS, LABEL, REASON)
SINGLE = (*ALWAYS, LOW, HIGH, UNLIKE, WHY, SOUND, FIT, REGISTER, PERCENTILE)
"""Fields that are one column, of the same name."""
FIELDS = (*SINGLE, FEATURES)
"""What may be asked for by name, beside groups of features and metrics."""
