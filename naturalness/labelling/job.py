"""What is asked of every text, and what the columns are called that answer."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from naturalness import __version__
from naturalness.errors import NaturalnessError, UnknownName
from naturalness.features import EVERY, check_requirements, column_names, resolve
from naturalness.features.base import FeatureGroup
from naturalness.features.reference import Usual
from naturalness.files.folder import MANIFEST
from naturalness.files.resources import require_package
from naturalness.labelling.fields import (
    ALWAYS,
    FEATURES,
    FIELDS,
    GROUPS,
    LABEL,
    NATURALNESS,
    REASON,
    SINGLE,
    UNLIKE,
    WHY,
)
from naturalness.models.metrics import Metric, is_sourced
from naturalness.models.metrics import resolve as resolve_metrics
from naturalness.pipelines.scorer import DEFAULT_MODEL, NaturalnessModel, model_folder
from naturalness.pipelines.store import assets_of, read_model
from naturalness.text.parsing import pipeline_language

Columns = dict[str, list[Any]]
"""Values of some rows by column, in order."""
Row = tuple[Any, ...]
"""Values of one row, in the order of the columns."""


@dataclass(frozen=True, slots=True)
class Job:
    """The same job gives the same text the same values, on any machine with the same assets."""

    model: str = DEFAULT_MODEL
    changed_assets: bool = False
    fields: tuple[str, ...] = ALWAYS
    """Names of `FIELDS` and of feature groups, in the order of their columns."""
    metrics: tuple[str, ...] = ()
    batch_size: int = 64
    """Texts parsed together; it changes no value."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A job whose names were found."""

    job: Job
    model: NaturalnessModel
    groups: tuple[FeatureGroup, ...]
    """The model's, then those that fields name besides."""
    metrics: tuple[Metric, ...]
    usual: Usual | None
    """What is usual in the model's training texts, where a field asks for it."""

    @property
    def model_groups(self) -> list[FeatureGroup]:
        """Those that the model reads."""
        return resolve(self.model.saved.description.groups)

    def columns(self) -> list[str]:
        """Names of the columns, in their order."""
        found: list[str] = []
        for field in self.job.fields:
            if field in SINGLE:
                found.append(field)
            elif field == GROUPS:
                found += [added_by(group.name) for group in self.model_groups]
            elif field == FEATURES:
                found += column_names(self.model_groups)
            else:
                found += column_names(resolve([field]))
        found += [metric.name for metric in self.metrics]
        if twice := sorted({name for name in found if found.count(name) > 1}):
            raise NaturalnessError(f"the column {twice[0]!r} was asked for twice; name each field and metric once")
        return found


def empty_row(columns: Sequence[str], reason: str) -> Row:
    """The values of a text that could not be judged."""
    texts = {LABEL: "", WHY: "", UNLIKE: "", REASON: reason}
    return tuple(texts.get(name, math.nan) for name in columns)


def added_by(group: str) -> str:
    """The column of what a group adds to the log-odds."""
    return f"{NATURALNESS}_{group.replace(':', '_')}"


def open_job(job: Job) -> Opened:
    """Find everything that is named, or say what is wrong, before any text is read."""
    folder = model_folder(job.model)
    saved = read_model(folder, changed_assets=job.changed_assets)
    named = [field_group(field) for field in job.fields if field not in FIELDS]
    groups = resolve([*saved.description.groups, *named])
    check_requirements(groups, language=pipeline_language(saved.description.nlp))
    metrics = resolve_metrics(list(job.metrics))
    for metric in metrics:
        _check_metric(metric)
    model = NaturalnessModel(saved, job.model, folder=folder)
    usual = model.usual if UNLIKE in job.fields else None
    opened = Opened(job, model, tuple(groups), tuple(metrics), usual)
    opened.columns()
    return opened


def field_group(field: str) -> FeatureGroup:
    """The group that a field names."""
    try:
        return resolve([field])[0]
    except UnknownName:
        raise UnknownName("field", field, [*FIELDS, *EVERY]) from None


def _check_metric(metric: Metric) -> None:
    if metric.needs_references or is_sourced(metric):
        raise NaturalnessError(
            f"metric {metric.name!r} needs references or sources beside the text; use `compare`, "
            "or name a metric that needs the text alone (naturalness label --help)"
        )
    if metric.set_dependent:
        raise NaturalnessError(
            f"metric {metric.name!r} depends on the rows scored together, so a text would not "
            "have one value; use `compare`"
        )
    if metric.package:
        require_package(metric.package, user=f"metric {metric.name!r}", extra="metrics")
    _ = metric.signature  # opens what it is about: a model or program that is not here says so


def identity(opened: Opened) -> Mapping[str, Any]:
    """What the values depend on besides the texts, as plain data: job, model, assets, version."""
    job = asdict(opened.job)
    job.pop("batch_size")
    manifest = Path(model_folder(opened.job.model)) / MANIFEST
    return {
        "naturalness": __version__,
        "job": {name: list(v) if isinstance(v, tuple) else v for name, v in job.items()},
        "model": hashlib.sha256(manifest.read_bytes()).hexdigest()[:16],
        "assets": assets_of([group.name for group in opened.groups]),
        "metrics": signatures(opened.metrics),
    }


def signatures(metrics: Sequence[Metric]) -> list[str]:
    """Settings and checksums of the metrics."""
    return [metric.signature for metric in metrics]
