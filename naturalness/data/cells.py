"""Parse table cells as numbers, as names, or as lists of numbers or names, and write values as JSON."""

from __future__ import annotations

import json
import math
import re
from decimal import Decimal
from typing import Any

SEPARATORS = ";|,"
DECIMAL_COMMA = re.compile(r"\s*[+-]?\d+,\d+\s*")
THOUSANDS = re.compile(r"\s*[+-]?[1-9]\d{0,2},\d{3}\s*")
MISSING = frozenset({"", "nan", "na", "n/a", "null", "none"})
"""Spellings of a missing value in spreadsheets and data frames, in lower case."""
MAX_RATING = 1e100
"""The largest rating allowed, so that sums and squares of ratings stay finite."""


class BadCell(ValueError):
    """An error for a cell that cannot be read; the message gives the reason but does not quote the cell."""


def is_missing(cell: Any) -> bool:
    """Return whether a cell is a missing value."""
    if isinstance(cell, str):
        return cell.strip().lower() in MISSING
    if type(cell).__name__ == "NAType":  # of pandas
        return True
    return cell is None or (isinstance(cell, float | Decimal) and cell != cell)


def number(cell: Any) -> float:
    """Return a cell as a finite number, or NaN if it is missing; raise `BadCell` for anything else.

    True counts as 1, and False as 0. A comma is a decimal comma, except in 1,000, which may be a thousand.
    """
    if is_missing(cell):
        return math.nan
    if isinstance(cell, str) and DECIMAL_COMMA.fullmatch(cell):
        if THOUSANDS.fullmatch(cell):
            raise BadCell("an ambiguous comma (decimals or thousands? write a point, or leave it out)")
        cell = cell.replace(",", ".")
    # Python would read the text 1_000 as a number, but in a table it is a typo or a name.
    if not isinstance(cell, int | float | Decimal | str) or (isinstance(cell, str) and "_" in cell):
        raise BadCell("not a number")
    try:
        value = float(cell)
    except OverflowError:  # an integer of more than 308 digits
        value = math.inf
    except ValueError:
        raise BadCell("not a number") from None
    if not abs(value) <= MAX_RATING:
        raise BadCell("not a finite number" if math.isinf(value) else "too large a number")
    return value


def entries(cell: Any) -> list[Any]:
    """Return the entries of a cell: a list, a JSON list, or a text separated by ``;``, ``|``, ``,`` or blanks.

    A single value is returned as one entry; a missing cell has no entries.
    """
    if isinstance(cell, list | tuple):
        return list(cell)
    if not isinstance(cell, str):
        return [] if is_missing(cell) else [cell]
    text = cell.strip()
    if not text:
        return []
    if text.startswith("["):
        return _json_list(text)
    separators = [separator for separator in SEPARATORS if separator in text]
    if len(separators) > 1:
        # "3,5; 4,0" probably has decimal commas, and would silently become four ratings instead of two.
        raise BadCell("a list with two kinds of separators")
    return [part.strip() for part in text.split(separators[0] if separators else None)]


def _json_list(text: str) -> list[Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise BadCell("not a JSON list") from None
    return list(value)


def numbers(cell: Any) -> list[float]:
    """Return the ratings in a cell; an empty entry or `null` (the rater gave no rating) becomes NaN."""
    return [number(entry) for entry in entries(cell)]


def is_list(cell: Any) -> bool:
    """Return whether a cell contains a list of ratings; ``3,5`` counts as one number with a decimal comma."""
    if not isinstance(cell, str):
        return isinstance(cell, list | tuple)
    try:
        ratings = numbers(cell)
    except BadCell:
        return False
    text = cell.strip()
    return text.startswith("[") or (len(ratings) > 1 and not DECIMAL_COMMA.fullmatch(text))


def name(cell: Any) -> str:
    """Return the name of a rater, source or label as text; an empty string if it is missing. Both 1 and 1.0 become "1".

    Words such as "none" or "NA" are not missing values here: they may be the name of a class or a rater's initials.
    """
    if not isinstance(cell, str) and is_missing(cell):
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell).strip()


def names(cell: Any) -> list[str]:
    """Return the names in a cell, such as raters; a missing entry becomes an empty string."""
    return [name(entry) for entry in entries(cell)]


def finite(value: Any) -> Any:
    """Return a value with NaN and infinity replaced by None, at any depth, because JSON cannot represent them."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {k: finite(v) for k, v in value.items()}
    return [finite(v) for v in value] if isinstance(value, list | tuple) else value


def as_json(value: Any) -> str:
    """Return a value as JSON text, in which dates, decimals and bytes are strings."""
    return json.dumps(finite(value), ensure_ascii=False, default=str)
