"""Scores of texts, one entry per text: as lists, as a data frame, and as HTML for notebooks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.data.frames import frame_of
from naturalness.features import round_significant
from naturalness.judging.fields import (
    ALWAYS,
    FIT,
    LABEL,
    NATURALNESS,
    NO_LABEL,
    NO_VOICE,
    OVERALL,
    PERCENTILE,
    REASON,
    REGISTER,
    SOUND,
    VOICE,
    WITHIN,
)
from naturalness.judging.people import Standing
from naturalness.models.voice import voice
from naturalness.pages.formats import beginning
from naturalness.text.normalisation import normalise

if TYPE_CHECKING:
    import pandas as pd

MAX_ROWS, MAX_CHARACTERS = 20, 160
"""Maximum number of rows that a notebook shows, and of characters shown of each text."""
LISTS = ("labels", "reasons", "standings", "texts")
"""The names of the lists of scores with an entry for each text."""


@dataclass(frozen=True, eq=False)
class Scores(Sequence[dict[str, Any]]):
    """Scores of texts; each array or list has one entry per text, in order.

    It is also a sequence of records, one per text, with the keys of `columns`: ``scores[0]["naturalness"]``,
    ``pandas.DataFrame(scores)``, ``polars.DataFrame(scores)``.
    """

    naturalness: FloatArray
    """Naturalness, 0..1, six significant digits; NaN if undefined."""
    labels: list[str | None]
    """Labels; None without a score. From a model with `score_anyway`, a text that is not English prose has a label only
    if it is the worst."""
    reasons: list[str]
    """Why a text has no score, is not English prose, or lacks a group of features; otherwise empty."""
    texts: Sequence[str]
    axes: Mapping[str, FloatArray] = field(default_factory=dict)
    """Scores of an adapted model, 0..1: ``sound``, how sound each text is, and ``fit``, how well it fits the kind."""
    standings: Sequence[Standing] = ()
    """The position of each score within the register of its text; empty if no register was given."""
    threshold: float = 0.5
    """The lowest naturalness at which a text gets the better of two labels."""
    english: bool = True
    """Whether the model reads English; voice is undefined in other languages."""

    @cached_property
    def voice(self) -> FloatArray:
        """Voice (`models.voice`), 0..1, six significant digits, computed on first access.

        It is NaN for a text without a score, for fewer than ten words, and in other languages.
        """
        texts = self.texts if self.english else [""] * len(self)
        scored = ~np.isnan(self.naturalness)
        known = [voice().score(normalise(text).text) if s else math.nan for text, s in zip(texts, scored, strict=True)]
        return round_significant(np.array(known, dtype=np.float64))

    @property
    def all_reasons(self) -> list[str]:
        """The reasons, and for a text that is too short for a voice but has a score, `NO_VOICE`."""
        short = np.isnan(self.voice) & self.english
        return [reason or NO_VOICE * bool(is_short) for reason, is_short in zip(self.reasons, short, strict=True)]

    def __len__(self) -> int:
        return len(self.naturalness)

    def __getitem__(self, index: Any) -> Any:
        """Return the record of a text, or the records of a slice."""
        chosen = self._records[index]
        return [*map(dict, chosen)] if isinstance(index, slice) else dict(chosen)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return map(dict, self._records)

    @cached_property
    def _records(self) -> list[dict[str, Any]]:
        return self.rows()

    def rows(self, fields: Sequence[str] | None = None) -> list[dict[str, Any]]:
        """Return a record of fields for each text; see `columns`."""
        columns = self.columns(fields)
        return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]

    def columns(self, fields: Sequence[str] | None = None) -> dict[str, Sequence[Any]]:
        """Return the values of fields (keys of `VALUES`), keyed by field; by default the texts and all fields."""
        columns: dict[str, Sequence[Any]] = {"text": self.texts} if fields is None else {}
        names = (*ALWAYS, *(WITHIN if self.standings else ()), *self.axes) if fields is None else fields
        columns |= {name: VALUES[name](self) for name in names}
        if REASON in columns and VOICE in columns:
            columns[REASON] = self.all_reasons
        return columns

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

        rows = self.rows()[:MAX_ROWS]
        return render_part(
            "scores.html.j2",
            summary=self._summary(),
            texts=len(self),
            axes=list(self.axes),
            within=bool(self.standings),
            reasons=any(self.reasons[: len(rows)]),
            rows=[
                row
                | {
                    "text": beginning(row["text"], MAX_CHARACTERS),
                    "good": row[LABEL] is not None and row[NATURALNESS] >= self.threshold,
                    REASON: self.reasons[i],
                }
                for i, row in enumerate(rows)
            ],
        )

    def to_pandas(self) -> pd.DataFrame:
        """Return a row per text, with the columns of `columns`."""
        return frame_of(self.columns())


VALUES: Mapping[str, Callable[[Scores], Sequence[Any]]] = {
    NATURALNESS: lambda scores: scores.naturalness.tolist(),
    VOICE: lambda scores: scores.voice.tolist(),
    LABEL: lambda scores: scores.labels,
    REASON: lambda scores: scores.reasons,
    REGISTER: lambda scores: [standing.register for standing in scores.standings],
    PERCENTILE: lambda scores: [standing.percentile for standing in scores.standings],
    OVERALL: lambda scores: [standing.overall for standing in scores.standings],
    SOUND: lambda scores: scores.axes[SOUND].tolist(),
    FIT: lambda scores: scores.axes[FIT].tolist(),
}
"""Functions that return the values of fields, keyed by field. Every row of scores is made from them: in data frames,
tables, answers of servers and attributes of Docs."""


def join_scores(parts: Sequence[Scores], threshold: float) -> Scores:
    """Return the scores of several batches as one."""

    axes = {name: np.concatenate([part.axes[name] for part in parts]) for name in (parts[0].axes if parts else ())}
    lists: dict[str, Any] = {name: [value for part in parts for value in getattr(part, name)] for name in LISTS}
    naturalness = np.concatenate([np.empty(0), *(part.naturalness for part in parts)])
    english = all(part.english for part in parts)
    return Scores(naturalness, **lists, axes=axes, threshold=threshold, english=english)
