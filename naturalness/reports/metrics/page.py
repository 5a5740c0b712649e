"""A comparison as one HTML page: figures, tests and drawings; no texts, nothing loaded.

Plain data is put in the order of reading here; `templates/compare.html.j2` has the words, `plots`
the drawings. The same comparison gives the same bytes.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from naturalness import __version__
from naturalness.pages import charts
from naturalness.pages.charts import COLOURS, Estimate
from naturalness.pages.formats import enumeration
from naturalness.pages.svg import both
from naturalness.pages.templating import render
from naturalness.reports.metrics.result import Comparison, reasons_in_lines
from naturalness.reports.metrics.scoring import SLOW
from naturalness.reports.metrics.subsets import ALL, GIVEN_LENGTH, MEANS
from naturalness.statistics.bootstrap import FEWEST_SOURCES, Figures, Interval
from naturalness.statistics.significance import ALPHA, Pair, Test

STRONG = 45
"""Per cent of colour in a cell of the heat map that is as strong as it gets."""
FULL = 0.7
"""The correlation that gets it."""


def make_page(result: Comparison, *, name: str) -> str:
    """The page of a comparison; ``name`` is that of the table."""
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
        slow=[name for name in order if name in SLOW],
        references=draw_references(result, order),
        notes=part_notes(result),
        left_out=reasons_in_lines(result.left_out),
        kendall=max(row.figures.kendall_resamples for row in result.rows if row.subset == ALL),
        alpha=ALPHA,
        fewest_sources=FEWEST_SOURCES,
    )


def _ranked(result: Comparison) -> bool:
    """Whether any metric ranks systems."""
    means = [row.figures.spearman.value for row in result.rows if row.kind == MEANS]
    return not all(map(math.isnan, means))


def standing(result: Comparison, metric: str) -> dict[str, Any]:
    """A row of the chief table."""
    entry = next(entry for entry in result.metrics if entry.name == metric)
    return {
        "metric": metric,
        "figures": result.row(metric).figures,
        "note": result.row(metric).note,
        "given": result.find(metric, GIVEN_LENGTH),
        "means": result.find(metric, MEANS),
        "beats": len(result.beats(metric)),
        "best": metric in result.as_good_as_best(),
        "entry": entry,
    }


def draw_forest(result: Comparison, order: Sequence[str]) -> str:
    """Spearman with intervals; hollow what is left given length."""
    best, learned = set(result.as_good_as_best()), {e.name for e in result.metrics if e.learned}
    rows = []
    for metric in order:
        given = result.find(metric, GIVEN_LENGTH)
        kind = "learned" if metric in learned else "chosen" if metric in best else "plain"
        other = given.spearman.value if given else math.nan
        figure = result.row(metric).figures.spearman
        rows.append(Estimate(metric, figure.value, figure.low, figure.high, kind, beside=other))
    description = "Spearman correlation of each metric with ratings, with 95 % intervals"
    return both(lambda width: charts.forest(rows, width, title="Spearman", description=description, bold=True))


def _system_numbers(result: Comparison) -> dict[str, int]:
    """The number of each system's colour: the largest systems have one of their own."""
    many = Counter(system for system in result.systems or () if system is not None)
    names = sorted(many, key=lambda name: (-many[name], name))
    shown = COLOURS if len(names) <= COLOURS else COLOURS - 1
    return {name: min(place, shown) for place, name in enumerate(names)}


def legend(result: Comparison) -> list[tuple[str, int]]:
    """Systems and their colours; empty where there is one."""
    numbers = _system_numbers(result)
    if len(numbers) < 2:
        return []
    last = max(numbers.values())
    alone = [(name, place) for name, place in numbers.items() if place < last]
    rest = [name for name, place in numbers.items() if place == last]
    told = rest[0] if len(rest) == 1 else f"{len(rest)} others"
    return [*alone, (told, last if len(rest) == 1 else COLOURS)]


def draw_scatters(result: Comparison, order: Sequence[str]) -> list[str]:
    """A plot per metric, best first."""
    numbers = _system_numbers(result)
    crowded = len(numbers) > COLOURS
    last = max(numbers.values(), default=0)
    kinds = [0] * len(result.ratings)
    if result.systems and len(numbers) > 1:
        place = {n: COLOURS if crowded and k == last else k for n, k in numbers.items()}
        kinds = [COLOURS if system is None else place[system] for system in result.systems]
    told = {entry.name: entry for entry in result.metrics}
    found = []
    for metric in order:
        entry = told[metric]
        title = metric if entry.higher_is_better else f"−{metric}"
        said = f"Scores of {metric} against ratings"
        found.append(charts.scatter(entry.scores, result.ratings, kinds, title=title, description=said))
    return [drawing for drawing in found if drawing]


def heat_map(result: Comparison, order: Sequence[str]) -> dict[str, Any]:
    """Spearman of each metric on each part; parts without any figure are left out."""
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
        "share": round(STRONG * min(abs(value) / FULL, 1)),
        "kind": "up" if value > 0 else "down",
        "sure": interval.low > 0 or interval.high < 0,
        "top": top,
    }


def draw_pairs(result: Comparison, order: Sequence[str]) -> str:
    """Who is better than whom, before and after correction."""
    known = [m for m in order if not math.isnan(result.row(m).figures.spearman.value)]
    return draw_matrix(known, [(pair.first, pair.second, pair.spearman, _pair_kind(pair)) for pair in result.pairs])


def draw_matrix(order: Sequence[str], tests: Iterable[tuple[str, str, Test, str]]) -> str:
    """A matrix of metrics; of each test the two metrics, and ``better``, ``perhaps`` or nothing."""
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
    """Spearman over the number of references; empty where rows do not have several."""
    sizes = sorted({row.references for row in result.rows if row.references})
    if not sizes:
        return ""
    found: dict[str, list[float]] = {}
    for row in result.rows:
        if row.references:
            found.setdefault(row.metric, []).append(row.figures.spearman.value)
    lines = {metric: [*found[metric], result.row(metric).figures.spearman.value] for metric in order if metric in found}
    description = "Spearman correlation of metrics by the number of references"
    titles = "references", "Spearman"
    ticks = [*map(str, sizes), "all"]
    return both(lambda width: charts.line_chart(lines, ticks, width, titles=titles, description=description))


def part_notes(result: Comparison) -> list[tuple[str, str]]:
    """What there is to know of each part, once; then of single metrics on it, by their names.

    Of single metrics on all texts it stands below the table.
    """
    found: dict[tuple[str, str], None] = {}
    single: dict[tuple[str, str], list[str]] = {}
    for row in result.rows:
        if row.kind == "references":
            continue
        if row.part_note:
            found[row.subset, row.part_note] = None
        if row.note and row.subset != ALL:
            single.setdefault((row.subset, row.note), []).append(row.metric)
    told = [(f"{part}, {enumeration(names)}", note) for (part, note), names in single.items()]
    return [*found, *told]
