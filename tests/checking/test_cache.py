"""Sentences that passed are remembered, and nothing else."""

from __future__ import annotations

import math
import os
from dataclasses import replace
from pathlib import Path

import pytest

from naturalness.checking import cache as module
from naturalness.checking.cache import HEADER, RECORD, Cache, signature_of
from naturalness.checking.verdicts import Judge, Unit, Verdict
from naturalness.errors import TableError
from naturalness.explaining.mending import Correction
from naturalness.pipelines.scorer import load_model
from tests.support.explained import BAD

FINE, LOW = Unit("It rained."), Unit("He go.")


def test_what_passed_is_found_again(tmp_path: Path) -> None:
    """With its score, in the same circumstances alone; flaws and reservations are not stored, and no text is."""
    path = tmp_path / "cache"
    cache = Cache(path, "model")
    assert cache.get(FINE) is None
    cache.put(FINE, Verdict(0.75))
    cache.put(Unit("A list."), Verdict(0.1, is_fragment=True))
    cache.put(Unit("A list of names."), Verdict(math.nan, is_fragment=True))
    cache.put(LOW, Verdict(0.1, low=True, explanation=BAD))
    cache.put(Unit("1 2 3."), Verdict(math.nan, "no words"))
    cache.write()
    again = Cache(path, "model")
    assert again.get(FINE) == Verdict(0.75)
    assert again.get(Unit("A list.")) == Verdict(0.1, is_fragment=True)
    fragment = again.get(Unit("A list of names."))
    assert fragment is not None and fragment.is_fragment and math.isnan(fragment.naturalness)
    others = [LOW, Unit("1 2 3."), Unit(FINE.text, ((0, 2),)), Unit(FINE.text, needs_clause=True)]
    assert [again.get(unit) for unit in others] == [None] * 4
    assert Cache(path, "other").get(FINE) is None
    assert path.stat().st_size == len(HEADER) + 3 * RECORD.size
    assert b"rained" not in path.read_bytes()


def test_fixes_are_not_lost(tmp_path: Path) -> None:
    """A sentence that passes but has a fix is judged again, and a run with fixes finds no entries of one without."""
    cache = Cache(tmp_path / "cache", "model")
    cache.put(FINE, Verdict(0.75, fixes=(Correction(0, 2, "This", 0.95, "replace", "wrong"),)))
    cache.write()
    assert Cache(tmp_path / "cache", "model").get(FINE) is None
    judge = Judge(load_model("fast"))
    signatures = {signature_of(replace(judge, sure=sure)) for sure in (None, 0.5, 0.9)}
    assert len(signatures) == 3


def test_runs_at_the_same_time_keep_each_others_entries(tmp_path: Path) -> None:
    """The file is read again before it is replaced; without anything new, it stays as it is."""
    first, second = Cache(tmp_path / "cache", ""), Cache(tmp_path / "cache", "")
    first.put(FINE, Verdict(0.7))
    second.put(LOW, Verdict(0.8))
    first.write()
    second.write()
    both = Cache(tmp_path / "cache", "")
    assert (both.get(FINE), both.get(LOW)) == (Verdict(0.7), Verdict(0.8))
    before = (tmp_path / "cache").stat().st_ino
    both.write()
    assert (tmp_path / "cache").stat().st_ino == before


def test_the_size_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The entries that are oldest go first."""
    monkeypatch.setattr(module, "MAX_BYTES", 2 * RECORD.size)
    for i in range(3):
        cache = Cache(tmp_path / "cache", "")
        cache.put(Unit(str(i)), Verdict(0.5))
        cache.write()
    cache = Cache(tmp_path / "cache", "")
    assert [cache.get(Unit(str(i))) is None for i in range(3)] == [True, False, False]
    assert (tmp_path / "cache").stat().st_size == len(HEADER) + 2 * RECORD.size


@pytest.mark.parametrize(
    "content",
    [
        b"",
        HEADER.replace(b"1", b"0") + RECORD.pack(bytes(16), 0.5, False),
        HEADER.replace(b"1", b"27") + b"another format",
        HEADER + b"short",
        HEADER + RECORD.pack(bytes(16), math.nan, False),
        HEADER + RECORD.pack(bytes(16), 1.5, False),
        HEADER + RECORD.pack(bytes(16), -1.0, False),
        HEADER + RECORD.pack(bytes(16), math.inf, False),
    ],
)
def test_a_cache_without_usable_entries_is_begun_anew(tmp_path: Path, content: bytes) -> None:
    """Silently, whether it is empty, damaged or of another version, since nothing is lost but time."""
    path = tmp_path / "cache"
    path.write_bytes(content)
    cache = Cache(path, "")
    assert cache.get(FINE) is None
    cache.put(FINE, Verdict(0.5))
    cache.write()
    assert Cache(path, "").get(FINE) == Verdict(0.5)


def test_another_file_is_not_overwritten(tmp_path: Path) -> None:
    """A wrong name must not cost a text."""
    for content in (b"# Read me\n", b"\n", HEADER[:-1], b"naturalness check: cache files\n"):
        (tmp_path / "a.md").write_bytes(content)
        with pytest.raises(TableError, match=r"a.md' is no cache of check; name another file, or delete it"):
            Cache(tmp_path / "a.md", "")
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "."):
        with pytest.raises(TableError, match="is no cache of check"):
            Cache(tmp_path / name, "")
    with pytest.raises(TableError, match=r"no folder .*none' for the cache; make it, or name another"):
        Cache(tmp_path / "none" / "cache", "")
