"""What `metrics.json` holds of a training, and how it is read."""

from __future__ import annotations

import json

import pytest

from naturalness.pipelines.summary import read_summary

CURVE = {"sizes": [2, 1], "means": [0.8, 0.7], "errors": [0.1, None], "chosen": 1}


@pytest.mark.parametrize("key", ["columns", "kept"])
def test_columns_of_elimination_have_had_two_names(key: str) -> None:
    """Models of 0.1.0 have the older."""
    summary = {"protocol": {"chosen_by": "roc_auc"}, "elimination": {**CURVE, key: ["surface__words"]}}
    assert read_summary(json.dumps(summary).encode())["elimination"] == {**CURVE, "columns": ["surface__words"]}
