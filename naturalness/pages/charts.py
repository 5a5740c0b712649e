"""Draw charts for HTML pages: rows with dots and intervals; planes; curves.

Charts consist of `svg` elements, which the style sheet of the page colours by class.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from naturalness.pages.formats import Format, decimal, defined, short
from naturalness.pages.svg import (
    CHARACTER_WIDTH,
    EDGE,
    NARROW,
    Axis,
    RowLayout,
    across_rows,
    dot,
    drawing,
    frame,
    line,
    linear,
    logarithmic,
    max_steps,
    polygon,
    polyline,
    write,
)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A row of a forest plot: a figure and the ends of its interval; undefined numbers are NaN."""

    label: str
    value: float
    low: float = math.nan
    high: float = math.nan
    kind: str = "plain"
    """The colour class, for example ``chosen`` (blue), ``learned`` (brown) or ``plain``."""
    note: str = ""
    """A note shown to the right of the value."""
    runs: tuple[float, ...] = ()
    """Values of individual runs, drawn as faint dots."""

    @classmethod
    def of(cls, label: str, figure: Any, kind: str = "plain", **more: Any) -> Estimate:
        """Return a row for a figure and its interval."""
        return cls(label, figure.value, figure.low, figure.high, kind, **more)


def forest(
    rows: Sequence[Estimate],
    width: float,
    *,
    title: str,
    description: str,
    number: Format = decimal,
    base: float = 0.0,
    mark: float | None = None,
    bold: bool = False,
    height: float = 22,
) -> str:
    """Draw a row for each figure with its interval, and vertical lines across all rows at ``base`` and ``mark``.

    ``bold`` sets the labels and values of chosen rows in bold. A gap and a line separate baselines from the rows above
    them.
    """
    value_width = 64 + 6.0 * max((len(row.note) for row in rows), default=0)
    layout = RowLayout.of([row.label for row in rows], width, height, value_width=value_width)
    values = [v for row in rows for v in (row.value, row.low, row.high, *row.runs)]
    scale = layout.scale([base, mark, *values])
    parts, y = [], 6.0
    for i, row in enumerate(rows):
        if i and row.kind == "baseline" != rows[i - 1].kind:
            parts.append(line(0, y + 6, width, y + 6, "apart"))
            y += 12
        y += layout.above + layout.height / 2
        kind = f" {row.kind}" if bold else ""
        parts.append(layout.label(y, row.label, f"label{kind}"))
        parts += _estimate(row, y, scale)
        value = number(row.value) if defined(row.value) else "undefined"
        parts.append(write(width, y + 4, value + row.note, f"value{kind}", "end"))
        y += layout.height / 2
    under = across_rows(scale, y + 4, zero=base, mark=mark)
    return drawing(width, y + 46, description, [*layout.grid(scale, 0, y + 4, title), *under, *parts])


def _estimate(row: Estimate, y: float, scale: Axis) -> list[str]:
    parts = [dot(scale(run), y, 2.5, "run") for run in row.runs]
    if defined(row.low) and defined(row.high):
        parts.append(line(scale(row.low), y, scale(row.high), y, f"spread {row.kind}"))
    if defined(row.value):
        parts.append(dot(scale(row.value), y, 5, f"mean {row.kind}"))
    return parts


TITLED = 26.0
"""The width of an upright title and the spaces beside it."""
LABEL_OFFSETS = (-7, 15, -20, 28, -33, 41)
"""Vertical offsets of the label of a dot, in the order in which they are tried; a line leads to all but the first two.
"""


def plane(
    points: Sequence[tuple[Estimate, Estimate]], width: float, *, titles: tuple[str, str], description: str
) -> str:
    """Draw a dot with both intervals for each pair of figures; the first has the label and is on the x axis."""
    ends = [[end for point in points for end in (point[i].value, point[i].low, point[i].high)] for i in (0, 1)]
    height = 0.55 * width if width > NARROW else width
    y = linear(ends[1], height - 52, 10, 5)
    left = max(52.0, TITLED + CHARACTER_WIDTH * max(len(short(tick)) for tick in y.ticks))
    x = linear(ends[0], left, width - EDGE, max_steps(width))
    parts, taken = frame(x, y, titles), [(x(across.value) - 6, y(up.value) + 4, 12.0) for across, up in points]
    for across, up in points:
        if defined(up.low) and defined(up.high):
            parts.append(line(x(across.value), y(up.low), x(across.value), y(up.high), f"spread {across.kind}"))
        parts += _estimate(across, y(up.value), x)
    for across, up in points:
        parts.append(_free_label(across.label, x(across.value), y(up.value), x, width, taken))
    return drawing(width, height, description, parts)


def _free_label(
    label: str, x: float, y: float, scale: Axis, width: float, taken: list[tuple[float, float, float]]
) -> str:
    """Return a label at the first free place beside a dot, within a drawing of this width; a longer one is shortened.

    ``taken`` has the left end, baseline and width of each label and dot drawn so far.
    """
    most = int((max(x, width - x) - 6) / CHARACTER_WIDTH)
    label = label if len(label) <= most else f"{label[: most - 1]}…"
    size = CHARACTER_WIDTH * len(label)
    sides = [(x + 6, x + 6, "start"), (x - 6, x - 6 - size, "end")]
    if x > (scale.start + scale.end) / 2:
        sides.reverse()

    def free(left: float, base: float) -> bool:
        return not any(abs(base - up) < 12 and left < at + width and at < left + size for at, up, width in taken)

    sides = [side for side in sides if side[1] >= 0 and side[1] + size <= width]
    candidates = [(*side, y + offset) for offset in LABEL_OFFSETS for side in sides]
    at, left, anchor, base = next((spot for spot in candidates if free(spot[1], spot[3])), candidates[0])
    taken.append((left, base, size))
    leader = line(x, y, at, base - 4, "zero") if abs(base - y) > max(LABEL_OFFSETS[:2]) + 1 else ""
    return leader + write(at, base, label, "label", anchor)


def reliability_plot(
    points: Sequence[tuple[float, float, float, float]], width: float, *, titles: tuple[str, str], description: str
) -> str:
    """Draw observed shares against predictions, with the diagonal on which both are equal.

    Each point has four numbers: the prediction, the share, and the lower and upper ends of the share's interval.
    """
    size = min(width, 400.0)
    x, y = linear([0, 1], 46, size - EDGE, 5), linear([0, 1], size - 52, 10, 5)
    parts = [*frame(x, y, titles), polyline([(x(0), y(0)), (x(1), y(1))], "diagonal")]
    parts.append(polyline([(x(at), y(share)) for at, share, _, _ in points], "curve"))
    for at, share, low, high in points:
        parts += [line(x(at), y(low), x(at), y(high), "spread chosen"), dot(x(at), y(share), 4.5, "mean chosen")]
    return drawing(size if width > NARROW else width, size, description, parts)


MAX_FIGURE = 1.0
"""The largest value of the figures in learning curves: correlations and shares."""


def curve(
    points: Sequence[tuple[float, float, float]], width: float, *, titles: tuple[str, str], description: str
) -> str:
    """Draw a curve of means over sizes, with a band of one error on either side, cut off at `MAX_FIGURE`.

    Each point has three numbers: size, mean and error, such as the standard error.
    """
    height = 300.0
    x = logarithmic([size for size, _, _ in points], 52, width - EDGE)
    bands = [(size, mean - error, min(mean + error, MAX_FIGURE)) for size, mean, error in points]
    y = linear([end for _, *ends in bands for end in ends], 248, 10, 5)
    upper, lower = ([(x(band[0]), y(band[i])) for band in bands] for i in (2, 1))
    parts = [polygon([*upper, *reversed(lower)], "band"), *frame(x, y, titles)]
    parts.append(polyline([(x(size), y(mean)) for size, mean, _ in points], "curve"))
    parts += [dot(x(size), y(mean), 2.5, "step") for size, mean, _ in points]
    return drawing(width, height, description, parts)
