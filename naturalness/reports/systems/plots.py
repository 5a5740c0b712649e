"""The charts of a report of systems: means, histograms, which systems differ."""

from __future__ import annotations

import math
from collections.abc import Sequence

from naturalness.pages import charts
from naturalness.pages.charts import Estimate, Histogram, short_names
from naturalness.pages.svg import both
from naturalness.reports.systems.pairs import groups_of
from naturalness.reports.systems.report import SystemsReport
from naturalness.reports.systems.runs import Moved

MIN_SYSTEMS = 4
"""Systems from which on a matrix shows which differ; of fewer a table does."""


def draw_means(report: SystemsReport) -> str:
    """Draw each system's mean with its interval; hollow the mean at equal length."""
    best = set(groups_of(report.systems, report.pairs)[0]) if report.several else set()
    rows = [
        Estimate(
            standing.system,
            standing.mean.value,
            standing.mean.low,
            standing.mean.high,
            "chosen" if standing.system in best else "plain",
            beside=length.given_length.value if report.several else math.nan,
        )
        for standing, length in zip(report.standings, report.lengths, strict=True)
    ]
    description = "Mean naturalness of each system with 95 % intervals; the numbers are in the table below"
    title, base = "mean naturalness (line: threshold)", report.judge.threshold
    return both(lambda width: charts.forest(rows, width, title=title, description=description, base=base, bold=True))


def draw_pairs(report: SystemsReport) -> str:
    """Draw who sounds more natural than whom; nothing of fewer than `MIN_SYSTEMS`."""
    if len(report.systems) < MIN_SYSTEMS:
        return ""
    names = short_names(report.systems)
    kinds: dict[tuple[str, str], str] = {}
    for pair in report.pairs:
        if pair.differs:
            kinds[names[pair.first], names[pair.second]] = "better"
            kinds[names[pair.second], names[pair.first]] = "worse"
    description = "Which system sounds more natural than which; the numbers are in the table below"
    return charts.pair_matrix(list(names.values()), kinds, description=description)


def draw_moved(rows: Sequence[Moved], unit: str) -> str:
    """Draw what each cause adds now less what it added, with intervals; nothing of no causes."""
    estimates = [
        Estimate(row.title, row.change.value, row.change.low, row.change.high, _kind(row))
        for row in rows
        if not math.isnan(row.change.value)
    ]
    if not estimates:
        return ""
    description = "Change of what each cause adds, with 95 % intervals; the numbers are in the table below"
    title = f"change, {unit}"
    return both(lambda width: charts.forest(estimates, width, title=title, description=description, bold=True))


def _kind(row: Moved) -> str:
    if not row.differs:
        return "plain"
    return "chosen" if row.change.value > 0 else "learned"


def panel(name: str, counts: Sequence[int]) -> Histogram:
    """Return a histogram with the number of its texts."""
    return Histogram(name, f"n = {sum(counts):,}", tuple(counts))


def draw_histograms(panels: Sequence[Histogram], threshold: float, *, earlier: Histogram | None = None) -> list[str]:
    """Draw a histogram each, all on one scale; ``earlier`` is drawn over them as a line."""
    return charts.histogram_cells(panels, description="Histogram of naturalness", mark=threshold, earlier=earlier)
