"""Drawings of a report of systems as inline SVG: means, histograms, which systems differ."""

from __future__ import annotations

import math
from collections.abc import Sequence

from naturalness.pages.charts import both, line, linear, short, tag, write
from naturalness.reports.metrics.plots import Span, fixed, forest, pair_matrix
from naturalness.reports.systems.pairs import groups_of
from naturalness.reports.systems.report import SystemsReport
from naturalness.reports.systems.runs import Moved

WIDTH, HEIGHT = 246.0, 138.0
"""Of one histogram."""
LETTERS = 15
"""Of a name beside the matrix of pairs."""


def draw_means(report: SystemsReport) -> str:
    """Each system's mean with its interval; hollow the mean at equal length."""
    best = set(groups_of(report.systems, report.pairs)[0]) if report.several else set()
    rows = [
        Span(
            one.system,
            one.mean,
            length.given_length.value if report.several else math.nan,
            "chosen" if one.system in best else "plain",
        )
        for one, length in zip(report.standings, report.lengths, strict=True)
    ]
    told = "Mean naturalness of each system with 95 % intervals; the numbers are in the table below"
    title, base = "mean naturalness (line: threshold)", report.judge.threshold
    return both(lambda width: forest(rows, width, title=title, told=told, base=base))


def draw_pairs(report: SystemsReport) -> str:
    """Who sounds more natural than whom; empty of fewer than four systems, which a table shows."""
    if len(report.systems) < 4:
        return ""
    names = short_names(report.systems)
    kinds: dict[tuple[str, str], str] = {}
    for pair in report.pairs:
        if pair.differs:
            kinds[names[pair.first], names[pair.second]] = "better"
            kinds[names[pair.second], names[pair.first]] = "worse"
    told = "Which system sounds more natural than which; the numbers are in the table below"
    return pair_matrix(list(names.values()), kinds, told=told)


def short_names(systems: Sequence[str]) -> dict[str, str]:
    """Names cut to what fits beside a drawing, all different."""
    out: dict[str, str] = {}
    for place, name in enumerate(systems, 1):
        cut = name if len(name) <= LETTERS else name[: LETTERS - 1] + "…"
        if cut in out.values():
            number = f"… {place}"
            cut = cut[: LETTERS - len(number)] + number
        out[name] = cut
    return out


def draw_moved(rows: Sequence[Moved], unit: str) -> str:
    """What each cause adds now less what it added, with intervals; empty of no causes."""
    shown = [row for row in rows if not math.isnan(row.change.value)]
    if not shown:
        return ""
    spans = [Span(row.title, row.change, math.nan, _kind(row)) for row in shown]
    told = "Change of what each cause adds, with 95 % intervals; the numbers are in the table below"
    return both(lambda width: forest(spans, width, title=f"change, {unit}", told=told))


def _kind(row: Moved) -> str:
    if not row.differs:
        return "plain"
    return "chosen" if row.change.value > 0 else "learned"


def draw_histograms(
    named: Sequence[tuple[str, Sequence[int]]], threshold: float, *, older: Sequence[int] | None = None
) -> list[str]:
    """A histogram each, all on one scale; ``older`` is drawn over them as a line."""
    every = [_shares(counts) for _, counts in named]
    lines = _shares(older) if older is not None else None
    top = max((share for shares in [*every, lines or []] for share in shares), default=0.0) or 1.0
    return [
        _histogram(name, sum(counts), shares, threshold, top, lines)
        for (name, counts), shares in zip(named, every, strict=True)
    ]


def _shares(counts: Sequence[int]) -> list[float]:
    whole = sum(counts)
    return [100 * n / whole if whole else 0.0 for n in counts]


def _histogram(
    name: str, n: int, shares: Sequence[float], threshold: float, top: float, older: Sequence[float] | None
) -> str:
    x = linear([0.0, 1.0], 34, WIDTH - 10, 4)
    y = linear([0.0, top], HEIGHT - 24, 22, 3)
    parts = [write(0, 12, name if len(name) <= 26 else name[:25] + "…", "label")]
    parts.append(write(WIDTH, 12, f"n = {n:,}", "tick", "end"))
    for at in y.ticks:
        parts.append(line(x.start, y(at), x.end, y(at), "grid"))
        parts.append(write(x.start - 5, y(at) + 4, f"{short(at)}", "tick", "end"))
    for at in (0.0, 0.5, 1.0):
        parts.append(write(x(at), HEIGHT - 8, short(at), "tick", "middle"))
    step = 1 / len(shares)
    for place, share in enumerate(shares):
        if share:
            parts.append(
                tag(
                    "rect",
                    x=x(place * step) + 0.5,
                    y=y(share),
                    width=x(step) - x(0) - 1,
                    height=max(y(0) - y(share), 0.5),
                    class_="bar up",
                )
            )
    if older is not None:
        corners = [(x(at), y(share)) for place, share in enumerate(older) for at in (place * step, (place + 1) * step)]
        joined = " ".join(f"{a:.1f},{b:.1f}" for a, b in corners)
        parts.append(tag("polyline", points=joined, class_="older"))
    parts.append(line(x(threshold), 18, x(threshold), y(0), "mark"))
    told = f"Histogram of naturalness, {name}; the numbers are in the table below"
    return fixed(WIDTH, HEIGHT, told, parts)
