"""Quantiles of every feature in the training texts, as a small Parquet file."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.files.archive import small_table

REFERENCE = "reference.parquet"
"""Name of the file in a model's folder that stores these quantiles."""
MOST_FEATURES = 100_000
"""Maximum number of rows that are read."""
QUANTILES = (0.0, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1.0)


def reference_bytes(table: FloatArray, columns: Sequence[str]) -> bytes:
    """Return the contents of the file `REFERENCE`.

    Each row has a feature's name, its number of texts with a value, its mean, standard deviation and quantiles.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows: dict[str, list[object]] = {
        "feature": list(columns),
        "defined": [int((~np.isnan(column)).sum()) for column in table.T],
    }
    values = [column[~np.isnan(column)] for column in table.T]
    rows["mean"] = [float(v.mean()) if len(v) else None for v in values]
    rows["deviation"] = [float(v.std()) if len(v) else None for v in values]
    for q in QUANTILES:
        rows[f"q{q * 100:g}"] = [float(np.quantile(v, q)) if len(v) else None for v in values]
    numbers = {name: pa.float64() for name in rows if name not in ("feature", "defined")}
    schema = pa.schema({"feature": pa.string(), "defined": pa.int64(), **numbers})
    out = io.BytesIO()
    pq.write_table(pa.table(rows, schema=schema), out, compression="zstd")
    return out.getvalue()


@dataclass(frozen=True, slots=True)
class Usual:
    """Quantiles of features in the training texts, keyed by feature name."""

    quantiles: Mapping[str, FloatArray]
    """Quantiles of each feature, shape (len(`QUANTILES`),), in ascending order; features without values are absent."""

    def share(self, column: str, value: float) -> float:
        """Return the share, 0..1, of training texts with a lower value; equal values count half. NaN if unknown."""
        known = self.quantiles.get(column)
        if known is None:
            return float("nan")
        same = np.array(QUANTILES)[known == value]
        return float((same[0] + same[-1]) / 2 if len(same) else np.interp(value, known, QUANTILES))

    def outside(self, columns: Sequence[str], row: FloatArray) -> tuple[int, int]:
        """Return how many values of a row are outside the central 98 % of the training texts, and how many are defined.

        Only columns that have quantiles are counted.
        """
        known = [i for i, name in enumerate(columns) if name in self.quantiles]
        levels = np.array([self.quantiles[columns[i]] for i in known]).reshape(-1, len(QUANTILES))
        low, high = levels[:, QUANTILES.index(0.01)], levels[:, QUANTILES.index(0.99)]
        values = row[known]
        return int(((values < low) | (values > high)).sum()), int((~np.isnan(values)).sum())


def read_usual(data: bytes) -> Usual:
    """Read bytes that `reference_bytes` returned; other bytes may raise any exception (callers use `damage_as`)."""
    names = [f"q{q * 100:g}" for q in QUANTILES]
    table = small_table(data, MOST_FEATURES, ["feature", *names])
    rows = np.array([table[name].to_numpy() for name in names], dtype=np.float64).T
    known = zip(table["feature"].to_pylist(), rows, strict=True)
    return Usual({name: row for name, row in known if not np.isnan(row).any()})
