"""A store returns the rows that it was given, or none, whatever others write, damage or remove."""

from __future__ import annotations

import os
import pickle
import random
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from naturalness.errors import ModelError, NaturalnessError
from naturalness.files import store as module
from naturalness.files.archive import TYPES, pack
from naturalness.files.store import (
    BYTES,
    MOST_SMALL,
    MeasurementStore,
    StoredRows,
    StoreKey,
    joined_rows,
    pack_rows,
    store_in,
    text_key,
    unpack_rows,
)

KEY = StoreKey("surface-" + "0" * 32, bytes(16), 3)
OTHER = StoreKey("lexical-" + "1" * 32, b"\1" * 16, 3)


def rows_of(numbers: range) -> StoredRows:
    """Return rows whose values follow from their texts, so that a wrong row is noticed."""
    return StoredRows(
        [text_key(f"text {i}") for i in numbers],
        np.array([[i, i / 7, np.nan] for i in numbers], dtype=np.float64).reshape(-1, 3),
        [("" if i % 5 else "empty text", "" if i % 3 else f"a gap of {i}\0") for i in numbers],
    )


def content(rows: StoredRows) -> object:
    """Return all that rows contain, to the last bit, in an order of its own."""
    rows = joined_rows([rows], 3)
    return rows.keys, rows.notes, rows.table.tobytes()


def stored(folder: Path, numbers: range) -> object:
    """Return what a new store in the folder contains of these texts."""
    return content(MeasurementStore(folder).read(KEY, rows_of(numbers).keys))


def segments(folder: Path) -> list[Path]:
    """Return all files of a store."""
    return sorted(path for path in folder.rglob("*") if path.is_file())


@given(arrays(np.float64, (4, 3)), st.lists(st.text(st.characters()), min_size=4, max_size=4))
def test_rows_are_restored_exactly(table: np.ndarray, words: list[str]) -> None:
    """Every bit of a number survives, including NaN and its sign, for any note."""
    expected = StoredRows([text_key(f"{i}") for i in range(4)], table, list(zip(words, words[::-1], strict=True)))
    assert content(unpack_rows(pack_rows(expected, KEY), KEY)) == content(expected)


@given(st.text(st.characters()), st.text(st.characters()))
def test_different_texts_have_different_keys(one: str, other: str) -> None:
    """Two strings share a key only if they are equal; lone surrogates are allowed."""
    assert len(text_key(one)) == 16
    assert (text_key(one) == text_key(other)) == (one == other)


def test_only_known_rows_of_a_table_are_read(tmp_path: Path) -> None:
    """Without keys, all rows are read; writing no rows makes no file."""
    store = MeasurementStore(tmp_path / "new" / "store").check()
    store.write(KEY, rows_of(range(10)))
    store.write(KEY, rows_of(range(0)))
    keys = [text_key(f"text {i}") for i in (3, 99, 4)]
    assert content(store.read(KEY, keys)) == content(rows_of(range(3, 5)))
    assert content(store.read(KEY)) == content(rows_of(range(10)))
    assert not store.read(OTHER, keys)
    assert len(segments(tmp_path)) == 1


def test_forged_segments_are_refused() -> None:
    """Objects, other types, wrong shapes and another table's rows are errors."""
    good = pack_rows(rows_of(range(4)), KEY)
    with pytest.raises(ModelError, match="another table"):
        unpack_rows(good, OTHER)
    with pytest.raises(ModelError, match="shape"):
        unpack_rows(good, StoreKey(KEY.name, KEY.digest, 4))
    for data in (b"", pickle.dumps([1]), pack({"a.b": np.empty(0)}, (*TYPES, BYTES))):
        with pytest.raises(ModelError):
            unpack_rows(data, KEY)


def test_a_damaged_segment_is_measured_again(tmp_path: Path) -> None:
    """A truncated, changed or extended segment is removed and can be written again; the others stay."""
    store, rng = MeasurementStore(tmp_path), random.Random(0)
    store.write(KEY, rows_of(range(10)))
    (first,) = segments(tmp_path)
    data = first.read_bytes()
    store.write(KEY, rows_of(range(10, 20)))
    for _ in range(15):
        at = rng.randrange(len(data))
        changed = data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
        for damaged in (data[:at], changed, data + b"\0"):
            first.write_bytes(damaged)
            assert stored(tmp_path, range(20)) == content(rows_of(range(10, 20)))
            assert not first.exists()
        store.write(KEY, rows_of(range(10)))
        assert stored(tmp_path, range(20)) == content(rows_of(range(20)))


def test_many_small_segments_become_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Joining removes duplicate rows and loses nothing; full segments are left alone."""
    store = MeasurementStore(tmp_path)
    for i in range(MOST_SMALL):
        store.write(KEY, rows_of(range(i, i + 5)))
    assert len(segments(tmp_path)) == MOST_SMALL
    store.write(KEY, rows_of(range(MOST_SMALL + 4, 25)))
    (one,) = segments(tmp_path)
    assert one.name.endswith("-25.npz")
    assert stored(tmp_path, range(99)) == content(rows_of(range(25)))
    monkeypatch.setattr(module, "SEGMENT_BYTES", 1000)
    store.write(KEY, rows_of(range(25, 400)))
    paths = segments(tmp_path)
    assert len(paths) > MOST_SMALL
    store.write(KEY, rows_of(range(400, 401)))
    assert set(paths) < set(segments(tmp_path))
    assert stored(tmp_path, range(401)) == content(rows_of(range(401)))


def test_the_size_is_bounded(tmp_path: Path) -> None:
    """The least recently used segments go first, and empty folders go too."""
    store = MeasurementStore(tmp_path)
    store.write(KEY, rows_of(range(50)))
    store.write(OTHER, rows_of(range(50)))
    size = {path.parent.name: path.stat().st_size for path in segments(tmp_path)}
    for path in segments(tmp_path):
        os.utime(path, (1, 1) if path.parent.name == KEY.name else (2, 2))
    store.read(KEY, rows_of(range(3)).keys)  # now OTHER was used longest ago
    MeasurementStore(tmp_path, limit_bytes=size[KEY.name] + 1500).write(KEY, rows_of(range(50, 52)))
    assert not (tmp_path / OTHER.name).exists()
    assert stored(tmp_path, range(52)) == content(rows_of(range(52)))
    none = MeasurementStore(tmp_path, limit_bytes=0)
    none.write(OTHER, rows_of(range(9)))
    assert (segments(tmp_path), none.trouble) == ([], "")


def test_only_its_own_files_are_removed(tmp_path: Path) -> None:
    """Foreign files stay; files of killed writers are removed after an hour."""
    names = ["notes.txt", f"{KEY.name}/notes.npz", "surface-1/x.npz", ".0123456789abcdef.part"]
    for name in [*names, ".fedcba9876543210.part"]:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("mine")
    os.utime(tmp_path / ".fedcba9876543210.part", (1, 1))
    MeasurementStore(tmp_path, limit_bytes=0).write(KEY, rows_of(range(9)))
    assert sorted(str(p.relative_to(tmp_path)) for p in segments(tmp_path)) == sorted(names)


def test_an_unusable_folder_is_an_error_before_any_work(tmp_path: Path) -> None:
    """A file, a path below a file and a path with a NUL cannot be used."""
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file", tmp_path / "file" / "below", "a\0b"):
        with pytest.raises(NaturalnessError, match=r"cannot store measurements .*name one that can"):
            MeasurementStore(path).check()


def test_a_full_disk_costs_no_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is raised, no partial file stays, existing rows are read, and one warning is given at the end."""
    MeasurementStore(tmp_path).write(KEY, rows_of(range(5)))

    def full(self: Path, data: bytes) -> int:
        with self.open("wb") as file:
            file.write(data[:9])
        raise OSError(28, "No space left on device")

    with pytest.warns(RuntimeWarning, match="all values are right"), store_in(tmp_path) as store:
        assert store is not None
        monkeypatch.setattr(Path, "write_bytes", full)
        for _ in range(2):
            store.write(KEY, rows_of(range(5, 9)))
            assert "stores no more measurements (No space left on device)" in store.trouble
    assert len(segments(tmp_path)) == 1
    assert stored(tmp_path, range(9)) == content(rows_of(range(5)))


def work(folder: Path, seed: int, rounds: int = 12) -> tuple[int, str]:
    """Write and read at random; return how many rows were read, and the errors."""
    store, rng, read = MeasurementStore(folder, limit_bytes=30_000), random.Random(seed), 0
    for _ in range(rounds):
        start, key = rng.randrange(300), rng.choice([KEY, OTHER])
        store.write(key, rows_of(range(start, start + rng.randrange(1, 30))))
        asked = rows_of(range(start, start + 40))
        rows = store.read(key, asked.keys)
        assert content(rows) == content(asked.part([asked.keys.index(key) for key in rows.keys]))
        read += len(rows)
    return read, store.trouble


def test_processes_and_threads_write_and_read_at_once(tmp_path: Path) -> None:
    """Concurrent writers join, trim and read each other's segments, and every row read is right."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes, ThreadPoolExecutor(2) as threads:
        pools = (processes, threads, processes, threads)
        jobs = [pool.submit(work, tmp_path, seed) for seed, pool in enumerate(pools)]
        results = [job.result() for job in jobs]
    assert [trouble for _, trouble in results] == [""] * 4
    assert sum(read for read, _ in results) > 0
    assert not list(tmp_path.glob(".*.part"))
    assert sum(path.stat().st_size for path in segments(tmp_path)) <= 30_000


def test_concurrent_joins_lose_no_rows(tmp_path: Path) -> None:
    """Without a limit, every row that any writer stored stays, also during joins."""

    def write(numbers: range) -> None:
        store = MeasurementStore(tmp_path)
        for i in numbers:
            store.write(KEY, rows_of(range(i, i + 1)))
            so_far = range(numbers.start, i + 1)
            assert len(store.read(KEY, rows_of(so_far).keys)) == len(so_far)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(write, [range(i * 30, i * 30 + 30) for i in range(4)]))
    assert stored(tmp_path, range(120)) == content(rows_of(range(120)))
