"""The result of a comparison as plain data: figures, tests of pairs of metrics, and agreement of raters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from naturalness import __version__
from naturalness.arrays import FloatArray
from naturalness.data.frames import frame_of_rows
from naturalness.pipelines.summary import rounded
from naturalness.reports.metrics.scoring import LeftOutMetric, Scored
from naturalness.reports.metrics.subsets import ALL
from naturalness.statistics.agreement import Agreement
from naturalness.statistics.bootstrap import RESAMPLES, STATISTICS, Figures
from naturalness.statistics.significance import ALPHA, Pair, as_good_as_best, beaten_by, n_tested, ranked
from naturalness.text.parsing import DEFAULT_PIPELINE

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class ComparisonSettings:
    """The settings of a comparison."""

    bands: int = 3
    resamples: int = RESAMPLES
    seed: int = 0
    nlp: str = DEFAULT_PIPELINE
    jobs: int = 1
    """The number of threads that compute intervals."""


@dataclass(frozen=True, slots=True)
class Row:
    """The figures of one metric on one subset of the texts."""

    metric: str
    subset: str
    kind: str
    figures: Figures
    note: str = ""
    """A note on this metric and this subset."""
    part_note: str = ""
    """A note on the subset that applies to all metrics."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The result of a comparison; arrays and tuples over texts have one entry per text."""

    metrics: tuple[Scored, ...]
    rows: tuple[Row, ...]
    pairs: tuple[Pair, ...]
    agreement: Agreement | None
    """The agreement of raters; None if there are no individual ratings."""
    ratings: FloatArray
    systems: tuple[str | None, ...] | None
    """The system that wrote each text; None for a text with several systems. The field is None if systems are
    unknown.
    """
    n_sources: int
    left_out: tuple[LeftOutMetric, ...]
    """The metrics that were left out because they are unavailable, with reasons."""
    settings: ComparisonSettings

    def to_pandas(self) -> pd.DataFrame:
        """Return a row per metric and subset of the texts, with figures and the ends of their 95 % intervals."""
        return frame_of_rows(table_of(self))

    def ranking(self) -> list[str]:
        """Return the metrics from best to worst by Spearman correlation, with undefined ones last."""
        return ranked(self._spearman())

    def _spearman(self) -> dict[str, float]:
        return {name: self.row(name).figures.spearman.value for name in self.names}

    @property
    def notes(self) -> list[str]:
        """A line for each metric that was left out, with the reason."""
        return [f"{entry.metric} left out: {entry.details}" for entry in self.left_out]

    @property
    def names(self) -> list[str]:
        """The names of the metrics, in the order in which they were requested."""
        return [entry.name for entry in self.metrics]

    @property
    def subsets(self) -> list[str]:
        """The names of the subsets, in order."""
        return list(dict.fromkeys(row.subset for row in self.rows))

    def row(self, metric: str, subset: str = ALL) -> Row:
        """Return the row of a metric on a subset."""
        for row in self.rows:
            if (row.metric, row.subset) == (metric, subset):
                return row
        raise KeyError(f"no row of {metric!r} on {subset!r}")

    def find(self, metric: str, subset: str) -> Figures | None:
        """Return the figures of a metric on a subset, or None if it was not evaluated there."""
        try:
            return self.row(metric, subset).figures
        except KeyError:
            return None

    def beats(self, metric: str) -> list[str]:
        """Return the metrics that ``metric`` significantly outperforms, by Holm-corrected Williams' tests on ranks."""
        return beaten_by(metric, self.pairs)

    def as_good_as_best(self) -> list[str]:
        """Return the best metric, and all metrics that it does not significantly outperform."""
        return as_good_as_best(self._spearman(), self.pairs)


def reasons_in_lines(left_out: Sequence[LeftOutMetric]) -> list[str]:
    """Return one line per reason, each with all metrics that were left out for that reason."""
    names: dict[str, list[str]] = {}
    for entry in left_out:
        names.setdefault(entry.reason, []).append(entry.metric)
    return [f"left out, {reason}: {', '.join(metrics)}" for reason, metrics in names.items()]


def table_of(result: Comparison) -> list[dict[str, Any]]:
    """Return an entry per metric and subset, with figures and the ends of their 95 % intervals.

    Numbers have six significant digits. An undefined number is None, and `note` gives the reason if it is known.
    """
    entries = {entry.name: entry for entry in result.metrics}
    rows = []
    for row in result.rows:
        entry, figures = entries[row.metric], row.figures
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
            "higher_is_better": entry.higher_is_better,
            "turned": not entry.higher_is_better,
            "learned": entry.learned,
            "note": "; ".join(note for note in (row.part_note, row.note) if note),
            "signature": entry.signature,
        }
        if row.subset == ALL:
            data["beats"] = result.beats(row.metric)
        rows.append(rounded(data))
    return rows


def everything(result: Comparison) -> dict[str, Any]:
    """Return the result as plain data without texts: rows, tests of pairs, agreement and signatures."""
    return rounded(  # type: ignore[no-any-return]
        {
            "naturalness": __version__,
            "texts": len(result.ratings),
            "sources": result.n_sources,
            "settings": {
                # Figures do not depend on the number of threads, so the file should not either.
                key: value
                for key, value in asdict(result.settings).items()
                if key != "jobs"
            },
            "metrics": [
                {key: value for key, value in asdict(entry).items() if key != "scores"} for entry in result.metrics
            ],
            "rows": table_of(result),
            "pairs": [_pair_data(pair) for pair in result.pairs],
            "tested_pairs": n_tested(result.pairs),
            "significant_at": ALPHA,
            "agreement": asdict(result.agreement) if result.agreement else None,
            "as_good_as_best": result.as_good_as_best(),
            "left_out": [asdict(entry) for entry in result.left_out],
            "notes": result.notes,
        }
    )


TESTS = {"spearman": "williams_spearman", "pearson": "williams_pearson"}
"""The names of the tests in JSON, keyed by the field of `Pair` that has the test."""


def _pair_data(pair: Pair) -> dict[str, Any]:
    """Return the tests of a pair of metrics, keyed by name; a statistic is positive if the first metric is better."""
    tests = {name: getattr(pair, field) for field, name in TESTS.items()}
    return {
        "first": pair.first,
        "second": pair.second,
        "n": pair.n,
        **{name: {"statistic": t.statistic, "p": t.p, "p_one_tailed": t.p_greater} for name, t in tests.items()},
        "holm_spearman": pair.holm_spearman,
        "holm_pearson": pair.holm_pearson,
        "better": pair.winner(),
    }
