"""Word list, corrections, syllables and inflection."""

from __future__ import annotations

import gzip
import math
from pathlib import Path

import pytest

from naturalness.errors import AssetError
from naturalness.features.syllables import syllables
from naturalness.models.inflection import inflect
from naturalness.models.wordlist import edits, load_wordlist, read_wordlist

SYLLABLES = {
    "the": 1,
    "cat": 1,
    "table": 2,
    "walked": 1,
    "wanted": 2,
    "beautiful": 3,
    "make": 1,
    "people": 2,
    "readability": 5,
    "every": 2,
    "changes": 2,
    "boxes": 2,
    "rhythm": 2,
    "idea": 3,
    "apple": 2,
    "hopeful": 2,
    "nation": 2,
    "replied": 2,
    "carried": 2,
    "agreed": 2,
    "indeed": 2,
    "hundred": 2,
    "measured": 2,
    "client": 2,
    "x": 1,
    "1984": 1,
    "n't": 1,
}
FORMS = [
    ("go", "VBD", "went"),
    ("be", "VBZ", "is"),
    ("stop", "VBG", "stopping"),
    ("try", "VBZ", "tries"),
    ("visit", "VBD", "visited"),
    ("make", "VBG", "making"),
    ("die", "VBG", "dying"),
    ("see", "VBG", "seeing"),
    ("box", "NNS", "boxes"),
    ("child", "NNS", "children"),
    ("city", "NNS", "cities"),
    ("day", "NNS", "days"),
    ("play", "VBD", "played"),
    ("begin", "VBG", "beginning"),
    ("good", "JJR", "better"),
    ("walk", "VB", "walk"),
    ("fix", "VBD", "fixed"),
    ("panic", "VBG", "panicking"),
    ("species", "NNS", "species"),
    ("hero", "NNS", "heroes"),
    ("leaf", "NNS", "leaves"),
    ("quit", "VBG", "quitting"),
    ("look", "VBG", "looking"),
]


@pytest.mark.parametrize(("word", "count"), SYLLABLES.items())
def test_syllables(word: str, count: int) -> None:
    """Silent letters, endings and exceptions."""
    assert syllables(word) == count


@pytest.mark.parametrize(("lemma", "tag", "form"), FORMS)
def test_inflection(lemma: str, tag: str, form: str) -> None:
    """Regular by rule, irregular by table."""
    assert inflect(lemma, tag) == form


def test_the_word_list_knows_english() -> None:
    """Common words are frequent, rubbish is unknown, compounds are made of their parts."""
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
    """One edit to a frequent word; nothing for known words and rubbish."""
    assert load_wordlist().correction(typed) == meant


def test_edits_of_a_word() -> None:
    """n deletions, n - 1 swaps, 25 n substitutions, 26 (n + 1) insertions."""
    assert len(list(edits("abc"))) == 3 + 2 + 75 + 104


def test_a_damaged_word_list_is_one_clear_error(tmp_path: Path) -> None:
    """Not gzipped, and without a total."""
    (tmp_path / "a.gz").write_text("plain")
    with gzip.open(tmp_path / "b.gz", "wt") as file:
        file.write("no number\n")
    for name in ("a.gz", "b.gz"):
        with pytest.raises(AssetError, match="not a word list"):
            read_wordlist(tmp_path / name)
