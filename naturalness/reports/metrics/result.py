"""The result of a comparison as plain data: figures, tests of pairs of metrics, and agreement of raters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from naturalness.data.frames import frame_of_rows
from naturalness.pipelines.summary import rounded
from naturalness.reports.metrics.scoring import Scored
from naturalness.reports.metrics.subsets import ALL
from naturalness.statistics.agreement import Agreement
from naturalness.statistics.bootstrap import STATISTICS, Figures
from naturalness.statistics.significance import MIN_TESTED, Pair, as_good_as_best, beaten_by, ranked

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Row:
    """The figures of one metric on one subset of the texts."""

    metric: str
    subset: str
    kind: str
    figures: Figures
    note: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The result of a comparison of metrics with ratings."""

    metrics: tuple[Scored, ...]
    rows: tuple[Row, ...]
    pairs: tuple[Pair, ...]
    agreement: Agreement | None
    """The agreement of raters; None if there are no individual ratings."""
    n_texts: int
    n_sources: int
    n_systems: int
    """The number of systems that wrote the texts; 0 if systems are unknown."""
    left_out: tuple[str, ...]
    """A line for each reason why metrics are unavailable and were left out, with their names."""
    resamples: int
    notes: tuple[str, ...] = ()
    """Lines that say how the table was read."""

    def to_pandas(self) -> pd.DataFrame:
        """Return a row per metric and subset of the texts, with figures and the ends of their 95 % intervals."""
        return frame_of_rows(self.data())

    def ranking(self) -> list[str]:
        """Return the metrics from best to worst by Spearman correlation, with undefined ones last."""
        return ranked(self._spearman())

    def _spearman(self) -> dict[str, float]:
        return {row.metric: row.figures.spearman.value for row in self.rows if row.subset == ALL}

    def find(self, metric: str, subset: str = ALL) -> Figures:
        """Return the figures of a metric on a subset; empty figures if it was not evaluated there."""
        return next((row.figures for row in self.rows if (row.metric, row.subset) == (metric, subset)), Figures(0, 0))

    def beats(self, metric: str) -> list[str]:
        """Return the metrics that ``metric`` significantly outperforms, by Holm-corrected Williams' tests on ranks."""
        return beaten_by(metric, self.pairs)

    def as_good_as_best(self) -> list[str]:
        """Return the best metric, and all metrics that it does not significantly outperform on common texts."""
        untested = self.not_compared_with_best()
        return [name for name in as_good_as_best(self._spearman(), self.pairs) if name not in untested]

    def not_compared_with_best(self) -> list[str]:
        """Return the metrics that have too few texts with a value in common with the best metric to be tested."""
        best = as_good_as_best(self._spearman(), self.pairs)[:1]
        few = [pair for pair in self.pairs if pair.n < MIN_TESTED and {pair.first, pair.second}.intersection(best)]
        return [name for pair in few for name in (pair.first, pair.second) if name not in best]

    def data(self) -> list[dict[str, Any]]:
        """Return an entry per metric and subset, with figures and the ends of their 95 % intervals.

        Numbers have six significant digits. An undefined number is None, and `note` gives the reason if it is known.
        """
        entries = {entry.name: entry for entry in self.metrics}
        return [rounded(self._entry(row, entries[row.metric])) for row in self.rows]

    def _entry(self, row: Row, scored: Scored) -> dict[str, Any]:
        figures = row.figures
        data: dict[str, Any] = {
            "metric": row.metric,
            "subset": row.subset,
            "kind": row.kind,
            "n": figures.n,
            "left_out": figures.left_out,
        }
        for name in STATISTICS:
            interval = getattr(figures, name)
            data |= {name: interval.value, f"{name}_low": interval.low, f"{name}_high": interval.high}
        data |= {
            "resamples": figures.resamples,
            "kendall_resamples": figures.kendall_resamples,
            "sources": figures.sources,
            "higher_is_better": scored.higher_is_better,
            "turned": not scored.higher_is_better,
            "learned": scored.learned,
            "note": row.note,
            "signature": scored.signature,
        }
        return data | ({"beats": self.beats(row.metric)} if row.subset == ALL else {})
