"""Protocol and class of metrics: one number per text, with or without references."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

from naturalness import __version__
from naturalness.arrays import FloatArray
from naturalness.files.resources import require_package

if TYPE_CHECKING:
    from spacy.tokens import Doc

References = Sequence[Sequence[str]]
"""The references of each text, as written; a text without any gets NaN."""


@runtime_checkable
class Metric(Protocol):
    """A score of Docs. A row's score does not depend on the other rows unless `set_dependent` is true."""

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


@dataclass(frozen=True)
class ComputedMetric:
    """A metric computed by a function of Docs, or of Docs and their references."""

    name: str
    measure: Callable[..., Sequence[float] | FloatArray]
    """Function of Docs, and of references if `needs_references`; returns NaN for undefined scores."""
    settings: str | Callable[[], str]
    """Settings for the signature; a function if it needs to look up an asset."""
    description: str
    higher_is_better: bool = True
    needs_references: bool = False
    set_dependent: bool = False
    package: str = ""
    signed: str = ""
    """Name in the signature if it differs from `name`."""

    @property
    def signature(self) -> str:
        """Name, settings and version."""
        settings = self.settings if isinstance(self.settings, str) else self.settings()
        return f"{self.signed or self.name}|{settings}|v:{__version__}"

    def score(self, docs: Sequence[Doc], references: References | None = None) -> FloatArray:
        """Return one number per Doc; NaN if undefined, as for an empty text."""
        beside = (references,) if self.needs_references else ()
        return np.array(self.measure(docs, *beside), np.float64)


def check_available(metric: Metric) -> None:
    """Raise an error if the package, model or program of a metric is missing."""
    if metric.package:
        require_package(metric.package, user=f"metric {metric.name!r}", extra="metrics")
    _ = metric.signature  # computing it opens models and programs
