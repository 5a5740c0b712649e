"""What a metric is: one number per text, with or without references."""

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
"""For each text its references, as they are written; none is allowed and gives NaN."""
Sources = Sequence[str | None]
"""For each text what it rewrites, as it is written; none (or an empty one) gives NaN."""


@runtime_checkable
class Metric(Protocol):
    """Scores Docs. A row's number does not depend on its company, or `set_dependent` says so."""

    @property
    def name(self) -> str: ...
    @property
    def higher_is_better(self) -> bool: ...
    @property
    def needs_references(self) -> bool: ...
    @property
    def set_dependent(self) -> bool:
        """Whether a row's number depends on the other rows scored with it."""
        ...

    @property
    def package(self) -> str:
        """Optional package (of extra `metrics`) that it needs; empty where none."""
        ...

    @property
    def description(self) -> str:
        """Formula, range and source, in one line."""
        ...

    @property
    def signature(self) -> str:
        """Settings, versions and checksums, to write beside every number."""
        ...

    def score(self, docs: Sequence[Doc], references: References | None = None) -> FloatArray:
        """Return one number per Doc; NaN where it is undefined."""
        ...


class SourcedMetric(Metric, Protocol):
    """A metric that also takes what a text rewrites."""

    @property
    def needs_sources(self) -> bool:
        """True, which tells it from other metrics."""
        ...

    def score(
        self, docs: Sequence[Doc], references: References | None = None, sources: Sources | None = None
    ) -> FloatArray:
        """Return one number per Doc; NaN where it is undefined, as without a source."""
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
    """Refuse a metric whose package, model or program is not here, before anything is parsed."""
    if metric.package:
        require_package(metric.package, user=f"metric {metric.name!r}", extra="metrics")
    _ = metric.signature  # opens what it is about


def is_sourced(metric: Metric) -> TypeGuard[SourcedMetric]:
    """Tell whether a metric takes sources, without opening anything."""
    return bool(getattr(metric, "needs_sources", False))
