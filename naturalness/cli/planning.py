"""From options, or from what a model's manifest kept of them, to a plan of training."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from naturalness.pipelines.train import Plan

PLANNED = ("learner", "select", "folds", "class_weight", "seed", "repeats", "test_size",
           "threshold", "thorough")  # fmt: skip
"""The options that a plan is made of, as they are kept in a manifest."""


def cores() -> int:
    """Processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def make_plan(settings: Mapping[str, Any], jobs: int | None) -> Plan:
    """The plan of settings as they are kept in a manifest."""
    from naturalness.pipelines.evaluation import Protocol
    from naturalness.pipelines.fitting import Settings
    from naturalness.pipelines.train import Plan

    return Plan(
        settings=Settings(
            learner=settings["learner"],
            select=settings["select"],
            folds=settings["folds"],
            class_weight="balanced" if settings["class_weight"] == "balanced" else None,
            seed=settings["seed"],
        ),
        protocol=Protocol(
            repeats=settings["repeats"],
            test_size=settings["test_size"],
            threshold=settings["threshold"],
            seed=settings["seed"],
        ),
        thorough=settings["thorough"],
        n_jobs=jobs or cores(),
    )
