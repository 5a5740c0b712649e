"""Score texts by `Scorer` in data engines, in one process or several."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from naturalness import Scorer
from naturalness.labelling.scorer import Columns

Engine = Callable[[Scorer, Sequence[Any], int], Any]
"""A function that returns a table with the new columns for texts, given a number of processes."""
for variable in ("RAY_USAGE_STATS_ENABLED", "DAFT_ANALYTICS_ENABLED"):
    os.environ[variable] = "0"
for variable in ("HF_HUB_OFFLINE", "HF_HUB_DISABLE_TELEMETRY"):
    os.environ[variable] = "1"
ROWS = 256
"""Texts in a batch."""
DDL = "naturalness double, voice double, label string, reason string"
"""The new columns, as Spark declares them."""


def in_joblib(scorer: Scorer, texts: Sequence[Any], processes: int) -> Any:
    """Score parts of a list in processes of joblib."""
    from joblib import Parallel, delayed

    parts = [texts[start : start + ROWS] for start in range(0, len(texts), ROWS)]
    done = Parallel(n_jobs=processes)(delayed(scorer)(part) for part in parts)
    return {name: [value for part in done for value in part[name]] for name in done[0]}


def in_pandas(scorer: Scorer, texts: Sequence[Any], processes: int) -> Any:
    """Score a data frame of pandas."""
    import pandas as pd

    return scorer(pd.DataFrame({"text": texts})).to_dict("list")


def in_polars(scorer: Scorer, texts: Sequence[Any], processes: int) -> Any:
    """Score in an expression of a lazy frame."""
    import polars as pl

    kinds = {"naturalness": pl.Float64, "voice": pl.Float64, "label": pl.String, "reason": pl.String}
    scores = pl.col("text").map_batches(scorer, return_dtype=pl.Struct(kinds)).alias("scores")
    return pl.LazyFrame({"text": texts}).select(scores).unnest("scores").collect().to_dict(as_series=False)


def in_duckdb(scorer: Scorer, texts: Sequence[Any], processes: int) -> Any:
    """Score in a function of SQL."""
    import duckdb
    import pyarrow as pa

    table = pa.table({"text": texts})
    with duckdb.connect() as connection:
        connection.register("texts", table)
        connection.create_function(
            "scores",
            scorer,
            ["VARCHAR"],
            "STRUCT(naturalness DOUBLE, voice DOUBLE, label VARCHAR, reason VARCHAR)",
            type="arrow",
            null_handling="special",
        )
        return connection.sql("SELECT unnest(scores(text)) FROM texts").to_arrow_table().to_pydict()


def in_ray(scorer: Scorer, texts: Sequence[Any], processes: int) -> Any:
    """Score blocks of a data set in tasks of Ray."""
    import pyarrow as pa
    import ray

    ray.data.DataContext.get_current().enable_progress_bars = False
    ray.data.DataContext.get_current().execution_options.preserve_order = True
    data = ray.data.from_arrow(pa.table({"text": texts}), override_num_blocks=max(1, len(texts) // ROWS))
    scored = data.map_batches(
        scorer, batch_size=ROWS, batch_format="pyarrow", compute=ray.data.TaskPoolStrategy(processes)
    )
    return pa.concat_tables(ray.get(scored.to_arrow_refs())).to_pydict()


def in_datasets(scorer: Scorer, texts: Sequence[Any], processes: int) -> Any:
    """Score a data set of Hugging Face."""
    from datasets import Dataset

    data = Dataset.from_dict({"text": texts})
    several = processes if processes > 1 else None
    return data.map(scorer, batched=True, batch_size=ROWS, num_proc=several).to_dict()


def in_daft(scorer: Scorer, texts: Sequence[Any], processes: int) -> Any:
    """Score in a batch function of Daft."""
    import daft
    from daft import DataType, Series

    numbers = dict.fromkeys(("naturalness", "voice"), DataType.float64())
    kind = DataType.struct({name: DataType.string() for name in scorer.columns} | numbers)

    @daft.func.batch(return_dtype=kind, unnest=True, batch_size=ROWS)
    def scores(texts: Series) -> Any:
        return scorer(texts.to_arrow())

    frame = daft.from_pydict({"text": texts})
    return frame.select(scores(frame["text"])).to_pydict()


def in_spark(scorer: Scorer, texts: Sequence[Any], processes: int) -> Any:
    """Score partitions of a Spark data frame, as frames of pandas."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = {"spark.ui.enabled": "false", "spark.sql.execution.arrow.maxRecordsPerBatch": str(ROWS)}
    builder = SparkSession.builder.master(f"local[{processes}]")
    spark = builder.config(map=settings).getOrCreate()
    rows = spark.createDataFrame([(i, text) for i, text in enumerate(texts)], "i int, text string").repartition(
        processes
    )
    scored = rows.mapInPandas(lambda frames: map(scorer, frames), f"i int, text string, {DDL}")
    return scored.orderBy("i").toArrow().to_pydict()


LIGHT: Mapping[str, Engine] = {"duckdb": in_duckdb, "joblib": in_joblib, "pandas": in_pandas, "polars": in_polars}
HEAVY: Mapping[str, Engine] = {"daft": in_daft, "datasets": in_datasets, "ray": in_ray, "spark": in_spark}


def columns_of(table: Mapping[str, Sequence[Any]], names: Sequence[str]) -> Columns:
    """Return the named columns as lists; a missing number is NaN."""
    return {name: [math.nan if value is None else value for value in table[name]] for name in names}
