"""The protocol of metrics, which give one number per text, and a metric that is computed by a function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from naturalness import __version__
from naturalness.arrays import FloatArray
from naturalness.files.resources import require_package
from naturalness.text.view import Doc

References = Sequence[Sequence[str]]
"""A list of references for each text, in their original form; a text whose list is empty gets NaN."""


@runtime_checkable
class Metric(Protocol):
    """A metric that scores Docs. A Doc's score does not depend on the other Docs."""

    @property
    def name(self) -> str: ...
    @property
    def higher_is_better(self) -> bool: ...
    @property
    def needs_references(self) -> bool: ...
    @property
    def package(self) -> str:
        """The optional package that the metric needs, from the extra `metrics`; an empty string if it needs none."""
        ...

    @property
    def description(self) -> str:
        """The formula, range and source, on one line."""
        ...

    @property
    def signature(self) -> str:
        """The settings, versions and checksums that affect scores; reports show them next to the scores."""
        ...

    def score(self, docs: Sequence[Doc], references: References | None = None) -> FloatArray:
        """Return one number per Doc; NaN if undefined."""
        ...


@dataclass(frozen=True)
class ComputedMetric:
    """A metric computed by a function that takes Docs, or Docs and their references."""

    name: str
    measure: Callable[..., Sequence[float] | FloatArray]
    """A function of Docs and, if `needs_references`, their references; it returns one score or NaN per Doc."""
    settings: str | Callable[[], str]
    """The settings for the signature, or a function that returns them if an asset must be looked up."""
    description: str
    higher_is_better: bool = True
    needs_references: bool = False
    package: str = ""

    @property
    def signature(self) -> str:
        """The name, settings and version."""
        settings = self.settings if isinstance(self.settings, str) else self.settings()
        return f"{self.name}|{settings}|v:{__version__}"

    def score(self, docs: Sequence[Doc], references: References | None = None) -> FloatArray:
        """Return one number per Doc; NaN if undefined, as for an empty text."""
        beside = (references,) if self.needs_references else ()
        return np.array(self.measure(docs, *beside), np.float64)


def check_available(metric: Metric) -> None:
    """Raise an error if a package, model or program that a metric needs is missing."""
    if metric.package:
        require_package(metric.package, user=f"metric {metric.name!r}", extra="metrics")
    _ = metric.signature  # computing the signature opens the models and programs
