"""Protocol and class of metrics: one number per text, with or without references."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeGuard, runtime_checkable

import numpy as np

from naturalness import __version__
from naturalness.arrays import FloatArray
from naturalness.files.resources import require_package

if TYPE_CHECKING:
    from spacy.tokens import Doc

References = Sequence[Sequence[str]]
"""The references of each text, as written; a text without any gets NaN."""
Sources = Sequence[str | None]
"""The source that each text rewrites, as written; a text without one gets NaN."""


@runtime_checkable
class Metric(Protocol):
    """Score of Docs. A row's score does not depend on the other rows unless `set_dependent` is true."""

    @property
    def name(self) -> str: ...
    @property
    def higher_is_better(self) -> bool: ...
    @property
    def needs_references(self) -> bool: ...
    @property
    def set_dependent(self) -> bool:
        """Whether a row's score depends on the other rows."""
        ...

    @property
    def package(self) -> str:
        """Optional package of the extra `metrics` that it needs, or an empty string."""
        ...

    @property
    def description(self) -> str:
        """Formula, range and source, on one line."""
        ...

    @property
    def signature(self) -> str:
        """Settings, versions and checksums, written beside every score."""
        ...

    def score(self, docs: Sequence[Doc], references: References | None = None) -> FloatArray:
        """Return one number per Doc; NaN if undefined."""
        ...


class SourcedMetric(Metric, Protocol):
    """A metric that also takes source texts."""

    @property
    def needs_sources(self) -> bool:
        """True, which distinguishes it from other metrics."""
        ...

    def score(
        self, docs: Sequence[Doc], references: References | None = None, sources: Sources | None = None
    ) -> FloatArray:
        """Return one number per Doc; NaN if undefined, as without a source."""
        ...


@dataclass(frozen=True)
class ComputedMetric:
    """A metric by a function: of Docs, of Docs and their references, or also of their sources."""

    name: str
    measure: Callable[..., Sequence[float] | FloatArray]
    """Takes Docs, references if `needs_references`, sources if `needs_sources`; NaN where undefined."""
    settings: str | Callable[[], str]
    """Settings in the signature; a function where an asset must be looked up."""
    description: str
    higher_is_better: bool = True
    needs_references: bool = False
    needs_sources: bool = False
    set_dependent: bool = False
    package: str = ""
    signed: str = ""
    """Name in the signature, if it is not `name`."""

    @property
    def signature(self) -> str:
        """Name, settings and version."""
        settings = self.settings if isinstance(self.settings, str) else self.settings()
        return f"{self.signed or self.name}|{settings}|v:{__version__}"

    def score(
        self, docs: Sequence[Doc], references: References | None = None, sources: Sources | None = None
    ) -> FloatArray:
        """Return one number per Doc; NaN where it is undefined, as for an empty text."""
        beside = (references, sources) if self.needs_sources else (references,) if self.needs_references else ()
        return np.array(self.measure(docs, *beside), np.float64)


def check_available(metric: Metric) -> None:
    """Raise an error if the package, model or program of a metric is missing."""
    if metric.package:
        require_package(metric.package, user=f"metric {metric.name!r}", extra="metrics")
    _ = metric.signature  # opens models and programs


def is_sourced(metric: Metric) -> TypeGuard[SourcedMetric]:
    """Return whether a metric takes source texts, without opening models."""
    return bool(getattr(metric, "needs_sources", False))
