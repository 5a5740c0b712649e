"""One cell of a rated table: a number, or a list of numbers or names in any usual spelling."""

from __future__ import annotations

import json
import math
from decimal import Decimal
from typing import Any

SEPARATORS = ";|,"
MISSING = frozenset({"", "nan", "na", "n/a", "null", "none"})
"""Cells that say that there is nothing; what spreadsheets and data frames write."""


LARGEST = 1e100
"""Sums and squares of larger ratings would not be finite."""


class BadCell(ValueError):
    """A cell that cannot be read; the message says why, without the cell itself."""


def is_missing(cell: Any) -> bool:
    """Whether a cell says that there is nothing."""
    if isinstance(cell, str):
        return cell.strip().lower() in MISSING
    return cell is None or (isinstance(cell, float | Decimal) and cell != cell)


def number(cell: Any) -> float:
    """A cell as a finite number, NaN where there is none; true and false are the votes 1 and 0."""
    if is_missing(cell):
        return math.nan
    # Python reads 1_000 as a number; in a table it is a slip or a name.
    if not isinstance(cell, int | float | Decimal | str) or (isinstance(cell, str) and "_" in cell):
        raise BadCell("not a number")
    try:
        value = float(cell)
    except OverflowError:  # a whole number of more than 308 digits
        value = math.inf
    except ValueError:
        raise BadCell("not a number") from None
    if not abs(value) <= LARGEST:
        raise BadCell("not a finite number" if math.isinf(value) else "too large a number")
    return value


def number_or_nan(cell: Any) -> float:
    """A cell as a finite number; NaN where it holds anything else."""
    try:
        return number(cell)
    except BadCell:
        return math.nan


def entries(cell: Any) -> list[Any]:
    """The entries of a list: a real one, JSON, or text cut at ``;``, ``|``, ``,`` or blanks.

    A single value is a list of one, a missing cell an empty list.
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
    found = [separator for separator in SEPARATORS if separator in text]
    if len(found) > 1:
        # "3,5; 4,0" may be decimal commas: four ratings where there are two would go unnoticed.
        raise BadCell("a list with two kinds of separators")
    return [part.strip() for part in text.split(found[0] if found else None)]


def _json_list(text: str) -> list[Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise BadCell("not a JSON list") from None
    return list(value)


def numbers(cell: Any) -> list[float]:
    """The ratings of a cell; NaN where an entry is empty (`null`), as of a rater who gave none."""
    return [number(entry) for entry in entries(cell)]


def name(cell: Any) -> str:
    """A rater, a source or a label as text; empty where there is none. The numbers 1 and 1.0 agree.

    Words such as "none" or "NA" are names here: of a class, or of a rater by initials.
    """
    if not isinstance(cell, str) and is_missing(cell):
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell).strip()


def names(cell: Any) -> list[str]:
    """The names of a cell, as of raters; empty where an entry is missing."""
    return [name(entry) for entry in entries(cell)]
