"""Names of output fields, axes and units. This module imports nothing heavy, since the command line lists the names."""

from __future__ import annotations

SOUND, FIT = "sound", "fit"
"""The axes of adapted models."""
LOG_ODDS, POINTS = "log-odds", "points of rating"
"""Units of contributions, for classifiers and for regressors."""
NATURALNESS, LABEL, REASON = "naturalness", "label", "reason"
LOW, HIGH, UNLIKE = "low", "high", "unlike"
WHY, FEATURES = "why", "features"
REGISTER, PERCENTILE = "register", "percentile"
"""The position of a score among the scores of sentences by people; these fields need a register."""
OVERALL = "overall_naturalness"
"""The score without regard to the register, which `score` adds to the score within the register."""
ALWAYS = (NATURALNESS, LABEL, REASON)
SINGLE = (*ALWAYS, LOW, HIGH, UNLIKE, WHY, SOUND, FIT, REGISTER, PERCENTILE)
"""Fields with one column, of the same name."""
FIELDS = (*SINGLE, FEATURES)
"""The fields that can be requested by name, besides groups of features and metrics."""
