"""Drawings of a comparison as inline SVG: intervals, scatter plots, pairs, numbers of references.

They follow `charts`: text of 12 pixels, colours from the page's style, nothing loaded.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.pages.charts import EDGE, NARROW, Rows, Scale, drawing, frame, line, linear, short, signed, tag, write
from naturalness.statistics.bootstrap import Interval

POINTS = 1500
"""Points of a scatter plot; of more, every second, third, … is drawn."""
COLOURS = 6
"""Systems with a colour of their own; the rest are grey."""


@dataclass(frozen=True, slots=True)
class Span:
    """A row of a forest plot."""

    label: str
    interval: Interval
    other: float
    """A second figure, drawn hollow; NaN for none."""
    kind: str
    """``"chosen"`` among the best, ``"learned"``, else ``"plain"``."""


def forest(rows: Sequence[Span], width: float, *, title: str, told: str, base: float = 0.0) -> str:
    """Figures with the ends of their intervals, one below the other, and a line at ``base``."""
    place = Rows.of([row.label for row in rows], width, 22)
    ends = [v for row in rows for v in (row.interval.low, row.interval.high, row.interval.value)]
    known = [v for v in (*ends, *(row.other for row in rows)) if not math.isnan(v)]
    scale = linear([base, *known], place.left, place.right - EDGE, 7 if width > NARROW else 4)
    parts, y = [], 6.0
    for row in rows:
        y += place.above + place.height / 2
        parts += _span(row, y, scale, place)
        y += place.height / 2
    under = [line(scale(base), 0, scale(base), y + 4, "zero")]
    return drawing(width, y + 46, told, [*place.grid(scale, 0, y + 4, title), *under, *parts])


def _span(row: Span, y: float, scale: Scale, place: Rows) -> list[str]:
    parts = [place.label(y, row.label, f"label {row.kind}")]
    value, low, high = row.interval.value, row.interval.low, row.interval.high
    if not math.isnan(low):
        parts.append(line(scale(low), y, scale(high), y, f"spread {row.kind}"))
    if not math.isnan(row.other):
        parts.append(tag("circle", cx=scale(row.other), cy=y, r=4, class_=f"hollow {row.kind}"))
    if not math.isnan(value):
        parts.append(tag("circle", cx=scale(value), cy=y, r=5, class_=f"mean {row.kind}"))
    text = "undefined" if math.isnan(value) else signed(value)
    return [*parts, write(place.width, y + 4, text, f"value {row.kind}", "end")]


def scatter(x: FloatArray, y: FloatArray, kinds: Sequence[int], *, title: str, told: str) -> str:
    """Scores against ratings; ``kinds`` numbers the colours, 0 to `COLOURS` (grey)."""
    known = ~(np.isnan(x) | np.isnan(y))
    step = max(1, math.ceil(int(known.sum()) / POINTS))
    rows = np.flatnonzero(known)[::step].astype(np.int64)
    if not len(rows):
        return ""
    # Single wild scores would squeeze all others together; they are drawn at the edge.
    low, high = (float(v) for v in np.quantile(x[known], [0.005, 0.995]))
    across = linear([low, high], 34, 234, 4)
    up = linear([float(y[known].min()), float(y[known].max())], 196, 24, 5)
    parts = frame(across, up, ("", ""), short)
    jittered: FloatArray = y[rows] + _jitter(rows) * _gap(y[known])
    dots: dict[int, list[str]] = {}
    for row, height in zip(rows, jittered, strict=True):
        at = across(min(max(float(x[row]), low), high))
        dots.setdefault(kinds[row], []).append(f"M{at:.1f} {up(float(height)):.1f}h0")
    for kind in sorted(dots, reverse=True):
        parts.append(tag("path", d="".join(dots[kind]), class_=f"dots s{kind}"))
    parts.append(write(34, 12, title, "label"))
    return fixed(246, 222, told, parts)


def _jitter(rows: IntArray) -> FloatArray:
    """Numbers from -0.5 to 0.5 that look drawn and are the same every time."""
    return np.asarray(np.modf(rows * 0.6180339887)[0] - 0.5, dtype=np.float64)


def _gap(y: FloatArray) -> float:
    """How far points may be moved: half the least distance of ratings, if these are few."""
    values = np.unique(y)
    return 0.6 * float(np.diff(values).min()) if 1 < len(values) <= 20 else 0.0


def pair_matrix(names: Sequence[str], kinds: Mapping[tuple[str, str], str], *, told: str) -> str:
    """A square per pair: ``kinds`` is its class; rows and columns are in the same order."""
    left, top, cell = 118.0, 118.0, 20.0
    parts = []
    for i, name in enumerate(names):
        y, x = top + i * cell, left + i * cell
        parts.append(write(left - 8, y + 14, name, "label", "end"))
        parts.append(
            tag(
                "text",
                escape(name),
                x=0,
                y=0,
                class_="label",
                transform=f"translate({x + 14:.1f} {top - 8:.1f}) rotate(-90)",
            )
        )
        for j, other in enumerate(names):
            if j != i:
                kind = kinds.get((name, other), "none")
                parts.append(
                    tag("rect", x=left + j * cell + 1, y=y + 1, width=cell - 2, height=cell - 2, class_=f"pair {kind}")
                )
    size = len(names) * cell
    return fixed(left + size + 4, top + size + 4, told, parts)


Lines = Mapping[str, Sequence[float]]


def reference_lines(lines: Lines, ticks: Sequence[str], width: float, *, told: str) -> str:
    """A line per metric over numbers of references, named at its end; steps are equally wide."""
    names = [name for name, values in lines.items() if not math.isnan(values[-1])]
    height = max(280.0, 60 + 16.0 * len(names))
    room = 110.0
    known = [v for name in names for v in lines[name] if not math.isnan(v)]
    up = linear([0.0, *known], height - 52, 12, 6)
    step = (width - 52 - room - EDGE) / max(1, len(ticks) - 1)
    across = Scale(0, max(1, len(ticks) - 1), 52, 52 + step * max(1, len(ticks) - 1), ())
    parts = frame(across, up, ("references", "Spearman"), short)
    for place, label in enumerate(ticks):
        parts.append(line(across(place), up.start, across(place), up.end, "grid"))
        parts.append(write(across(place), up.start + 16, label, anchor="middle"))
    spots = _apart([up(lines[name][-1]) for name in names], 14, up.start)
    for number, (name, at) in enumerate(zip(names, spots, strict=True)):
        colour = f"s{number % COLOURS}"
        points = [(across(i), up(v)) for i, v in enumerate(lines[name]) if not math.isnan(v)]
        joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(tag("polyline", points=joined, class_=f"refs {colour}"))
        parts.append(line(points[-1][0] + 3, points[-1][1], points[-1][0] + 14, at, "lead"))
        parts.append(write(points[-1][0] + 18, at + 4, name, "label"))
    return drawing(width, height, told, parts)


def _apart(heights: Sequence[float], least: float, bottom: float) -> list[float]:
    """Heights pushed apart, none below the bottom; their order stays."""
    order = sorted(range(len(heights)), key=lambda i: heights[i])
    placed: list[float] = []
    for i in order:
        placed.append(max(heights[i], placed[-1] + least) if placed else heights[i])
    over = max(0.0, placed[-1] - bottom) if placed else 0.0
    for k in range(len(placed) - 1, -1, -1):
        limit = placed[k + 1] - least if k + 1 < len(placed) else placed[k] - over
        placed[k] = min(placed[k], limit)
    out = [0.0] * len(heights)
    for i, at in zip(order, placed, strict=True):
        out[i] = at
    return out


def fixed(width: float, height: float, told: str, parts: Sequence[str]) -> str:
    """A drawing of one size, for grids and for parts that scroll."""
    whole = drawing(width, height, told, parts)
    return whole.replace('class="wide"', 'class="fixed"', 1).replace('class="narrow"', 'class="fixed"', 1)
