"""Format numbers and shorten texts for pages. Undefined numbers (None and NaN) become an en dash."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markupsafe import Markup

UNDEFINED = "–"
MAX_SHADE = 45
"""The strongest shade of a table cell, in per cent, on which text is still legible."""
Format = Callable[[float | None], str]


def defined(value: float | None) -> bool:
    """Return whether a number is neither None nor NaN."""
    return value is not None and not math.isnan(value)


def decimal(value: float | None, digits: int = 3) -> str:
    """Write a number with a true minus sign; a number that rounds to 0 has no sign."""
    if value is None or math.isnan(value):
        return UNDEFINED
    return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "−")


def change(value: float | None, digits: int = 3) -> str:
    """Write a difference with its sign; a difference that rounds to 0 has no sign."""
    written = decimal(value, digits)
    return f"+{written}" if defined(value) and round(value or 0.0, digits) > 0 else written


def tenths(value: float | None) -> str:
    """Write a number with one decimal."""
    return decimal(value, 1)


def short(value: float) -> str:
    """Write a number, such as the label of an axis tick, with as few digits as it needs."""
    return f"{value:g}".replace("-", "−")


def count(number: int) -> str:
    """Write a whole number with commas between thousands."""
    return f"{number:,}"


def percent(value: float | None, digits: int = 0) -> str:
    """Write a share, 0..1, as a percentage."""
    return UNDEFINED if value is None or math.isnan(value) else f"{value:.{digits}%}"


def share(value: float | None) -> str:
    """Write a share, 0..1, as a percentage, with one decimal if it is below 10 %."""
    return percent(value, 1 if value is not None and 0 < value < 0.0995 else 0)


def p_value(p: float | None) -> str:
    """Write a p value, 0..1, with three decimals and no leading zero; a value below .001 becomes ``< .001``."""
    if p is None or math.isnan(p):
        return UNDEFINED
    return "< .001" if p < 0.001 else f"{p:.3f}".removeprefix("0")


def between(low: float | None, high: float | None, number: Format = decimal) -> str:
    """Write the ends of an interval: ``0.780 to 0.841``."""
    return f"{number(low)} to {number(high)}" if defined(low) and defined(high) else UNDEFINED


def plus_minus(mean: float | None, deviation: float | None) -> str:
    """Write ``mean ± deviation``, or the mean alone if the deviation is undefined."""
    if not defined(mean) or not defined(deviation):
        return decimal(mean)
    return f"{decimal(mean)}\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}{decimal(deviation)}"


def shade(size: float, full_size: float) -> int:
    """Return the shade of a table cell in per cent: proportional to ``size``, up to `MAX_SHADE` at ``full_size``."""
    return round(MAX_SHADE * min(abs(size) / full_size, 1))


def enumeration(names: Sequence[str], max_names: int = 12) -> str:
    """Join names as in ``A and B`` or ``A, B and C``; names beyond ``max_names`` are counted: ``A, B and 3 more``."""
    if len(names) > max_names:
        names = [*names[:max_names], f"{len(names) - max_names:,} more"]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def with_capital(words: str) -> str:
    """Write words with an initial capital, for the beginning of a sentence or a heading."""
    return f"{words[:1].upper()}{words[1:]}"


def shorten(text: str, characters: int) -> str:
    """Cut a text to a number of characters; if anything is cut off, the last character is an ellipsis."""
    return text if len(text) <= characters else text[: characters - 1] + "…"


def beginning(text: str, characters: int) -> str:
    """Write a text on one line, cut to a number of characters."""
    return shorten(" ".join(text.split()), characters)


def code(text: str) -> Markup:
    """Escape a line of text as HTML; passages in backticks become code."""
    from markupsafe import Markup

    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(str(text))))
