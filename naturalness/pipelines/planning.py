"""Make training plans from options, or from the settings recorded in a model's manifest."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from naturalness.errors import ModelError, advice, damage_as

if TYPE_CHECKING:
    from naturalness.pipelines.evaluation import Plan
    from naturalness.pipelines.warm_start import Origin

THRESHOLD_METRICS = ("weighted_f1", "macro_f1", "f1", "accuracy", "balanced_accuracy")
"""Metrics that the threshold can maximise."""


def whole_number(value: str) -> int:
    """Read a positive whole number; like all readers here, raise ValueError for any other text."""
    if not value.isdecimal() or int(value) < 1:
        raise ValueError(f"expected a whole number above 0, found {value!r}")
    return int(value)


def seed(value: str) -> int:
    """Read a seed: a whole number in the range that all random number generators accept."""
    if not value.isdecimal() or int(value) >= 1 << 31:
        raise ValueError(f"expected a whole number from 0 to 2147483647, found {value!r}")
    return int(value)


def fraction(value: str) -> float:
    """Read a number between 0 and 1, exclusive."""
    number = _number(value)
    if not 0 < number < 1:
        raise ValueError(f"expected a number between 0 and 1, found {value!r}")
    return number


def threshold(value: str) -> str | float:
    """Read one of `THRESHOLD_METRICS`, or a number from 0 to 1."""
    if value in THRESHOLD_METRICS:
        return value
    number = _number(value)
    if not 0 <= number <= 1:
        expected = f"expected a number from 0 to 1 or one of {', '.join(THRESHOLD_METRICS)}"
        raise ValueError(f"found {value!r}{advice(value, THRESHOLD_METRICS, expected)}")
    return number


def _number(value: str) -> float:
    try:
        return float(value)
    except ValueError:
        return -1.0  # a value outside all ranges above


SETTINGS: Mapping[str, Callable[[str], Any]] = {
    "learner": str,
    "select": str,
    "folds": whole_number,
    "class_weight": str,
    "seed": seed,
    "repeats": whole_number,
    "test_size": fraction,
    "threshold": threshold,
}
"""The plan settings that are recorded in a manifest, each with the function that parses it."""


def cores() -> int:
    """Return the number of processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def make_plan(settings: Mapping[str, Any], jobs: int | None, origin: Origin | None) -> Plan:
    """Return the plan for values of `SETTINGS`, with a warm start from ``origin`` if given.

    A value that is out of range raises ValueError.
    """
    from naturalness.pipelines.evaluation import Plan, Protocol
    from naturalness.pipelines.fitting import Settings

    settings = {name: _read(name, settings[name]) for name in SETTINGS}
    return Plan(
        settings=Settings(
            **{name: settings[name] for name in ("learner", "select", "folds", "seed")},
            class_weight="balanced" if settings["class_weight"] == "balanced" else None,
            origin=origin,
        ),
        protocol=Protocol(**{name: settings[name] for name in ("repeats", "test_size", "threshold", "seed")}),
        n_jobs=jobs or cores(),
    )


def _read(name: str, value: object) -> Any:
    try:
        return SETTINGS[name](str(value))
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def plan_again(folder: Path, training: Mapping[str, Any], jobs: int | None) -> Plan:
    """Return the plan with which a model was trained."""
    from naturalness.files.folder import MANIFEST

    with damage_as(
        ModelError, folder / MANIFEST, "train the model again", what="does not say how the model was trained"
    ):
        recorded = training["settings"]
        if recorded.get("thorough"):
            raise ModelError(
                "the model was trained with `thorough`, an option that is gone; train it again to evaluate it"
            )
        return make_plan(recorded, jobs, _origin_again(training.get("start")))


def _origin_again(record: Mapping[str, str] | None) -> Origin | None:
    """Return the shipped model from which training was warm-started; manifests do not contain the path of others."""
    from naturalness.judging.model import SHIPPED
    from naturalness.pipelines.warm_start import read_origin

    if record is None:
        return None
    name = record["name"]
    origin = read_origin(name) if name in SHIPPED else None
    if origin is None or origin.checksum != record["checksum"]:
        raise ModelError(
            f"its training started from model {name!r}, which is not shipped with this release, so it cannot be "
            "repeated; evaluate it on other texts (metrics.json has the figures of its training)"
        )
    return origin
