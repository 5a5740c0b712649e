"""Tables in memory: read columns of Python, Arrow, pandas and Polars objects, and append new columns to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from naturalness.data.cells import is_missing
from naturalness.errors import excerpt

Added = Mapping[str, NDArray[Any]]
"""New columns, keyed by name: floats, or objects for text."""
ACCEPTED = "a list of texts, a dict of columns, a pandas frame, or a table or column of Arrow or Polars"


class Table(NamedTuple):
    """A table in memory, or a single column, which is a table without names for the columns beside it."""

    columns: list[str]
    cells: Callable[[str], list[Any]]
    """A function that returns the cells of a column; a missing cell is None."""
    append: Callable[[Added], Any]
    """A function that returns an object of the same kind with new columns.

    A missing number is NaN, but null in Arrow and Polars, where NaN would exceed every number. A list gives a dict of
    the new columns; any other single column gives the new column or, if there are several, a column of structs.
    """


def table_of(data: Any, column: str) -> Table:
    """Return an object as a table; ``column`` is the name of a single column. Raise `TypeError` for other objects."""
    if isinstance(data, Mapping):
        return Table(list(data), lambda name: _items(data[name]), partial(_extended, data, column))
    match type(data).__module__.partition(".")[0], type(data).__name__:
        case "pyarrow", "Table" | "RecordBatch":
            from naturalness.data.parquet import plain_column

            return Table(data.column_names, lambda name: plain_column(data[name], name), partial(_arrow_append, data))
        case "pyarrow", _ if hasattr(data, "to_pylist"):
            from naturalness.data.parquet import plain_column

            return Table([column], lambda name: plain_column(data, name), _arrow_column)
        case "polars", "DataFrame":
            return Table(data.columns, lambda name: data[name].to_list(), partial(_polars_append, data))
        case "polars", "Series":
            return Table([column], lambda name: data.to_list(), partial(_polars_column, data))
        case "pandas", "DataFrame":
            return Table(list(data.columns), lambda name: _pandas_cells(data[name]), lambda new: data.assign(**new))
    return Table([column], lambda name: _items(data), lambda new: {name: a.tolist() for name, a in new.items()})


def _items(values: Any) -> list[Any]:
    """Return the items of a list or an array."""
    if isinstance(values, np.ndarray):
        values = values.tolist()
    if isinstance(values, str) or not isinstance(values, Sequence):
        raise TypeError(f"expected {ACCEPTED}, not {type(values).__name__}: {excerpt(values)}; pass a batch of rows")
    return [None if not isinstance(value, str) and is_missing(value) else value for value in values]


def _extended(data: Mapping[str, Any], column: str, added: Added) -> dict[str, Any]:
    """Return a dict of columns with new ones, which are arrays if the column of texts is one."""
    arrays = isinstance(data[column], np.ndarray)
    return {**data, **{name: values if arrays else values.tolist() for name, values in added.items()}}


def _arrow(values: NDArray[Any]) -> Any:
    import pyarrow as pa

    return pa.array(values, pa.string() if values.dtype == object else pa.float64(), from_pandas=True)


def _arrow_append(table: Any, added: Added) -> Any:
    for name, values in added.items():
        table = table.append_column(name, _arrow(values))
    return table


def _arrow_column(added: Added) -> Any:
    import pyarrow as pa

    arrays = list(map(_arrow, added.values()))
    return arrays[0] if len(arrays) == 1 else pa.StructArray.from_arrays(arrays, list(added))


def _polars(name: str, values: NDArray[Any]) -> Any:
    import polars as pl

    if values.dtype == object:
        return pl.Series(name, values.tolist(), pl.String)
    return pl.Series(name, values, pl.Float64, nan_to_null=True)


def _polars_append(frame: Any, added: Added) -> Any:
    return frame.with_columns(_polars(name, values) for name, values in added.items())


def _polars_column(column: Any, added: Added) -> Any:
    import polars as pl

    series = [_polars(name, values) for name, values in added.items()]
    return (series[0] if len(series) == 1 else pl.DataFrame(series).to_struct()).alias(column.name)


def _pandas_cells(series: Any) -> list[Any]:
    return list(series.astype(object).where(series.notna(), None))
