"""Metrics on pairs of texts as one HTML page: shares, tests, drawings; no texts, nothing loaded."""

from __future__ import annotations

from naturalness import __version__
from naturalness.pages import charts
from naturalness.pages.charts import Estimate
from naturalness.pages.formats import bracketed, decimal, p_value
from naturalness.pages.svg import both
from naturalness.pages.templating import render
from naturalness.pipelines.evaluation import CHANCE
from naturalness.reports.metrics.page import draw_matrix
from naturalness.reports.metrics.paired import Duel, PairStandings
from naturalness.reports.metrics.result import reasons_in_lines
from naturalness.statistics.significance import ALPHA


def make_pair_page(result: PairStandings, *, name: str) -> str:
    """The page of metrics on pairs; ``name`` is that of the table."""
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
    description = "Share of pairs that each metric orders rightly, with 95 % intervals"
    chance = CHANCE["pair_accuracy"]
    return both(
        lambda width: charts.forest(
            rows, width, title="pairs ordered rightly", description=description, base=chance, bold=True
        )
    )
