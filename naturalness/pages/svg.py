"""Inline SVG for charts: elements, scales, rows with labels, and the frame of a plot.

A chart is drawn for a given width in pixels, with text 12 pixels high. Scaling a wide chart down to the width of a
phone would halve the size of its text, so pages contain a wide and a narrow version of each chart and show the one that
fits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape

from naturalness.pages.formats import defined, short, shorten

WIDE, NARROW = 760, 340
CHARACTER_WIDTH = 7.0
"""The approximate width of a character in a label, in pixels."""
LABEL_CHARACTERS = 44
EDGE = 14
Points = Sequence[tuple[float, float]]


def tag(name: str, *children: str, **attributes: str | float) -> str:
    """Return an element; attributes are escaped, but children must already be markup."""
    pairs = "".join(f' {key.rstrip("_").replace("_", "-")}="{_attribute(value)}"' for key, value in attributes.items())
    return f"<{name}{pairs}>{''.join(children)}</{name}>" if children else f"<{name}{pairs}/>"


def _attribute(value: str | float) -> str:
    return escape(value) if isinstance(value, str) else f"{round(value, 1):g}"


def write(x: float, y: float, text: str, kind: str = "tick", anchor: str = "start") -> str:
    """Return a text element with escaped text."""
    return tag("text", escape(text), x=x, y=y, class_=kind, text_anchor=anchor)


def write_upwards(x: float, y: float, text: str, kind: str, **attributes: str) -> str:
    """Return a text element with escaped text that reads upwards."""
    turned = f"translate({x:.1f} {y:.1f}) rotate(-90)"
    return tag("text", escape(text), x=0, y=0, class_=kind, transform=turned, **attributes)


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    """Return a straight line."""
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=kind)


def polyline(points: Points, kind: str) -> str:
    """Return a line through points."""
    return tag("polyline", points=_pairs(points), class_=kind)


def polygon(points: Points, kind: str) -> str:
    """Return a polygon with the given corners."""
    return tag("polygon", points=_pairs(points), class_=kind)


def _pairs(points: Points) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def dot(x: float, y: float, radius: float, kind: str) -> str:
    """Return a circle."""
    return tag("circle", cx=x, cy=y, r=radius, class_=kind)


def drawing(width: float, height: float, description: str, parts: Iterable[str]) -> str:
    """Return an SVG image of these parts, with a description for screen readers."""
    size = "wide" if width > NARROW else "narrow"
    return (
        f'<svg class="{size}" role="img" aria-label="{escape(description)}" width="{width:g}" '
        f'height="{height:g}" viewBox="0 0 {width:g} {height:g}">{"".join(parts)}</svg>'
    )


def both(draw: Callable[[float], str]) -> str:
    """Return a drawing for wide pages and another for narrow ones; the page's style sheet shows one of them."""
    return draw(WIDE) + draw(NARROW)


@dataclass(frozen=True, slots=True)
class Axis:
    """A mapping from values between ``low`` and ``high`` to pixels between ``start`` and ``end``."""

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


def linear(values: Iterable[float | None], start: float, end: float, max_steps: int) -> Axis:
    """Return a linear scale that covers all defined values and begins and ends at round numbers."""
    known = [value for value in values if value is not None and not math.isnan(value)]
    low, high = min(known, default=0.0), max(known, default=1.0)
    spread = (high - low) or 1.0
    size = 10.0 ** math.floor(math.log10(spread / max_steps))
    step = next(size * k for k in (1, 2, 5, 10, 20) if spread / (size * k) <= max_steps)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    last = max(last, first + 1)
    ticks = tuple(round(k * step, 10) for k in range(first, last + 1))
    return Axis(ticks[0], ticks[-1], start, end, ticks)


def logarithmic(sizes: Sequence[float], start: float, end: float) -> Axis:
    """Return a logarithmic scale that covers sizes of 1 or more, with ticks at 1, 2, 5, 10 and so on; at the sizes
    themselves if they contain fewer than two of these.
    """
    low, high = min(sizes), max(sizes)
    round_sizes = [k * 10**e for e in range(8) for k in (1, 2, 5)]
    ticks = tuple(float(x) for x in round_sizes if low <= x <= high)
    return Axis(low, high, start, end, ticks if len(ticks) > 1 else tuple(sorted(set(sizes))), log=True)


def max_steps(width: float) -> int:
    """Return the largest number of steps on a horizontal axis."""
    return 7 if width > NARROW else 4


@dataclass(frozen=True, slots=True)
class RowLayout:
    """The layout of labelled rows; a label is beside its row if there is room, else above it."""

    width: float
    left: float
    right: float
    height: float
    above: float

    @classmethod
    def of(cls, labels: Sequence[str], width: float, height: float, *, value_width: float = 64) -> RowLayout:
        """Return the layout for these labels, with room for values on the right."""
        beside = width > NARROW
        longest = min(max((len(label) for label in labels), default=0), LABEL_CHARACTERS)
        left = min(longest * CHARACTER_WIDTH + EDGE, 0.45 * width) if beside else EDGE
        return cls(width, left, width - value_width, height, 0 if beside else 17)

    def scale(self, values: Iterable[float | None]) -> Axis:
        """Return a horizontal scale that covers all values."""
        return linear(values, self.left, self.right - EDGE, max_steps(self.width))

    def label(self, y: float, text: str, kind: str) -> str:
        """Return the label of the row centred at ``y``."""
        return write(0, y - self.height / 2 if self.above else y + 4, shorten(text, LABEL_CHARACTERS), kind)

    def grid(self, scale: Axis, top: float, bottom: float, title: str) -> list[str]:
        """Return vertical grid lines, with their numbers and the title below them."""
        parts = []
        for tick in scale.ticks:
            x = scale(tick)
            parts += [line(x, top, x, bottom, "grid"), write(x, bottom + 16, short(tick), anchor="middle")]
        middle = (self.left + self.right) / 2
        return [*parts, write(middle, bottom + 34, title, "axis", "middle")]


def across_rows(scale: Axis, bottom: float, **values: float | None) -> list[str]:
    """Return vertical lines at the defined values; the keyword of each value is the class of its line."""
    return [line(scale(x), 0, scale(x), bottom, kind) for kind, x in values.items() if x is not None and defined(x)]


def frame(x: Axis, y: Axis, titles: tuple[str, str]) -> list[str]:
    """Return the grid, numbers and titles of a plot with two axes."""
    parts = []
    for tick in y.ticks:
        at = y(tick)
        parts += [line(x.start, at, x.end, at, "grid"), write(x.start - 6, at + 4, short(tick), anchor="end")]
    for tick in x.ticks:
        at = x(tick)
        parts += [line(at, y.start, at, y.end, "grid"), write(at, y.start + 16, short(tick), anchor="middle")]
    parts.append(write((x.start + x.end) / 2, y.start + 36, titles[0], "axis", "middle"))
    return [*parts, write_upwards(12, (y.start + y.end) / 2, titles[1], "axis", text_anchor="middle")]
