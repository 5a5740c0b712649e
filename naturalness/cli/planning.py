"""From options, or from what a model's manifest kept of them, to a plan of training."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from naturalness.cli.options import fraction, positive, seed
from naturalness.errors import ModelError, damage_as

if TYPE_CHECKING:
    from naturalness.pipelines.starting import Origin
    from naturalness.pipelines.train import Plan

METRICS = ("weighted_f1", "macro_f1", "f1", "accuracy", "balanced_accuracy")
"""What the threshold can be chosen for."""


def threshold(value: str) -> str | float:
    """A figure of `METRICS`, or a number from 0 to 1."""
    if value in METRICS:
        return value
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(
            f"expected a number from 0 to 1 or one of {', '.join(METRICS)}, found {value!r}"
        )
    return number


PLANNED: Mapping[str, Callable[[str], Any]] = {
    "learner": str,
    "select": str,
    "folds": positive,
    "class_weight": str,
    "seed": seed,
    "repeats": positive,
    "test_size": fraction,
    "threshold": threshold,
    "thorough": {"True": True, "False": False}.__getitem__,
}
"""The options that a plan is made of, as they are kept in a manifest, and what reads each."""


def cores() -> int:
    """Processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def make_plan(settings: Mapping[str, Any], jobs: int | None, origin: Origin | None = None) -> Plan:
    """The plan of settings as they are kept in a manifest; ``origin`` is what is started from."""
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
            origin=origin,
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


def plan_again(folder: Path, training: Mapping[str, Any], jobs: int | None, named: str | None) -> Plan:
    """The plan that a model was trained by; ``named`` is where lies what it started from."""
    from naturalness.files.folder import MANIFEST

    with damage_as(
        ModelError, folder / MANIFEST, "train the model again", what="does not say how the model was trained"
    ):
        recorded = training["settings"]
        settings = {name: read(str(recorded[name])) for name, read in PLANNED.items()}
        return make_plan(settings, jobs, origin_again(training, named))


def origin_again(training: Mapping[str, Any], named: str | None) -> Origin | None:
    """What a model's learning started from, to learn as it did; ``named`` says where that lies.

    Manifests have the name and the checksum of what was started from and not its path, so only a
    shipped model is known without its being named.
    """
    from naturalness.pipelines.scorer import SHIPPED
    from naturalness.pipelines.starting import read_origin

    record = training.get("start")
    if not isinstance(record, Mapping):
        return None
    name, checksum = record.get("name"), record.get("checksum")
    where = named or (name if name in SHIPPED else None)
    if where is None:
        raise ModelError(
            f"its learning started from model {name!r} (checksum {checksum}), which is needed to "
            "learn again; say where that lies with --from"
        )
    origin = read_origin(where)
    if origin.checksum != checksum:
        raise ModelError(
            f"its learning started from model {name!r} with checksum {checksum}, and that of "
            f"{where!r} is {origin.checksum}; name the one of training with --from, or train again"
        )
    return origin


def add_origin_option(add: Callable[..., Any]) -> None:
    """Where the model lies that learning started from."""
    add(
        "--from",
        dest="start",
        metavar="MODEL",
        help="the model that its learning started from, where this is one of your own and learning is repeated",
    )
