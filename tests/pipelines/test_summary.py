"""What `metrics.json` holds of a training, and how it is read."""

from __future__ import annotations

import json

from naturalness.pipelines.summary import read_summary

CURVE = {"sizes": [2, 1], "means": [0.8, 0.7], "errors": [0.1, None], "chosen": 1}


def test_the_curve_of_elimination() -> None:
    """It is read as it was written."""
    summary = {"protocol": {"chosen_by": "roc_auc"}, "elimination": {**CURVE, "columns": ["surface__words"]}}
    assert read_summary(json.dumps(summary).encode()) == summary
