"""A store returns the rows that were stored or none, whatever other processes write, damage or remove."""

from __future__ import annotations

import random
import sqlite3
import tempfile
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from naturalness.errors import NaturalnessError
from naturalness.files.store import FILE, MeasurementStore, StoredRows, StoreKey, store_in, text_key

KEY = StoreKey(bytes(16), 3)
OTHER = StoreKey(b"\1" * 16, 3)


def rows_of(numbers: range) -> StoredRows:
    """Return rows whose values follow from their texts, so that a wrong row is noticed."""
    return StoredRows(
        [text_key(f"text {i}") for i in numbers],
        np.array([[i, i / 7, np.nan] for i in numbers], dtype=np.float64).reshape(-1, 3),
        [("" if i % 5 else "empty text", "" if i % 3 else f"a gap of {i}\0") for i in numbers],
    )


def content(rows: StoredRows) -> object:
    """Return everything that rows contain, to the last bit, in a fixed order."""
    return sorted(zip(rows.keys, rows.notes, map(bytes, rows.table), strict=True))


def stored(folder: Path, numbers: range) -> object:
    """Return what a new store in the folder contains of these texts."""
    return content(MeasurementStore(folder).read(KEY, rows_of(numbers).keys))


@given(arrays(np.float64, (4, 3)), st.lists(st.text(st.characters()), min_size=4, max_size=4))
def test_rows_are_restored_exactly(table: np.ndarray, words: list[str]) -> None:
    """Every bit of a number survives, including NaN and its sign, for any note."""
    expected = StoredRows([text_key(f"{i}") for i in range(4)], table, list(zip(words, words[::-1], strict=True)))
    with tempfile.TemporaryDirectory() as folder:
        store = MeasurementStore(folder)
        store.write(KEY, expected)
        assert content(store.read(KEY)) == content(expected)


@given(st.text(st.characters()), st.text(st.characters()))
def test_different_texts_have_different_keys(one: str, other: str) -> None:
    """Two strings share a key only if they are equal; lone surrogates are allowed."""
    assert len(text_key(one)) == 16
    assert (text_key(one) == text_key(other)) == (one == other)


def test_only_known_rows_of_a_table_are_read(tmp_path: Path) -> None:
    """Without keys, all rows of the table are read."""
    store = MeasurementStore(tmp_path / "new" / "store").check()
    store.write(KEY, rows_of(range(10)))
    keys = [text_key(f"text {i}") for i in (3, 99, 4)]
    assert content(store.read(KEY, keys)) == content(rows_of(range(3, 5)))
    assert content(store.read(KEY)) == content(rows_of(range(10)))
    assert not store.read(OTHER, keys)


def test_a_damaged_row_is_missing(tmp_path: Path) -> None:
    """A row with other bytes or of another type is measured again; the other rows stay."""
    store = MeasurementStore(tmp_path)
    store.write(KEY, rows_of(range(4)))
    with closing(sqlite3.connect(tmp_path / FILE)) as db, db:
        for i, row in enumerate([b"", 7, b"x" * 40]):
            db.execute("UPDATE measured SET row = ? WHERE text = ?", [row, text_key(f"text {i}")])
    assert content(store.read(KEY)) == content(rows_of(range(3, 4)))
    store.write(KEY, rows_of(range(4)))
    assert content(store.read(KEY)) == content(rows_of(range(4)))


@pytest.mark.parametrize("statement", ["CREATE TABLE mine (x)", "CREATE VIEW v AS SELECT 1", None])
def test_a_damaged_file_is_replaced(tmp_path: Path, statement: str | None) -> None:
    """A file that is not a database, or that has other tables, is removed, and the store works again."""
    path = tmp_path / FILE
    if statement is None:
        path.write_bytes(b"mine" * 1000)
    else:
        with closing(sqlite3.connect(path)) as db:
            db.execute(statement)
    store = MeasurementStore(tmp_path).check()
    assert not store.read(KEY)
    store.write(KEY, rows_of(range(4)))
    assert (content(store.read(KEY)), store.trouble) == (content(rows_of(range(4))), "")


def test_the_size_is_bounded(tmp_path: Path) -> None:
    """If a store grows too large, the oldest half of its rows is removed."""
    store = MeasurementStore(tmp_path, limit_bytes=100_000)
    for start in range(0, 3000, 30):
        store.write(KEY, rows_of(range(start, start + 30)))
    assert (tmp_path / FILE).stat().st_size < 150_000
    rows = store.read(KEY)
    assert 100 < len(rows) < 2000
    assert content(rows) == content(rows_of(range(3000 - len(rows), 3000)))


def test_an_unusable_folder_is_an_error_before_any_work(tmp_path: Path) -> None:
    """A file, a path below a file and a path with a NUL are errors before any work."""
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file", tmp_path / "file" / "below", "a\0b"):
        with pytest.raises(NaturalnessError, match=r"cannot store measurements .*name one that can"):
            MeasurementStore(path).check()


def test_a_failed_write_loses_no_values(tmp_path: Path) -> None:
    """A failed write raises no error and causes a single warning at the end."""
    (tmp_path / FILE).mkdir()
    with pytest.warns(RuntimeWarning, match="all values are right"), store_in(tmp_path) as store:
        assert store is not None
        for _ in range(2):
            store.write(KEY, rows_of(range(5, 9)))
            assert "stores no more measurements (unable to open database file)" in store.trouble
        assert not store.read(KEY)


def work(folder: Path, seed: int, rounds: int = 12) -> tuple[int, str]:
    """Write and read at random; return how many rows were read, and the errors."""
    store, rng, read = MeasurementStore(folder, limit_bytes=60_000), random.Random(seed), 0
    for _ in range(rounds):
        start, key = rng.randrange(300), rng.choice([KEY, OTHER])
        store.write(key, rows_of(range(start, start + rng.randrange(1, 30))))
        asked = rows_of(range(start, start + 40))
        rows = store.read(key, asked.keys)
        assert content(rows) == content(asked.part([asked.keys.index(key) for key in rows.keys]))
        read += len(rows)
    return read, store.trouble


def test_processes_and_threads_write_and_read_at_once(tmp_path: Path) -> None:
    """Concurrent writers add and remove rows, and every row that is read is right."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes, ThreadPoolExecutor(2) as threads:
        pools = (processes, threads, processes, threads)
        jobs = [pool.submit(work, tmp_path, seed) for seed, pool in enumerate(pools)]
        results = [job.result() for job in jobs]
    assert [trouble for _, trouble in results] == [""] * 4
    assert sum(read for read, _ in results) > 0
