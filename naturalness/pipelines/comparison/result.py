"""What a comparison says, as plain data: rows of figures, pairs of metrics, agreement of raters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from naturalness import __version__
from naturalness.models.learners.prepared import FloatArray
from naturalness.parsing import DEFAULT_PIPELINE
from naturalness.pipelines.comparison.agreement import Agreement
from naturalness.pipelines.comparison.bootstrap import RESAMPLES, STATISTICS, Figures
from naturalness.pipelines.comparison.scoring import Scored
from naturalness.pipelines.comparison.significance import ALPHA, Pair
from naturalness.pipelines.comparison.subsets import ALL
from naturalness.pipelines.summary import rounded


@dataclass(frozen=True, slots=True)
class Settings:
    """How texts are compared."""

    bands: int = 3
    resamples: int = RESAMPLES
    seed: int = 0
    nlp: str = DEFAULT_PIPELINE
    jobs: int = 1
    """Threads for the intervals."""


@dataclass(frozen=True, slots=True)
class Row:
    """One metric on one part of the texts."""

    metric: str
    subset: str
    kind: str
    figures: Figures
    note: str = ""
    references: int = 0
    """How many references at most; 0 for all there are."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything that was found; arrays have one entry per text."""

    metrics: tuple[Scored, ...]
    rows: tuple[Row, ...]
    pairs: tuple[Pair, ...]
    agreement: Agreement | None
    """None where there are no single ratings."""
    ratings: FloatArray
    systems: tuple[str, ...] | None
    lengths: FloatArray
    """Words of each text, as white space parts them."""
    n_sources: int
    notes: tuple[str, ...]
    """What could not be had, a line each."""
    settings: Settings

    def ranking(self) -> list[str]:
        """Metrics from best to worst by Spearman on all texts; undefined ones last."""
        found = {name: self.row(name).figures.spearman.value for name in self.names}
        return sorted(found, key=lambda name: (math.isnan(found[name]), -found[name]))

    @property
    def names(self) -> list[str]:
        """Metrics, in the order in which they were asked for."""
        return [entry.name for entry in self.metrics]

    @property
    def subsets(self) -> list[str]:
        """Parts, in order."""
        return list(dict.fromkeys(row.subset for row in self.rows))

    def row(self, metric: str, subset: str = ALL) -> Row:
        """The figures of a metric on a part."""
        for row in self.rows:
            if (row.metric, row.subset) == (metric, subset):
                return row
        raise KeyError(f"no row of {metric!r} on {subset!r}")

    def find(self, metric: str, subset: str) -> Figures | None:
        """The figures, or None where the metric was not judged on that part."""
        try:
            return self.row(metric, subset).figures
        except KeyError:
            return None

    def beats(self, metric: str) -> list[str]:
        """Metrics that it is significantly better than: Williams' test on ranks, Holm over all."""
        return [
            pair.second if pair.first == metric else pair.first
            for pair in self.pairs
            if pair.winner() == metric
        ]

    def as_good_as_best(self) -> list[str]:
        """The best metric and those that it is not significantly better than."""
        order = self.ranking()
        worse = set(self.beats(order[0]))
        known = [name for name in order if not math.isnan(self.row(name).figures.spearman.value)]
        return [name for name in known if name not in worse]


def table_of(result: Comparison) -> list[dict[str, Any]]:
    """One entry per metric and part: figures with the ends of their 95 % intervals.

    Numbers to six significant digits; None is undefined, and `note` says why where it is known.
    """
    told = {entry.name: entry for entry in result.metrics}
    rows = []
    for row in result.rows:
        entry, figures = told[row.metric], row.figures
        data: dict[str, Any] = {"metric": row.metric, "subset": row.subset, "kind": row.kind,
                                "n": figures.n, "left_out": figures.left_out}  # fmt: skip
        for name in STATISTICS:
            interval = getattr(figures, name)
            data |= {name: interval.value, f"{name}_low": interval.low,
                     f"{name}_high": interval.high}  # fmt: skip
        data |= {
            "resamples": figures.resamples,
            "kendall_resamples": figures.kendall_resamples,
            "higher_is_better": entry.higher_is_better,
            "turned": not entry.higher_is_better,
            "learned": entry.learned,
            "note": row.note,
            "signature": entry.signature,
        }
        if row.references:
            data["references"] = row.references
        if row.subset == ALL:
            data["beats"] = result.beats(row.metric)
        rows.append(rounded(data))
    return rows


def everything(result: Comparison) -> dict[str, Any]:
    """The whole result as plain data: rows, tests of pairs, agreement, signatures; no texts."""
    return rounded({  # type: ignore[no-any-return]
        "naturalness": __version__,
        "texts": len(result.ratings),
        "sources": result.n_sources,
        "settings": asdict(result.settings),
        "metrics": [
            {key: value for key, value in asdict(entry).items() if key != "scores"}
            for entry in result.metrics
        ],
        "rows": table_of(result),
        "pairs": [pair_data(pair) for pair in result.pairs],
        "significant_at": ALPHA,
        "agreement": asdict(result.agreement) if result.agreement else None,
        "as_good_as_best": result.as_good_as_best(),
        "notes": list(result.notes),
    })  # fmt: skip


def pair_data(pair: Pair) -> dict[str, Any]:
    """The tests of a pair by name; statistics are positive where the first is better."""
    tests = {
        "williams_spearman": pair.spearman, "williams_pearson": pair.pearson,
        "fisher_z": pair.fisher, "paired_t": pair.error, "two_sample_t": pair.error_unpaired,
    }  # fmt: skip
    return {
        "first": pair.first,
        "second": pair.second,
        "n": pair.n,
        **{
            name: {"statistic": t.statistic, "p": t.p, "p_one_tailed": t.one_tailed}
            for name, t in tests.items()
        },
        "holm_spearman": pair.holm_spearman,
        "holm_pearson": pair.holm_pearson,
        "better": pair.winner(),
    }


def names_joined(names: Sequence[str], most: int = 12) -> str:
    """Names with commas, the rest counted."""
    shown = ", ".join(names[:most])
    return shown + (f" and {len(names) - most} more" if len(names) > most else "")
