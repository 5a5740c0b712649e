"""Drawings of a report as inline SVG: intervals, histograms, curves of thresholds.

They follow `charts`: text of 12 pixels, colours from the page's style, nothing loaded. What raters'
own disagreement leaves to reach is a dashed line, here as there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from naturalness.pages.charts import EDGE, NARROW, Rows, drawing, frame, line, linear, short, signed, tag, write

Number = Callable[[float | None], str]


@dataclass(frozen=True, slots=True)
class Row:
    """A figure with the ends of its interval; None is undefined."""

    label: str
    value: float | None
    low: float | None = None
    high: float | None = None
    kind: str = "plain"
    """Its colour: ``chosen``, ``learned`` (warm) or ``plain``."""
    ceiling: float | None = None
    note: str = ""
    """What stands behind the value."""


def intervals(
    rows: Sequence[Row],
    width: float,
    *,
    title: str,
    told: str,
    number: Number = signed,
    base: float = 0.0,
    mark: float | None = None,
    ceiling: float | None = None,
) -> str:
    """Figures one below the other; lines across all rows at ``mark`` and ``ceiling``."""
    room = 64 + 6.0 * max((len(row.note) for row in rows), default=0)
    place = Rows.of([row.label for row in rows], width, 22, room=room)
    known = [v for row in rows for v in (row.value, row.low, row.high, row.ceiling)]
    most = 7 if width > NARROW else 4
    scale = linear([base, mark, ceiling, *known], place.left, place.right - EDGE, most)
    parts, y = [], 6.0
    for row in rows:
        y += place.above + place.height / 2
        parts.append(place.label(y, row.label, "label"))
        if row.low is not None and row.high is not None:
            parts.append(line(scale(row.low), y, scale(row.high), y, f"spread {row.kind}"))
        if row.ceiling is not None:
            x = scale(row.ceiling)
            parts.append(line(x, y - 8, x, y + 8, "ceiling"))
        if row.value is not None:
            parts.append(tag("circle", cx=scale(row.value), cy=y, r=5, class_=f"mean {row.kind}"))
        text = "undefined" if row.value is None else number(row.value)
        parts.append(write(width, y + 4, text + row.note, "value", "end"))
        y += place.height / 2
    under = [line(scale(base), 0, scale(base), y + 4, "zero")]
    under += [line(scale(mark), 0, scale(mark), y + 4, "mark")] if mark is not None else []
    under += [line(scale(ceiling), 0, scale(ceiling), y + 4, "ceiling")] if ceiling else []
    grid = place.grid(scale, 0, y + 4, title)
    return drawing(width, y + 46, told, [*grid, *under, *parts])


@dataclass(frozen=True, slots=True)
class Panel:
    """One histogram among several; a name, what stands beside it, counts."""

    label: str
    note: str
    counts: tuple[int, ...]
    mean: float | None


HEIGHT = 56.0


def histograms(panels: Sequence[Panel], width: float, *, title: str, told: str, mark: float | None = None) -> str:
    """Histograms of 0..1 one below the other, each of shares of its own texts, on one scale."""
    left, right = float(EDGE), width - EDGE
    x = linear([0.0, 1.0], left, right, 10 if width > NARROW else 5)
    shares = [[n / max(sum(one.counts), 1) for n in one.counts] for one in panels]
    highest = max((max(one, default=0.0) for one in shares), default=0.0) or 1.0
    parts, y = [], 4.0
    for panel, share in zip(panels, shares, strict=True):
        parts.append(write(0, y + 13, panel.label, "label"))
        parts.append(write(width, y + 13, panel.note, "value", "end"))
        base = y + 20 + HEIGHT
        step = (right - left) / max(len(share), 1)
        for i, one in enumerate(share):
            if one:
                high = max(one / highest * HEIGHT, 0.8)
                parts.append(
                    tag("rect", x=left + i * step + 0.5, y=base - high, width=step - 1, height=high, class_="bar up")
                )
        parts.append(line(left, base, right, base, "zero"))
        if panel.mean is not None:
            at = x(panel.mean)
            parts.append(
                tag(
                    "polygon",
                    points=f"{at - 5:.1f},{base + 8:.1f} {at + 5:.1f},{base + 8:.1f} {at:.1f},{base + 1:.1f}",
                    class_="mean",
                )
            )
        y = base + 12
    under = [line(x(tick), 4, x(tick), y, "grid") for tick in x.ticks]
    if mark is not None:
        under.append(line(x(mark), 4, x(mark), y, "mark"))
    numbers = [write(x(tick), y + 14, short(tick), anchor="middle") for tick in x.ticks]
    axis = write((left + right) / 2, y + 32, title, "axis", "middle")
    return drawing(width, y + 42, told, [*under, *parts, *numbers, axis])


Points = Sequence[tuple[float, float]]


def threshold_curve(
    points: Points,
    width: float,
    *,
    titles: tuple[str, str],
    told: str,
    chance: Points,
    ceiling: Points = (),
    here: tuple[float, float] | None = None,
) -> str:
    """A curve in a square of 0..1, with what chance and a perfect judge would give.

    ``here`` is the point of the model's threshold.
    """
    size = min(width, 360.0)
    x = linear([0, 1], 46, size - EDGE, 5)
    y = linear([0, 1], size - 52, 10, 5)
    parts = frame(x, y, titles, short)
    for line_, kind in ((chance, "diagonal"), (ceiling, "ceiling"), (points, "curve")):
        if line_:
            joined = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in line_)
            parts.append(tag("polyline", points=joined, class_=f"{kind} open"))
    if here is not None:
        parts.append(tag("circle", cx=x(here[0]), cy=y(here[1]), r=5, class_="mean chosen"))
    return drawing(size if width > NARROW else width, size, told, parts)
