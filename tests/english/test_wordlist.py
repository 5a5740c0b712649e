"""The word list: frequencies, compounds, corrections, damaged files."""

from __future__ import annotations

import gzip
import math
from pathlib import Path

import pytest

from naturalness.english.wordlist import edits, load_wordlist, read_wordlist
from naturalness.errors import AssetError


def test_the_word_list_knows_english() -> None:
    """Common words are frequent, strings of letters unknown, and compounds known by their parts."""
    words = load_wordlist()
    assert words.zipf("the") > 7 > words.zipf("garden") > words.zipf("quixotic")
    assert "zzxqv" not in words
    assert math.isnan(words.zipf("zzxqv"))
    assert words.knows("kitchen-table")
    assert not words.knows("kitchen-zzxqv")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("recieve", "receive"),
        ("thier", "their"),
        ("goverment", "government"),
        ("becuase", "because"),
        ("garden", None),
        ("zzxqv", None),
        ("ab1", None),
    ],
)
def test_corrections(typed: str, meant: str | None) -> None:
    """A correction is one edit from a frequent word; known and distant words have none."""
    assert load_wordlist().correction(typed) == meant


def test_edits_of_a_word() -> None:
    """A word has n deletions, n - 1 swaps, 25 n substitutions and 26 (n + 1) insertions."""
    assert len(list(edits("abc"))) == 3 + 2 + 75 + 104


def test_a_damaged_word_list_is_one_clear_error(tmp_path: Path) -> None:
    """A file that is not gzipped, or that lacks the total, raises a single clear error."""
    (tmp_path / "a.gz").write_text("plain")
    with gzip.open(tmp_path / "b.gz", "wt") as file:
        file.write("no number\n")
    for name in ("a.gz", "b.gz"):
        with pytest.raises(AssetError, match="not a word list"):
            read_wordlist(tmp_path / name)
