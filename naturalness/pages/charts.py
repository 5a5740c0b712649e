"""Charts as inline SVG: dots with deviations, bars, a reliability plot, a curve with a band.

Each is drawn for a width in pixels of the page and keeps its text at 12 pixels: a drawing that is
only scaled down has letters of half that on a phone, so a page shows the width that fits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape

WIDE, NARROW = 760, 340
CHARACTER = 7.0
"""Width of a letter of a label, roughly; nothing breaks where it is wider."""
LONGEST = 44
EDGE = 14


@dataclass(frozen=True, slots=True)
class Dots:
    """A row of a dot plot; None is undefined."""

    label: str
    mean: float | None
    deviation: float | None
    runs: tuple[float | None, ...]
    kind: str
    """``"chosen"``, ``"learner"`` or ``"baseline"``: its colour, and baselines stand apart."""


@dataclass(frozen=True, slots=True)
class Bars:
    """A row of a bar chart: one bar per kind, in that order."""

    label: str
    values: tuple[tuple[str, float | None], ...]


@dataclass(frozen=True, slots=True)
class Scale:
    """Values to pixels."""

    low: float
    high: float
    start: float
    end: float
    ticks: tuple[float, ...]
    log: bool = False

    def __call__(self, value: float) -> float:
        low, high = (math.log(x) if self.log else x for x in (self.low, self.high))
        at = math.log(value) if self.log else value
        share = (at - low) / (high - low) if high > low else 0.5
        return self.start + share * (self.end - self.start)


def linear(values: Iterable[float | None], start: float, end: float, most: int) -> Scale:
    """A scale from round number to round number around all values."""
    known = [value for value in values if value is not None]
    low, high = min(known, default=0.0), max(known, default=1.0)
    spread = (high - low) or 1.0
    size = 10.0 ** math.floor(math.log10(spread / most))
    step = next(size * k for k in (1, 2, 5, 10, 20) if spread / (size * k) <= most)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    last = max(last, first + 1)
    ticks = tuple(round(k * step, 10) for k in range(first, last + 1))
    return Scale(ticks[0], ticks[-1], start, end, ticks)


def logarithmic(sizes: Sequence[float], start: float, end: float) -> Scale:
    """A scale of sizes from 1 on, with ticks at 1, 2, 5, 10 and so on."""
    low, high = min(sizes), max(sizes)
    round_ones = [k * 10**e for e in range(8) for k in (1, 2, 5)]
    ticks = tuple(float(x) for x in round_ones if low <= x <= high)
    return Scale(low, high, start, end, ticks, log=True)


def tag(name: str, *children: str, **attributes: str | float) -> str:
    """An element; attributes are escaped, children are markup already."""
    told = "".join(f' {key.rstrip("_").replace("_", "-")}="{_attribute(value)}"' for key, value in attributes.items())
    return f"<{name}{told}>{''.join(children)}</{name}>" if children else f"<{name}{told}/>"


def _attribute(value: str | float) -> str:
    return escape(value) if isinstance(value, str) else f"{round(value, 1):g}"


def write(x: float, y: float, text: str, kind: str = "tick", anchor: str = "start") -> str:
    """A text, escaped."""
    return tag("text", escape(text), x=x, y=y, class_=kind, text_anchor=anchor)


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    """A straight line."""
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=kind)


def signed(value: float | None) -> str:
    """Three decimals with a true minus; an en dash for what is undefined."""
    if value is None:
        return "–"
    return f"{round(value, 3) + 0.0:.3f}".replace("-", "−")


def short(value: float) -> str:
    """A tick's number."""
    return f"{value:g}".replace("-", "−")


def drawing(width: float, height: float, told: str, parts: Iterable[str]) -> str:
    """The whole image, with its description for those who do not see it."""
    size = "wide" if width > NARROW else "narrow"
    return (
        f'<svg class="{size}" role="img" aria-label="{escape(told)}" width="{width:g}" '
        f'height="{height:g}" viewBox="0 0 {width:g} {height:g}">{"".join(parts)}</svg>'
    )


def both(draw: Callable[[float], str]) -> str:
    """A drawing for wide pages and one for narrow ones; the style shows one of them."""
    return draw(WIDE) + draw(NARROW)


@dataclass(frozen=True, slots=True)
class Rows:
    """Where labelled rows lie: beside their labels where there is room, else below them."""

    width: float
    left: float
    right: float
    height: float
    above: float

    @classmethod
    def of(cls, labels: Sequence[str], width: float, height: float, *, room: float = 64) -> Rows:
        """Rows for these labels; ``room`` on the right is for values."""
        beside = width > NARROW
        longest = min(max((len(label) for label in labels), default=0), LONGEST)
        left = min(longest * CHARACTER + EDGE, 0.45 * width) if beside else EDGE
        return cls(width, left, width - room, height, 0 if beside else 17)

    def label(self, y: float, text: str, kind: str) -> str:
        """The label of the row whose middle is ``y``."""
        cut = text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
        return write(0, y - self.height / 2 if self.above else y + 4, cut, kind)

    def grid(self, scale: Scale, top: float, bottom: float, title: str) -> list[str]:
        """Vertical lines with their numbers below, and what they measure."""
        parts = []
        for tick in scale.ticks:
            x = scale(tick)
            parts.append(line(x, top, x, bottom, "grid"))
            parts.append(write(x, bottom + 16, short(tick), anchor="middle"))
        middle = (self.left + self.right) / 2
        return [*parts, write(middle, bottom + 34, title, "axis", "middle")]


def dot_plot(rows: Sequence[Dots], width: float, *, chance: float, title: str, told: str) -> str:
    """Means with deviation bars, each split's value faint; baselines below a gap."""
    place = Rows.of([row.label for row in rows], width, 24)
    values = [v for row in rows for v in (*row.runs, *_ends(row.mean, row.deviation))]
    most = 7 if width > NARROW else 4
    scale = linear([chance, *values], place.left, place.right - EDGE, most)
    parts, y = [], 6.0
    for i, row in enumerate(rows):
        if i and row.kind == "baseline" != rows[i - 1].kind:
            parts.append(line(0, y + 6, width, y + 6, "apart"))
            y += 12
        y += place.above + place.height / 2
        parts += _dots(row, y, scale, place)
        y += place.height / 2
    under = [line(scale(chance), 0, scale(chance), y + 4, "zero")]
    grid = place.grid(scale, 0, y + 4, title)
    return drawing(width, y + 46, told, [*grid, *under, *parts])


def _ends(mean: float | None, spread: float | None) -> tuple[float | None, ...]:
    return (None,) if mean is None else (mean - (spread or 0), mean + (spread or 0))


def _dots(row: Dots, y: float, scale: Scale, place: Rows) -> list[str]:
    parts = [place.label(y, row.label, f"label {row.kind}")]
    parts += [tag("circle", cx=scale(run), cy=y, r=2.5, class_="run") for run in row.runs if run is not None]
    if row.mean is not None:
        ends = _ends(row.mean, row.deviation)
        if row.deviation:
            low, high = (scale(end) for end in ends if end is not None)
            parts.append(line(low, y, high, y, f"spread {row.kind}"))
        parts.append(tag("circle", cx=scale(row.mean), cy=y, r=5, class_=f"mean {row.kind}"))
    value = "undefined" if row.mean is None else signed(row.mean)
    return [*parts, write(place.width, y + 4, value, f"value {row.kind}", "end")]


def bar_chart(
    rows: Sequence[Bars], width: float, *, base: float, title: str, told: str, mark: float | None = None
) -> str:
    """Bars from ``base`` on, and a line across all rows at ``mark``."""
    many = max((len(row.values) for row in rows), default=1)
    place = Rows.of([row.label for row in rows], width, 8 + 14 * many)
    values = [value for row in rows for _, value in row.values]
    most = 7 if width > NARROW else 4
    scale = linear([base, mark, *values], place.left, place.right - EDGE, most)
    parts, y = [], 6.0
    for row in rows:
        y += place.above
        parts.append(place.label(y + place.height / 2, row.label, "label"))
        for i, (kind, value) in enumerate(row.values):
            top = y + 4 + 14 * i
            if value is not None:
                low, high = sorted((scale(base), scale(value)))
                parts.append(tag("rect", x=low, y=top, width=max(high - low, 0.5), height=11, class_=f"bar {kind}"))
            parts.append(write(width, top + 10, signed(value), "value", "end"))
        y += place.height
    grid = place.grid(scale, 0, y + 4, title)
    lines = [line(scale(base), 0, scale(base), y + 4, "zero")]
    if mark is not None:
        lines.append(line(scale(mark), 0, scale(mark), y + 4, "mark"))
    return drawing(width, y + 46, told, [*grid, *parts, *lines])


Points = Sequence[tuple[float, float, float, float]]
"""Told, shared, and the lower and upper end of what the share may be."""


def reliability_plot(points: Points, width: float, *, titles: tuple[str, str], told: str) -> str:
    """What was told against what was so, with the line where both agree."""
    size = min(width, 400.0)
    x = linear([0, 1], 46, size - EDGE, 5)
    y = linear([0, 1], size - 52, 10, 5)
    parts = frame(x, y, titles, short)
    parts.append(line(x(0), y(0), x(1), y(1), "diagonal"))
    parts.append(_path([(x(a), y(b)) for a, b, _, _ in points], "curve"))
    for at, share, low, high in points:
        parts.append(line(x(at), y(low), x(at), y(high), "spread chosen"))
        parts.append(tag("circle", cx=x(at), cy=y(share), r=4.5, class_="mean chosen"))
    return drawing(size if width > NARROW else width, size, told, parts)


def frame(x: Scale, y: Scale, titles: tuple[str, str], number: Callable[[float], str]) -> list[str]:
    """Grid and numbers of a plot with two axes; the second title is turned."""
    parts = []
    for tick in y.ticks:
        parts.append(line(x.start, y(tick), x.end, y(tick), "grid"))
        parts.append(write(x.start - 6, y(tick) + 4, number(tick), anchor="end"))
    for tick in x.ticks:
        parts.append(line(x(tick), y.start, x(tick), y.end, "grid"))
        parts.append(write(x(tick), y.start + 16, number(tick), anchor="middle"))
    middle = (y.start + y.end) / 2
    turned = tag(
        "text",
        escape(titles[1]),
        x=0,
        y=0,
        class_="axis",
        text_anchor="middle",
        transform=f"translate(12 {middle:.1f}) rotate(-90)",
    )
    parts.append(write((x.start + x.end) / 2, y.start + 36, titles[0], "axis", "middle"))
    return [*parts, turned]


def _path(points: Sequence[tuple[float, float]], kind: str) -> str:
    joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return tag("polyline", points=joined, class_=kind)


Curve = Sequence[tuple[float, float, float]]
"""Size, mean, standard error."""


def curve(
    points: Curve,
    chosen: float | None,
    width: float,
    *,
    titles: tuple[str, str],
    told: str,
    ceiling: float | None = None,
) -> str:
    """Means over sizes with a band of one standard error; a mark at the chosen size, a line across
    at the ceiling: what cannot be surpassed."""
    height = 300.0
    x = logarithmic([size for size, _, _ in points], 52, width - EDGE)
    ends = [end for _, mean, error in points for end in (mean - error, mean + error)]
    y = linear([*ends, ceiling], height - 52, 10, 5)
    upper = [(x(size), y(mean + error)) for size, mean, error in points]
    lower = [(x(size), y(mean - error)) for size, mean, error in points]
    joined = " ".join(f"{a:.1f},{b:.1f}" for a, b in [*upper, *reversed(lower)])
    parts = [tag("polygon", points=joined, class_="band"), *frame(x, y, titles, short)]
    parts.append(_path([(x(size), y(mean)) for size, mean, _ in points], "curve"))
    for size, mean, _ in points:
        kind = "mean chosen" if size == chosen else "step"
        parts.append(tag("circle", cx=x(size), cy=y(mean), r=5 if size == chosen else 2.5, class_=kind))
    if chosen is not None:
        parts.append(line(x(chosen), y.start, x(chosen), y.end, "mark"))
    if ceiling is not None:
        parts.append(line(x.start, y(ceiling), x.end, y(ceiling), "ceiling"))
    return drawing(width, height, told, parts)
