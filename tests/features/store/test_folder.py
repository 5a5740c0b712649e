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
from naturalness.features.store import folder as feature_store
from naturalness.features.store.folder import MOST_SMALL, FeatureStore, opened_store
from naturalness.features.store.keys import GroupKey, text_key
from naturalness.features.store.segments import BYTES, Rows, joined, pack_rows, unpack_rows
from naturalness.files.archive import TYPES, pack

KEY = GroupKey("surface-" + "0" * 32, bytes(16), 3)
OTHER = GroupKey("lexical-" + "1" * 32, b"\1" * 16, 3)


def rows_of(numbers: range) -> Rows:
    """Return rows whose values follow from their texts, so that a wrong row is noticed."""
    return Rows(
        [text_key(f"text {i}") for i in numbers],
        np.array([[i, i / 7, np.nan] for i in numbers], dtype=np.float64).reshape(-1, 3),
        ["empty text" if i % 5 == 0 else "" for i in numbers],
        [f"a gap of {i}\0" if i % 3 == 0 else "" for i in numbers],
    )


def same(one: Rows, other: Rows) -> bool:
    """Require equality to the last bit, in any order."""
    first, second = joined([one], 3), joined([other], 3)
    return (first.keys, first.reasons, first.gaps, first.table.tobytes()) == (
        second.keys,
        second.reasons,
        second.gaps,
        second.table.tobytes(),
    )


def segments(folder: Path) -> list[Path]:
    """Return all files of a store."""
    return sorted(path for path in folder.rglob("*") if path.is_file())


@given(arrays(np.float64, (4, 3)), st.lists(st.text(st.characters()), min_size=4, max_size=4))
def test_rows_come_back(table: np.ndarray, words: list[str]) -> None:
    """Every bit of a number survives, including NaN and its sign, for any text."""
    expected = Rows([text_key(f"{i}") for i in range(4)], table, words, words[::-1])
    actual = unpack_rows(pack_rows(expected, KEY), KEY)
    assert (actual.keys, actual.reasons, actual.gaps) == (expected.keys, words, words[::-1])
    assert actual.table.tobytes() == np.ascontiguousarray(table).tobytes()


def test_what_is_unknown_is_not_there(tmp_path: Path) -> None:
    """Only the known rows of that group are returned; writing nothing makes no file."""
    store = FeatureStore(tmp_path / "new" / "store").check()
    store.write(KEY, rows_of(range(10)))
    store.write(KEY, rows_of(range(0)))
    asked = [text_key(f"text {i}") for i in (3, 99, 7)]
    assert same(store.read(KEY, asked), joined([rows_of(range(3, 4)), rows_of(range(7, 8))], 3))
    assert len(store.read(OTHER, asked)) == 0
    assert len(segments(tmp_path)) == 1


def test_forged_segments_are_refused(tmp_path: Path) -> None:
    """Objects, other types, wrong shapes and another group's rows are errors."""
    good = pack_rows(rows_of(range(4)), KEY)
    with pytest.raises(ModelError, match="another group"):
        unpack_rows(good, OTHER)
    wider = GroupKey(KEY.name, KEY.digest, 4)
    with pytest.raises(ModelError, match="shape"):
        unpack_rows(good, wider)
    for data in (b"", pickle.dumps([1]), pack({"a.b": np.empty(0)}, (*TYPES, BYTES))):
        with pytest.raises(ModelError):
            unpack_rows(data, KEY)


def damaged(data: bytes, rng: random.Random) -> bytes:
    """Truncate, change or extend the data at a random place."""
    offset = rng.randrange(len(data))
    match rng.randrange(3):
        case 0:
            return data[:offset]
        case 1:
            return data[:offset] + bytes([data[offset] ^ 1 << rng.randrange(8)]) + data[offset + 1 :]
        case _:
            return data + b"\0"


def test_a_damaged_segment_is_as_good_as_none(tmp_path: Path) -> None:
    """A damaged segment is removed and can be written again; the others stay."""
    store, rng, all_keys = FeatureStore(tmp_path), random.Random(0), rows_of(range(20)).keys
    store.write(KEY, rows_of(range(10)))
    (first,) = segments(tmp_path)
    data = first.read_bytes()
    store.write(KEY, rows_of(range(10, 20)))
    for _ in range(50):
        first.write_bytes(damaged(data, rng))
        assert same(store.read(KEY, all_keys), rows_of(range(10, 20)))
        assert not first.exists()
        store.write(KEY, rows_of(range(10)))
        assert same(store.read(KEY, all_keys), rows_of(range(20)))


def test_many_small_segments_become_one(tmp_path: Path) -> None:
    """Merging removes duplicate rows, loses nothing, and always writes the same file."""
    store = FeatureStore(tmp_path)
    for i in range(MOST_SMALL):
        store.write(KEY, rows_of(range(i, i + 5)))
    assert len(segments(tmp_path)) == MOST_SMALL
    store.write(KEY, rows_of(range(90, 95)))
    (one,) = segments(tmp_path)
    assert one.name.endswith(f"-{MOST_SMALL + 4 + 5}.npz")
    expected = [rows_of(range(MOST_SMALL + 4)), rows_of(range(90, 95))]
    assert same(store.read(KEY, rows_of(range(100)).keys), joined(expected, 3))


def test_full_segments_are_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows are divided into segments of a bounded size, which are not merged again."""
    monkeypatch.setattr(feature_store, "SEGMENT_BYTES", 1000)
    store = FeatureStore(tmp_path)
    store.write(KEY, rows_of(range(400)))
    paths = segments(tmp_path)
    assert len(paths) > MOST_SMALL
    store.write(KEY, rows_of(range(400, 401)))
    assert set(paths) < set(segments(tmp_path))
    assert same(store.read(KEY, rows_of(range(401)).keys), rows_of(range(401)))


def test_the_limit_is_kept(tmp_path: Path) -> None:
    """The least recently used segments go first, and empty folders go too."""
    store = FeatureStore(tmp_path)
    store.write(KEY, rows_of(range(50)))
    store.write(OTHER, rows_of(range(50)))
    size = {path.parent.name: path.stat().st_size for path in segments(tmp_path)}
    for path in segments(tmp_path):
        os.utime(path, (1, 1) if path.parent.name == KEY.name else (2, 2))
    store.read(KEY, rows_of(range(3)).keys)  # now OTHER was used longest ago
    small = FeatureStore(tmp_path, limit_bytes=size[KEY.name] + 1500)
    small.write(KEY, rows_of(range(50, 52)))
    assert {path.parent.name for path in segments(tmp_path)} == {KEY.name}
    assert not (tmp_path / OTHER.name).exists()
    assert same(small.read(KEY, rows_of(range(52)).keys), rows_of(range(52)))
    none = FeatureStore(tmp_path, limit_bytes=0)
    none.write(OTHER, rows_of(range(9)))
    assert segments(tmp_path) == []
    assert none.trouble == ""


def test_only_its_own_files_are_removed(tmp_path: Path) -> None:
    """Foreign files stay; files of killed writers are removed after an hour."""
    names = ["notes.txt", f"{KEY.name}/notes.npz", "surface-1/x.npz", ".0123456789abcdef.part"]
    for name in [*names, ".fedcba9876543210.part"]:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("mine")
    os.utime(tmp_path / ".fedcba9876543210.part", (1, 1))
    FeatureStore(tmp_path, limit_bytes=0).write(KEY, rows_of(range(9)))
    assert sorted(str(p.relative_to(tmp_path)) for p in segments(tmp_path)) == sorted(names)


def test_a_place_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    """An unusable folder is an error before any work."""
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file", tmp_path / "file" / "below", "a\0b"):
        with pytest.raises(NaturalnessError, match=r"cannot keep features .*name one that can"):
            FeatureStore(path).check()


def test_a_full_disk_costs_no_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is raised; one warning is given, no partial file stays, and existing rows are read."""
    store = FeatureStore(tmp_path)
    store.write(KEY, rows_of(range(5)))

    def full(self: Path, data: bytes) -> int:
        with self.open("wb") as file:
            file.write(data[:9])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    for _ in range(2):
        store.write(KEY, rows_of(range(5, 9)))
        assert "keeps no more features (No space left on device)" in store.trouble
    assert len(segments(tmp_path)) == 1
    assert same(store.read(KEY, rows_of(range(9)).keys), rows_of(range(5)))


def test_estimators_warn_where_not_all_could_be_kept(tmp_path: Path) -> None:
    """One warning is given at the end; without a folder there is no store."""
    with opened_store(None) as nothing:
        assert nothing is None
    with pytest.warns(RuntimeWarning, match="no room; all values are right"), opened_store(tmp_path) as store:
        assert store is not None
        store.trouble = "no room"


def work(folder: Path, seed: int, rounds: int = 12) -> tuple[int, str]:
    """Write and read at random; return how many rows were read, and the errors."""
    store, rng, read = FeatureStore(folder, limit_bytes=30_000), random.Random(seed), 0
    for _ in range(rounds):
        start, key = rng.randrange(300), rng.choice([KEY, OTHER])
        store.write(key, rows_of(range(start, start + rng.randrange(1, 30))))
        asked = range(start, start + 40)
        rows = store.read(key, rows_of(asked).keys)
        numbers = {text_key(f"text {i}"): i for i in asked}
        for i, text in enumerate(rows.keys):
            number = numbers[text]
            assert same(rows.part([i]), rows_of(range(number, number + 1)))
        read += len(rows)
    return read, store.trouble


def test_processes_and_threads_write_and_read_at_once(tmp_path: Path) -> None:
    """Concurrent writers merge, trim and read each other's segments, and every row found is right."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes, ThreadPoolExecutor(2) as threads:
        jobs = [
            pool.submit(work, tmp_path, 2 * seed + i)
            for i, pool in enumerate((processes, threads))
            for seed in range(2)
        ]
        results = [job.result() for job in jobs]
    assert [trouble for _, trouble in results] == [""] * 4
    assert sum(read for read, _ in results) > 0
    assert not list(tmp_path.glob(".*.part"))
    assert sum(path.stat().st_size for path in segments(tmp_path)) <= 30_000


def test_nothing_is_lost_by_joining_at_once(tmp_path: Path) -> None:
    """Without a limit every row that anyone wrote stays, also during merges."""

    def write(numbers: range) -> None:
        store = FeatureStore(tmp_path)
        for i in numbers:
            store.write(KEY, rows_of(range(i, i + 1)))
            so_far = range(numbers.start, i + 1)
            assert len(store.read(KEY, rows_of(so_far).keys)) == len(so_far)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(write, [range(i * 30, i * 30 + 30) for i in range(4)]))
    rows = FeatureStore(tmp_path).read(KEY, rows_of(range(120)).keys)
    assert same(rows, rows_of(range(120)))
