"""Convert results to data frames; pandas is imported only when it is used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from naturalness.files.resources import require_package

if TYPE_CHECKING:
    import pandas as pd


def frame_of(columns: Mapping[str, Sequence[Any]]) -> pd.DataFrame:
    """Return a data frame of these columns; raise `MissingPackage` if pandas is not installed."""
    require_package("pandas", user="to_pandas", extra="pandas")
    import pandas as pd

    return pd.DataFrame({name: list(values) for name, values in columns.items()})


def frame_of_rows(rows: Sequence[Mapping[str, Any]], columns: Sequence[str] = ()) -> pd.DataFrame:
    """Return a data frame of rows; it has these columns and every other that any row has, in order of first
    appearance.
    """
    names = dict.fromkeys([*columns, *(name for row in rows for name in row)])
    return frame_of({name: [row.get(name) for row in rows] for name in names})
