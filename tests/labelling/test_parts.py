"""The folder of unfinished work: intact shards are used, and all others are recomputed."""

from __future__ import annotations

import hashlib
import json
import math
from pathlib import Path
from typing import Any

import pytest

from naturalness.errors import TableError
from naturalness.labelling.parts import Parts

COLUMNS = {"naturalness": [0.5, math.nan, 1e-300], "reason": ["", "why", "ünï"]}


def test_shards_are_restored(tmp_path: Path) -> None:
    """Another process reads the same values and plan that were written."""
    parts = Parts(tmp_path, list(COLUMNS))
    assert (len(parts), parts.planned, 3 in parts) == (0, False, False)
    parts.begin({"a": 1})
    parts.write(3, COLUMNS)
    again = Parts(tmp_path, list(COLUMNS))
    assert (len(again), again.planned, 3 in again) == (1, True, True)
    assert again.has_plan({"a": 1}) and not again.has_plan({"a": 2})
    assert str(again.read(3, 3)) == str(COLUMNS)
    assert again.read(2, 3) is None
    again.clear()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("damage", ["cut", "changed", "gone"])
def test_a_damaged_shard_is_removed(tmp_path: Path, damage: str) -> None:
    """The checksum of a damaged shard does not match, and the shard is removed."""
    parts = Parts(tmp_path, list(COLUMNS))
    parts.write(0, COLUMNS)
    (path,) = (tmp_path / "shards").iterdir()
    data = path.read_bytes()
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes(data[:-9] if damage == "cut" else data[:40] + b"x" + data[41:])
    assert parts.read(0, 3) is None
    assert not path.exists()
    assert 0 not in parts
    parts.write(0, COLUMNS)
    assert path.read_bytes() == data  # the same values, the same bytes, the same name


FORGED = {
    "lacks a column": {"naturalness": [0.5] * 3},
    "has another": {**COLUMNS, "more": [1.0] * 3},
    "lacks a row": {name: values[:2] for name, values in COLUMNS.items()},
    "has text for a number": {**COLUMNS, "naturalness": ["0.5"] * 3},
    "has a text for a column": {**COLUMNS, "reason": "why"},
    "is a list": [1, 2, 3],
}


@pytest.mark.parametrize("columns", FORGED.values(), ids=FORGED)
def test_a_forged_shard_is_rejected(tmp_path: Path, columns: Any) -> None:
    """A shard with the right checksum but invalid contents is rejected."""
    parts = Parts(tmp_path, list(COLUMNS))
    parts.write(0, COLUMNS)
    (path,) = (tmp_path / "shards").iterdir()
    path.write_text(json.dumps(columns))
    digest = hashlib.blake2b(path.read_bytes(), digest_size=8).hexdigest()
    path.rename(path.with_name(f"000000-{digest}.json"))
    again = Parts(tmp_path, list(COLUMNS))
    assert 0 in again
    assert again.read(0, 3) is None
    assert 0 not in again


def test_work_of_an_earlier_release_is_named(tmp_path: Path) -> None:
    """Shards of release 0.3 are an error that says what to do."""
    (tmp_path / "shards").mkdir()
    (tmp_path / "shards" / "000000-0123456789abcdef.parquet").touch()
    with pytest.raises(TableError, match=r"holds work of release 0\.3, which cannot be resumed; delete the folder"):
        Parts(tmp_path, [])


def test_foreign_files_are_left_alone(tmp_path: Path) -> None:
    """A folder with other files is an error, and the files stay."""
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(TableError, match=r"do not belong to an unfinished job \(thesis.txt\)"):
        Parts(tmp_path, [])
    assert (tmp_path / "thesis.txt").exists()
