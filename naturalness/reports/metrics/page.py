"""A comparison of metrics, on rated texts or on pairs, as one HTML page; no texts, nothing loaded.

`templates/compare.html.j2` and `templates/pairs.html.j2` have the words. The same comparison gives the same bytes.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from naturalness import __version__
from naturalness.pages import charts
from naturalness.pages.charts import COLOURS, Estimate
from naturalness.pages.formats import bracketed, decimal, enumeration, p_value, shade
from naturalness.pages.svg import both
from naturalness.pages.templating import render
from naturalness.pipelines.evaluation import CHANCE
from naturalness.reports.metrics.paired import Duel, PairStandings
from naturalness.reports.metrics.result import Comparison, reasons_in_lines
from naturalness.reports.metrics.scoring import SLOW_METRICS
from naturalness.reports.metrics.subsets import ALL, GIVEN_LENGTH, MEANS
from naturalness.statistics.bootstrap import MIN_SOURCES, Figures, Interval
from naturalness.statistics.significance import ALPHA, Pair, Test

FULL_COLOUR_CORRELATION = 0.7
"""The correlation of a cell with all its colour."""


def make_page(result: Comparison, *, name: str) -> str:
    """Return the page of a comparison; ``name`` is that of the table."""
    order = result.ranking()
    return render(
        "compare.html.j2",
        name=name,
        result=result,
        version=__version__,
        order=order,
        best=result.as_good_as_best(),
        rows=[standing(result, metric) for metric in order],
        forest=draw_forest(result, order),
        scatters=draw_scatters(result, order),
        legend=legend(result),
        heat=heat_map(result, order),
        pairs=draw_pairs(result, order),
        tests=[pair for pair in result.pairs if not math.isnan(pair.holm_spearman)],
        ranked=_ranked(result),
        agreements=[part for part in result.parts if part.agreement and part.agreement.items],
        slow=[name for name in order if name in SLOW_METRICS],
        references=draw_references(result, order),
        notes=part_notes(result),
        left_out=reasons_in_lines(result.left_out),
        kendall=max(row.figures.kendall_resamples for row in result.rows if row.subset == ALL),
        alpha=ALPHA,
        min_sources=MIN_SOURCES,
    )


def _ranked(result: Comparison) -> bool:
    """Tell whether any metric ranks systems."""
    means = [row.figures.spearman.value for row in result.rows if row.kind == MEANS]
    return not all(map(math.isnan, means))


def standing(result: Comparison, metric: str) -> dict[str, Any]:
    """Return a row of the chief table."""
    entry = next(entry for entry in result.metrics if entry.name == metric)
    return {
        "metric": metric,
        "figures": result.row(metric).figures,
        "note": result.row(metric).note,
        "given_length": result.find(metric, GIVEN_LENGTH),
        "means": result.find(metric, MEANS),
        "beats": len(result.beats(metric)),
        "best": metric in result.as_good_as_best(),
        "entry": entry,
    }


def draw_forest(result: Comparison, order: Sequence[str]) -> str:
    """Draw Spearman with intervals; hollow the partial correlation given length."""
    best, learned = set(result.as_good_as_best()), {e.name for e in result.metrics if e.learned}
    rows = []
    for metric in order:
        partial = result.find(metric, GIVEN_LENGTH)
        kind = "learned" if metric in learned else "chosen" if metric in best else "plain"
        partial_value = partial.spearman.value if partial else math.nan
        figure = result.row(metric).figures.spearman
        rows.append(Estimate(metric, figure.value, figure.low, figure.high, kind, beside=partial_value))
    description = "Spearman correlation of each metric with ratings, with 95 % intervals"
    return both(lambda width: charts.forest(rows, width, title="Spearman", description=description, bold=True))


def _system_numbers(result: Comparison) -> dict[str, int]:
    """Return the number of each system's colour: the largest systems have one of their own."""
    counts = Counter(system for system in result.systems or () if system is not None)
    names = sorted(counts, key=lambda name: (-counts[name], name))
    shown = COLOURS if len(names) <= COLOURS else COLOURS - 1
    return {name: min(number, shown) for number, name in enumerate(names)}


def legend(result: Comparison) -> list[tuple[str, int]]:
    """Return systems and their colours; empty where there is one."""
    numbers = _system_numbers(result)
    if len(numbers) < 2:
        return []
    last = max(numbers.values())
    alone = [(name, number) for name, number in numbers.items() if number < last]
    rest = [name for name, number in numbers.items() if number == last]
    label = rest[0] if len(rest) == 1 else f"{len(rest)} others"
    return [*alone, (label, last if len(rest) == 1 else COLOURS)]


def draw_scatters(result: Comparison, order: Sequence[str]) -> list[str]:
    """Draw a plot per metric, best first."""
    numbers = _system_numbers(result)
    crowded = len(numbers) > COLOURS
    last = max(numbers.values(), default=0)
    kinds = [0] * len(result.ratings)
    if result.systems and len(numbers) > 1:
        colours = {n: COLOURS if crowded and k == last else k for n, k in numbers.items()}
        kinds = [COLOURS if system is None else colours[system] for system in result.systems]
    entries = {entry.name: entry for entry in result.metrics}
    drawings = []
    for metric in order:
        entry = entries[metric]
        title = metric if entry.higher_is_better else f"−{metric}"
        description = f"Scores of {metric} against ratings"
        drawings.append(charts.scatter(entry.scores, result.ratings, kinds, title=title, description=description))
    return [drawing for drawing in drawings if drawing]


def heat_map(result: Comparison, order: Sequence[str]) -> dict[str, Any]:
    """Return Spearman of each metric on each part; parts without any figure are left out."""
    parts = [p for p in result.subsets if not any(r.references for r in result.rows if r.subset == p)]
    cells = {metric: [result.find(metric, part) for part in parts] for metric in order}
    shown = [
        i
        for i in range(len(parts))
        if any((c := cells[metric][i]) and not math.isnan(c.spearman.value) for metric in order)
    ]
    tops = {part: result.as_good_as_best(part) for part in parts if result.tests(part)}
    return {
        "parts": [(parts[i], max(_n(cells[metric][i]) for metric in order)) for i in shown],
        "rows": [
            (metric, [_cell(cells[metric][i], metric in tops.get(parts[i], ())) for i in shown]) for metric in order
        ],
    }


def _n(figures: Figures | None) -> int:
    return figures.n if figures else 0


def _cell(figures: Figures | None, top: bool) -> dict[str, Any]:
    value = figures.spearman.value if figures else math.nan
    if math.isnan(value):
        return {"value": math.nan, "share": 0, "kind": "none", "sure": False, "top": False}
    interval = figures.spearman if figures else Interval()
    return {
        "value": value,
        "share": shade(value, FULL_COLOUR_CORRELATION),
        "kind": "up" if value > 0 else "down",
        "sure": interval.low > 0 or interval.high < 0,
        "top": top,
    }


def draw_pairs(result: Comparison, order: Sequence[str]) -> str:
    """Draw which metric is better than which, before and after correction."""
    known = [m for m in order if not math.isnan(result.row(m).figures.spearman.value)]
    return draw_matrix(known, [(pair.first, pair.second, pair.spearman, _pair_kind(pair)) for pair in result.pairs])


def draw_matrix(order: Sequence[str], tests: Iterable[tuple[str, str, Test, str]]) -> str:
    """Draw a matrix of metrics; of each test the two metrics, and ``better``, ``perhaps`` or nothing."""
    kinds: dict[tuple[str, str], str] = {}
    for first, second, test, kind in tests:
        if kind:
            ahead, behind = (first, second) if test.statistic > 0 else (second, first)
            kinds[ahead, behind] = kind
            kinds[behind, ahead] = "worse" if kind == "better" else "perhaps-worse"
    return charts.pair_matrix(order, kinds, description="Which metric is significantly better than which")


def _pair_kind(pair: Pair) -> str:
    if pair.winner():
        return "better"
    return "perhaps" if pair.spearman.p < ALPHA else ""


def draw_references(result: Comparison, order: Sequence[str]) -> str:
    """Draw Spearman over the number of references; empty where rows do not have several."""
    sizes = sorted({row.references for row in result.rows if row.references})
    if not sizes:
        return ""
    values_of: dict[str, list[float]] = {}
    for row in result.rows:
        if row.references:
            values_of.setdefault(row.metric, []).append(row.figures.spearman.value)
    lines = {
        metric: [*values_of[metric], result.row(metric).figures.spearman.value]
        for metric in order
        if metric in values_of
    }
    description = "Spearman correlation of metrics by the number of references"
    titles = "references", "Spearman"
    ticks = [*map(str, sizes), "all"]
    return both(lambda width: charts.line_chart(lines, ticks, width, titles=titles, description=description))


def part_notes(result: Comparison) -> list[tuple[str, str]]:
    """Return notes on each part, once; then on single metrics there, by their names.

    Of single metrics on all texts it stands below the table.
    """
    of_parts: dict[tuple[str, str], None] = {}
    metrics_of: dict[tuple[str, str], list[str]] = {}
    for row in result.rows:
        if row.kind == "references":
            continue
        if row.part_note:
            of_parts[row.subset, row.part_note] = None
        if row.note and row.subset != ALL:
            metrics_of.setdefault((row.subset, row.note), []).append(row.metric)
    of_metrics = [(f"{part}, {enumeration(names)}", note) for (part, note), names in metrics_of.items()]
    return [*of_parts, *of_metrics]


def make_pair_page(result: PairStandings, *, name: str) -> str:
    """Return the page of metrics on pairs; ``name`` is that of the table."""
    order, best = result.ranking(), result.as_good_as_best()
    entries = {entry.name: entry for entry in result.metrics}
    return render(
        "pairs.html.j2",
        name=name,
        result=result,
        best=best,
        version=__version__,
        alpha=ALPHA,
        forest=_forest(result, order, best),
        standings=[
            [name, bracketed(share), str(len(result.beats(name))), f"{share.pairs:,}", entry.note]
            for name in order
            for share, entry in [(result.shares[name], entries[name])]
        ],
        order=order,
        phenomena=[
            [
                phenomenon,
                f"{max(share.pairs for share in shares.values()):,}",
                *(bracketed(shares[name]) for name in order),
            ]
            for phenomenon, shares in result.phenomena.items()
        ],
        matrix=draw_matrix(
            [name for name in order if result.shares[name].pairs],
            [(duel.first, duel.second, duel.test, _kind(duel)) for duel in result.tested],
        ),
        duels=[
            [
                duel.first,
                duel.second,
                f"{duel.n:,}",
                decimal(duel.difference),
                decimal(duel.test.statistic),
                p_value(duel.test.p),
                p_value(duel.holm),
            ]
            for duel in result.tested
        ],
        left_out=reasons_in_lines(result.left_out),
        signatures=[[name, entries[name].description, entries[name].signature] for name in order],
    )


def _kind(duel: Duel) -> str:
    if duel.winner():
        return "better"
    return "perhaps" if duel.test.p < ALPHA else ""


def _forest(result: PairStandings, order: list[str], best: list[str]) -> str:
    learned = {entry.name for entry in result.metrics if entry.learned}
    rows = []
    for name in order:
        share = result.shares[name]
        kind = "learned" if name in learned else "chosen" if name in best else "plain"
        rows.append(Estimate(name, share.value, share.low, share.high, kind))
    description = "Share of pairs that each metric orders correctly, with 95 % intervals"
    chance = CHANCE["pair_accuracy"]
    return both(
        lambda width: charts.forest(
            rows, width, title="pairs ordered correctly", description=description, base=chance, bold=True
        )
    )
