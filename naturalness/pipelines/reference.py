"""What is usual in the training texts: quantiles of every feature, as a small Parquet file."""

from __future__ import annotations

import io
from collections.abc import Sequence

import numpy as np

from naturalness.features.base import FloatArray

QUANTILES = (0.0, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1.0)


def reference_bytes(table: FloatArray, columns: Sequence[str]) -> bytes:
    """One row per feature: name, texts with a value, mean, deviation, quantiles. No texts."""
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
