"""Scores of texts, one entry per text: as lists, as a data frame, and as HTML for notebooks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.data.frames import frame_of
from naturalness.judging.fields import NO_LABEL
from naturalness.judging.people import Standing
from naturalness.pages.formats import beginning

if TYPE_CHECKING:
    import pandas as pd

MAX_ROWS, MAX_CHARACTERS = 20, 160
"""Maximum number of rows that a notebook shows, and of characters shown of each text."""
LISTS = ("labels", "reasons", "standings", "texts")
"""The names of the lists of scores with an entry for each text."""


@dataclass(frozen=True, slots=True, eq=False)
class Scores(Sequence[dict[str, Any]]):
    """Scores of texts; each array or list has one entry per text, in order.

    It is also a sequence of records, one per text, with the columns of `to_pandas`: ``scores[0]["naturalness"]``,
    ``pandas.DataFrame(scores)``, ``polars.DataFrame(scores)``.
    """

    naturalness: FloatArray
    """Naturalness, 0..1, six significant digits; NaN if undefined."""
    labels: list[str | None]
    """Labels; None without a score. From a model with `score_anyway`, a text that is not English prose has a label only
    if it is the worst."""
    reasons: list[str]
    """Why a text has no score, is not English prose, or lacks a group of features; otherwise empty."""
    axes: Mapping[str, FloatArray] = field(default_factory=dict)
    """Scores of an adapted model, 0..1: ``sound``, how sound each text is, and ``fit``, how well it fits the kind."""
    standings: Sequence[Standing] = ()
    """The position of each score within the register of its text; empty if no register was given."""
    texts: Sequence[str] = ()
    """The texts; empty if a table of features was scored."""
    threshold: float = 0.5
    """The lowest naturalness at which a text gets the better of two labels."""

    def __len__(self) -> int:
        return len(self.naturalness)

    def __getitem__(self, index: Any) -> Any:
        """Return the record of a text, or the records of a slice."""
        return list(self)[index]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        columns = self._columns()
        return (dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True))

    def __eq__(self, other: object) -> bool:
        """Return whether all records are equal; NaN equals NaN."""
        return isinstance(other, Scores) and repr([*self]) == repr([*other])

    def __repr__(self) -> str:
        """Return the number of texts, their mean score and how many lack one; for one text, its score and label."""
        return f"Scores({self._summary()})"

    def _summary(self) -> str:
        scores = self.naturalness[~np.isnan(self.naturalness)].tolist()
        count = len(self.naturalness)
        if count == 1:
            label = self.labels[0] or f"{NO_LABEL}: {self.reasons[0]}"
            return f"1 text: {scores[0]:.3f}, {label}" if scores else f"1 text, no score: {self.reasons[0]}"
        summary = f"{count:,} texts" + (f": {fmean(scores):.3f} on average" if scores else "")
        return summary + (f", {count - len(scores):,} without a score" if len(scores) < count else "")

    def _repr_html_(self) -> str:
        """Return HTML for notebooks: the first texts with their scores, labels and reasons."""
        from naturalness.pages.templating import render_part  # only notebooks need templates

        rows = range(min(MAX_ROWS, len(self.naturalness)))
        return render_part(
            "scores.html.j2",
            summary=self._summary(),
            texts=len(self.naturalness),
            axes=list(self.axes),
            within=bool(self.standings),
            reasons=any(self.reasons[i] for i in rows),
            rows=[
                {
                    "text": beginning(self.texts[i], MAX_CHARACTERS) if self.texts else i + 1,
                    "score": self.naturalness[i],
                    "good": self.labels[i] is not None and self.naturalness[i] >= self.threshold,
                    "label": self.labels[i],
                    "axes": [values[i] for values in self.axes.values()],
                    "standing": self.standings[i] if self.standings else None,
                    "reason": self.reasons[i],
                }
                for i in rows
            ],
        )

    def to_pandas(self) -> pd.DataFrame:
        """Return a row per text: ``text``, ``naturalness``, ``label``, ``reason``, and any axes and registers."""
        return frame_of(self._columns())

    def _columns(self) -> dict[str, Sequence[Any]]:
        columns: dict[str, Sequence[Any]] = {"text": self.texts} if self.texts else {}
        columns |= {"naturalness": self.naturalness.tolist(), "label": self.labels, "reason": self.reasons}
        columns |= {name: values.tolist() for name, values in self.axes.items()}
        if self.standings:
            columns["register"] = [standing.register for standing in self.standings]
            columns["percentile"] = [standing.percentile for standing in self.standings]
        return columns


def joined(parts: Sequence[Scores], threshold: float) -> Scores:
    """Return the scores of several batches as one."""

    axes = {name: np.concatenate([part.axes[name] for part in parts]) for name in (parts[0].axes if parts else ())}
    lists: dict[str, Any] = {name: [value for part in parts for value in getattr(part, name)] for name in LISTS}
    naturalness = np.concatenate([np.empty(0), *(part.naturalness for part in parts)])
    return Scores(naturalness, **lists, axes=axes, threshold=threshold)
