"""Cells of a table: numbers, names and lists of them in any usual spelling, and values as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any

SEPARATORS = ";|,"
MISSING = frozenset({"", "nan", "na", "n/a", "null", "none"})
"""Cells that say that there is nothing; what spreadsheets and data frames write."""
MAX_RATING = 1e100
"""Sums and squares of larger ratings would not be finite."""


class BadCell(ValueError):
    """A cell that cannot be read; the message says why, without the cell itself."""


def is_missing(cell: Any) -> bool:
    """Tell whether a cell says that there is nothing."""
    if isinstance(cell, str):
        return cell.strip().lower() in MISSING
    return cell is None or (isinstance(cell, float | Decimal) and cell != cell)


def number(cell: Any) -> float:
    """Return a cell as a finite number, NaN where there is none; true and false are the votes 1 and 0."""
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
    if not abs(value) <= MAX_RATING:
        raise BadCell("not a finite number" if math.isinf(value) else "too large a number")
    return value


Reader = Callable[[Any], float | str]
"""Reads any cell, also one that is not there (None), as a number or a text."""


def number_or_nan(cell: Any) -> float:
    """Return a cell as a finite number; NaN where it holds anything else."""
    try:
        return number(cell)
    except BadCell:
        return math.nan


def entries(cell: Any) -> list[Any]:
    """Return the entries of a list: a real one, JSON, or text cut at ``;``, ``|``, ``,`` or blanks.

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
    separators = [separator for separator in SEPARATORS if separator in text]
    if len(separators) > 1:
        # "3,5; 4,0" may be decimal commas: four ratings where there are two would go unnoticed.
        raise BadCell("a list with two kinds of separators")
    return [part.strip() for part in text.split(separators[0] if separators else None)]


def _json_list(text: str) -> list[Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise BadCell("not a JSON list") from None
    return list(value)


def numbers(cell: Any) -> list[float]:
    """Return the ratings of a cell; NaN where an entry is empty (`null`), as of a rater who gave none."""
    return [number(entry) for entry in entries(cell)]


def name(cell: Any) -> str:
    """Return a rater, a source or a label as text; empty where there is none. The numbers 1 and 1.0 agree.

    Words such as "none" or "NA" are names here: of a class, or of a rater by initials.
    """
    if not isinstance(cell, str) and is_missing(cell):
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell).strip()


def names(cell: Any) -> list[str]:
    """Return the names of a cell, as of raters; empty where an entry is missing."""
    return [name(entry) for entry in entries(cell)]


def finite(value: Any) -> Any:
    """Return a value as JSON has it: NaN and infinity are null, at any depth."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {k: finite(v) for k, v in value.items()}
    return [finite(v) for v in value] if isinstance(value, list) else value


def as_json(value: Any) -> str:
    """Return a value as JSON text; dates, decimals and bytes as strings."""
    return json.dumps(finite(value), ensure_ascii=False, default=str)
