"""Scores of texts, one entry per text: as lists, as a data frame, and as HTML for notebooks."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.data.frames import frame_of
from naturalness.features import round_significant
from naturalness.judging.fields import LABEL, NATURALNESS, NO_LABEL, NO_VOICE, PERCENTILE, REASON, REGISTER, VOICE
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
    english: bool = True
    """Whether the model reads English; voice is undefined in other languages."""

    @cached_property
    def voice(self) -> FloatArray:
        """Voice (`models.voice`), 0..1, six significant digits, computed on first access.

        It is NaN for a text without a score, for fewer than ten words, and if the texts are unknown.
        """
        texts = self.texts if self.english and self.texts else [""] * len(self)
        scored = ~np.isnan(self.naturalness)
        known = [voice().score(normalise(text).text) if s else math.nan for text, s in zip(texts, scored, strict=True)]
        return round_significant(np.array(known, dtype=np.float64))

    @property
    def all_reasons(self) -> list[str]:
        """The reasons, and for a text that is too short for a voice but has a score, `NO_VOICE`."""
        short = np.isnan(self.voice) & (self.english and bool(self.texts))
        return [reason or NO_VOICE * bool(is_short) for reason, is_short in zip(self.reasons, short, strict=True)]

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
                    "voice": self.voice[i],
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
        """Return a row per text: ``text``, ``naturalness``, ``voice``, ``label`` and ``reason``, axes and registers."""
        return frame_of(self._columns())

    def _columns(self) -> dict[str, Sequence[Any]]:
        columns: dict[str, Sequence[Any]] = {"text": self.texts} if self.texts else {}
        columns |= {NATURALNESS: self.naturalness.tolist(), VOICE: self.voice.tolist()}
        columns |= {LABEL: self.labels, REASON: self.all_reasons}
        columns |= {name: values.tolist() for name, values in self.axes.items()}
        if self.standings:
            columns[REGISTER] = [standing.register for standing in self.standings]
            columns[PERCENTILE] = [standing.percentile for standing in self.standings]
        return columns


def joined(parts: Sequence[Scores], threshold: float) -> Scores:
    """Return the scores of several batches as one."""

    axes = {name: np.concatenate([part.axes[name] for part in parts]) for name in (parts[0].axes if parts else ())}
    lists: dict[str, Any] = {name: [value for part in parts for value in getattr(part, name)] for name in LISTS}
    naturalness = np.concatenate([np.empty(0), *(part.naturalness for part in parts)])
    english = all(part.english for part in parts)
    return Scores(naturalness, **lists, axes=axes, threshold=threshold, english=english)
