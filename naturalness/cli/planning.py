"""From options, or from what a model's manifest kept of them, to a plan of training."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from naturalness.errors import ModelError

if TYPE_CHECKING:
    from naturalness.pipelines.starting import Origin
    from naturalness.pipelines.train import Plan

PLANNED = ("learner", "select", "folds", "class_weight", "seed", "repeats", "test_size",
           "threshold", "thorough")  # fmt: skip
"""The options that a plan is made of, as they are kept in a manifest."""


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
    add("--from", dest="start", metavar="MODEL", help="the model that its learning started from, "
        "where this is one of your own and learning is repeated")  # fmt: skip
