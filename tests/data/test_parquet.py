"""Parquet in batches, independent of row groups; damaged files are refused."""

from __future__ import annotations

import math
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naturalness.data import open_writer
from naturalness.data.formats import location
from naturalness.data.reading import read_batches
from naturalness.errors import TableError
from tests.support.bad_inputs import ODD_COLUMNS, UNREADABLE


def table(n: int) -> pa.Table:
    """Return a table with a column of each of several types; one may hold no nulls."""
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
def test_batches_follow_each_other(tmp_path_factory: pytest.TempPathFactory, n: int, group: int, size: int) -> None:
    """Rows, their numbers and Arrow columns are in order."""
    path = tmp_path_factory.mktemp("parquet") / "t.parquet"
    pq.write_table(table(n), path, row_group_size=group)
    batches = list(read_batches(location(str(path)), batch_size=size))
    assert max(len(batch.rows) for batch in batches) <= size
    assert [row for batch in batches for row in batch.rows] == table(n).to_pylist()
    starts = [sum(len(batch.rows) for batch in batches[:i]) for i in range(len(batches))]
    assert [batch.first_row for batch in batches] == starts
    arrow = pa.Table.from_batches([batch.arrow for batch in batches])
    assert arrow.to_pylist() == table(n).to_pylist()
    assert arrow.schema.field("id").type == pa.int16()


def test_batches_are_written_as_one_row_group(tmp_path: Path) -> None:
    """Small batches are collected in row groups, and the metadata of the table are kept."""
    path, out = tmp_path / "t.parquet", tmp_path / "out.parquet"
    pq.write_table(table(50).replace_schema_metadata({"who": "me"}), path)
    with open_writer(location(str(out)), force=False) as writer:
        for batch in read_batches(location(str(path)), batch_size=8):
            writer.write(batch, {"new": [1.0] * len(batch.rows)})
    written = pq.ParquetFile(out)
    assert written.num_row_groups == 1
    assert written.schema_arrow.metadata[b"who"] == b"me"
    assert written.read().drop(["new"]).to_pylist() == table(50).to_pylist()


def test_a_damaged_row_group_is_an_error(tmp_path: Path) -> None:
    """Rows before the damage are read; the error names the file."""
    path = tmp_path / "t.parquet"
    pq.write_table(table(50), path, row_group_size=20)
    offset = pq.ParquetFile(path).metadata.row_group(1).column(1).data_page_offset
    data = bytearray(path.read_bytes())
    data[offset : offset + 30] = b"\xff" * 30
    path.write_bytes(bytes(data))
    with pytest.raises(TableError, match=r"t\.parquet' cannot be read to its end"):
        list(read_batches(location(str(path)), batch_size=8))


T = ["Old boats float.", "Nobody came."]


@pytest.mark.parametrize("values", ODD_COLUMNS.values(), ids=ODD_COLUMNS)
@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl", "parquet"])
def test_odd_types_go_in_and_out(tmp_path: Path, values: pa.Array, suffix: str) -> None:
    """The column of texts and other columns may have any type, and Parquet keeps their values."""
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


@pytest.mark.parametrize("values", UNREADABLE.values(), ids=UNREADABLE)
def test_values_that_cannot_be_read_are_refused(tmp_path: Path, values: pa.Array) -> None:
    """Unknown time zones, and dates out of range inside lists, are refused."""
    pq.write_table(pa.table({"text": T, "odd": values}), tmp_path / "t.parquet")
    with pytest.raises(TableError, match=r"column 'odd' holds values of type .* that cannot be read"):
        list(read_batches(location(str(tmp_path / "t.parquet"))))
