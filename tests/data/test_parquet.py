"""Parquet in batches of one size, whatever the row groups are, and however damaged."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naturalness.data import open_writer
from naturalness.data.formats import location
from naturalness.data.reading import read_batches
from naturalness.errors import TableError


def table(n: int) -> pa.Table:
    """A column of each of some types; one may hold no nulls."""
    texts = [f"text {i}" for i in range(n)]
    schema = pa.schema(
        [
            pa.field("id", pa.int16(), nullable=False),
            ("text", pa.string()),
            ("kind", pa.dictionary(pa.int8(), pa.string())),
        ]
    )
    kinds = pa.array([f"k{i % 3}" for i in range(n)]).dictionary_encode()
    return pa.table([pa.array(range(n), pa.int16()), texts, kinds.cast(schema.field(2).type)], schema=schema)


@settings(deadline=None, max_examples=25)
@given(n=st.integers(1, 60), group=st.integers(1, 25), size=st.integers(1, 30))
def test_batches_have_one_size(tmp_path_factory: pytest.TempPathFactory, n: int, group: int, size: int) -> None:
    """All but the last; rows, numbers and Arrow columns in order."""
    path = tmp_path_factory.mktemp("parquet") / "t.parquet"
    pq.write_table(table(n), path, row_group_size=group)
    batches = list(read_batches(location(str(path)), batch_size=size))
    assert [len(batch.rows) for batch in batches[:-1]] == [size] * (len(batches) - 1)
    assert [row for batch in batches for row in batch.rows] == table(n).to_pylist()
    assert [batch.first_row for batch in batches] == list(range(0, n, size))
    arrow = pa.Table.from_batches([batch.arrow for batch in batches])
    assert arrow.to_pylist() == table(n).to_pylist()
    assert arrow.schema.field("id").type == pa.int16()


def spoil(path: Path, group: int) -> None:
    """Make the texts of a row group unreadable."""
    offset = pq.ParquetFile(path).metadata.row_group(group).column(1).data_page_offset
    data = bytearray(path.read_bytes())
    data[offset : offset + 30] = b"\xff" * 30
    path.write_bytes(bytes(data))


def test_a_damaged_row_group_costs_its_own_rows(tmp_path: Path) -> None:
    """They are empty, keep their number, and say which group it was."""
    path = tmp_path / "t.parquet"
    pq.write_table(table(50), path, row_group_size=20)
    spoil(path, 1)
    batches = list(read_batches(location(str(path)), batch_size=8))
    rows: list[dict[str, Any]] = [row for batch in batches for row in batch.rows]
    problems = [problem for batch in batches for problem in batch.problems]
    whole = table(50).to_pylist()
    assert rows[:20] == whole[:20]
    assert rows[40:] == whole[40:]
    assert rows[20:40] == [{"id": None, "text": None, "kind": None}] * 20
    assert [bool(problem) for problem in problems] == [20 <= i < 40 for i in range(50)]
    assert problems[20].startswith("row group 1 of the file cannot be read (")


def test_what_is_no_parquet_says_so(tmp_path: Path) -> None:
    """Without a footer nothing can be read."""
    path = tmp_path / "t.parquet"
    pq.write_table(table(5), path)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(TableError, match="is not a Parquet file"):
        list(read_batches(location(str(path))))


def test_some_rows_of_a_batch(tmp_path: Path) -> None:
    """With their Arrow columns."""
    path = tmp_path / "t.parquet"
    pq.write_table(table(6), path)
    (batch,) = read_batches(location(str(path)))
    selection = batch.keeping([4, 1])
    assert selection.texts == ["text 4", "text 1"]
    assert selection.arrow.column("id").to_pylist() == [4, 1]
    assert [row["id"] for row in selection.rows] == [4, 1]
    assert selection.problems == ["", ""]


T = ["Old boats float.", "Nobody came."]
ODD = {
    "nanoseconds": pa.array([1, 2], pa.duration("ns")),
    "late days": pa.array([2**30, 1], pa.date32()),
    "maps of NaN": pa.array([[("a", math.nan)], []], pa.map_(pa.string(), pa.float64())),
    "identifiers": pa.array([bytes(16)] * 2, pa.uuid()),
    "no values": pa.nulls(2),
    "bytes": pa.array([b"\xff\x00", b""]),
    "bytes that are no text": pa.array([b"caf\xe9", b"a"]).view(pa.string()),
    "words of a dictionary": pa.array(T).dictionary_encode(),
}


@pytest.mark.parametrize("values", ODD.values(), ids=ODD)
@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl", "parquet"])
def test_odd_types_go_in_and_out(tmp_path: Path, values: pa.Array, suffix: str) -> None:
    """In a column beside the texts, and in that of the texts; Parquet gets the very same values."""
    source, target = tmp_path / "in.parquet", tmp_path / f"out.{suffix}"
    pq.write_table(pa.table({"text": T, "odd": values}), source)
    (batch,) = read_batches(location(str(source)))
    assert batch.texts == T
    with open_writer(location(str(target))) as writer:
        writer.write(batch, {"score": [0.5, math.nan]})
    (again,) = read_batches(location(str(target)))
    assert again.texts == T
    if suffix == "parquet":
        new, old = (pq.read_table(path)["odd"] for path in (target, source))
        assert (new.type, str(new)) == (old.type, str(old))
    pq.write_table(pa.table({"text": values}), source)
    (batch,) = read_batches(location(str(source)))
    assert len(batch.rows) == 2


@pytest.mark.parametrize(
    "values",
    [pa.array([1, 2], pa.timestamp("us", "Mars/Base")), pa.array([[2**30], []], pa.list_(pa.date32()))],
    ids=["an unknown time zone", "late days in lists"],
)
def test_values_that_nobody_writes_are_refused(values: pa.Array, tmp_path: Path) -> None:
    """The error names the column."""
    pq.write_table(pa.table({"text": T, "odd": values}), tmp_path / "t.parquet")
    with pytest.raises(TableError, match=r"column 'odd' of .* has values that cannot be read"):
        list(read_batches(location(str(tmp_path / "t.parquet"))))
