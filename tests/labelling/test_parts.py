"""The folder of unfinished work: intact shards are used, and all others are computed again."""

from __future__ import annotations

import hashlib
import math
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from naturalness.errors import TableError
from naturalness.labelling.parts import CHECKSUM, Parts, texts_checksum

TEXTS = ["one", "", "half \ud800 and \0"]
COLUMNS = {"naturalness": [0.5, math.nan, 1e-300], "reason": ["", "why", "ünï"]}


def test_shards_come_back_as_they_were(tmp_path: Path) -> None:
    """Another process, too, reads the values that were written."""
    location = str(tmp_path / "out.parts")
    parts = Parts(location)
    assert (len(parts), parts.planned, 3 in parts) == (0, False, False)
    parts.begin({"a": 1})
    parts.write(3, TEXTS, COLUMNS)
    again = Parts(location)
    assert (len(again), again.planned, 3 in again, again.strange) == (1, True, True, [])
    assert str(again.read(3, TEXTS)) == str(COLUMNS)
    assert again.read(2, TEXTS) is None
    again.clear()
    assert len(Parts(location)) == 0
    assert not Parts(location).planned


@pytest.mark.parametrize("damage", ["cut", "changed", "gone"])
def test_a_damaged_shard_is_made_again(tmp_path: Path, damage: str) -> None:
    """The checksum of a damaged shard does not match, and the shard is removed."""
    parts = Parts(str(tmp_path / "p"))
    parts.write(0, TEXTS, COLUMNS)
    (path,) = (tmp_path / "p" / "shards").iterdir()
    data = path.read_bytes()
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes(data[:-9] if damage == "cut" else data[:40] + b"x" + data[41:])
    assert parts.read(0, TEXTS) is None
    assert not path.exists()
    assert 0 not in parts
    parts.write(0, TEXTS, COLUMNS)
    assert path.read_bytes() == data  # the same values, the same bytes, the same name


FORGED = {
    "lacks a column": {"naturalness": [0.5] * 3},
    "has another": {**COLUMNS, "more": [1.0] * 3},
    "lacks a row": {name: values[:2] for name, values in COLUMNS.items()},
}


@pytest.mark.parametrize("columns", FORGED.values(), ids=FORGED)
def test_a_forged_shard_is_made_again(tmp_path: Path, columns: dict[str, list[Any]]) -> None:
    """A shard with the right checksum and texts but invalid contents is rejected."""
    parts = Parts(str(tmp_path / "p"), list(COLUMNS))
    parts.write(0, TEXTS, COLUMNS)
    assert parts.read(0, TEXTS) is not None
    (path,) = (tmp_path / "p" / "shards").iterdir()
    checksum = pq.read_schema(path).metadata
    table = pa.table(columns).replace_schema_metadata({CHECKSUM: checksum[CHECKSUM]})
    pq.write_table(table, path)
    digest = hashlib.blake2b(path.read_bytes(), digest_size=8).hexdigest()
    path.rename(path.with_name(f"000000-{digest}.parquet"))
    again = Parts(parts.location, list(COLUMNS))
    assert 0 in again
    assert again.read(0, TEXTS) is None
    assert 0 not in again


def test_another_text_is_noticed(tmp_path: Path) -> None:
    """The error names the shard and says what to do."""
    parts = Parts(str(tmp_path / "p"))
    parts.write(2, TEXTS, COLUMNS)
    with pytest.raises(TableError, match=r"rows of shard 2 are not those of before.*`force`"):
        parts.read(2, [*TEXTS[:2], "other"])


def test_checksums_are_those_of_earlier_releases() -> None:
    """16 bytes of BLAKE2b over lengths (8 bytes) and texts, so unfinished work can be resumed."""
    data = b"\2" + bytes(7) + b"ab" + b"\1" + bytes(7) + b"c"
    assert texts_checksum(["ab", "c"]) != texts_checksum(["a", "bc"])
    assert texts_checksum(["ab", "c"]) == hashlib.blake2b(data, digest_size=16).hexdigest().encode()


def test_differences_are_in_words(tmp_path: Path) -> None:
    """Differences are stated by name, old value and new value; a damaged plan counts as a difference."""
    parts = Parts(str(tmp_path / "p"))
    parts.begin({"input": {"bytes": 1}, "job": {"fields": ("a",)}, "same": None})
    now = {"input": {"bytes": 2}, "job": {"fields": ("a",)}, "same": None}
    assert parts.differences(now) == ["input.bytes was 1, is 2"]
    assert parts.differences({**now, "input": {"bytes": 1}}) == []
    more = {"input": {"bytes": 1}, "job": {"fields": ["a"], "model": "fast"}, "model": "ef", "assets": {"a": 1, "b": 2}}
    assert parts.differences(more) == [
        "job.model was None, is 'fast'",
        "assets was None, is {'a': 1, 'b': 2}",
        "model was None, is 'ef'",
    ]
    (tmp_path / "p" / "plan.json").write_text("{")
    assert parts.differences(now) == ["plan.json is damaged"]


def test_what_is_not_ours_is_left_alone(tmp_path: Path) -> None:
    """Foreign files cause an error and stay where they are."""
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "thesis.txt").write_text("years of work")
    parts = Parts(str(tmp_path / "p"))
    assert parts.strange == ["thesis.txt"]
    with pytest.raises(TableError, match=r"not ours \(thesis.txt\)"):
        parts.clear()
    assert (tmp_path / "p" / "thesis.txt").exists()
