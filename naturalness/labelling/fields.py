"""The names of the columns of a labelled table; light, so that the command line can list them."""

from __future__ import annotations

from naturalness.explaining.shown import FIT, SOUND

NATURALNESS, LABEL, REASON = "naturalness", "label", "reason"
LOW, HIGH, UNLIKE = "low", "high", "unlike"
WHY, GROUPS, FEATURES = "why", "groups", "features"
REGISTER, PERCENTILE = "register", "percentile"
"""Where a score stands among those of people, which a job with a register knows."""
OVERALL = "overall_naturalness"
"""The score in any register, which `score` adds where it judges within one."""
ALWAYS = (NATURALNESS, LABEL, REASON)
SINGLE = (*ALWAYS, LOW, HIGH, UNLIKE, WHY, SOUND, FIT, REGISTER, PERCENTILE)
"""Fields that are one column, of the same name."""
FIELDS = (*SINGLE, GROUPS, FEATURES)
"""What may be asked for by name, beside groups of features and metrics."""
