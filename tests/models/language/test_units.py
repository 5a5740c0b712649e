"""Units of language models, their frequencies, and capitalised forms."""

from __future__ import annotations

import gzip
import math
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.errors import ModelError
from naturalness.models.language.base import END
from naturalness.models.language.units import (
    OTHER,
    Reader,
    Vocabulary,
    capitalised,
    known_units,
    open_pieces,
    pieces,
    read_capitals,
    read_vocabulary,
    write_vocabulary,
)
from naturalness.text.view import view
from tests.support.language_models import doc_of

COUNTS = {"the": 5, "cat": 2, END: 2, OTHER: 1}


def written(folder: Path, text: str) -> Path:
    path = folder / "units.tsv.gz"
    path.write_bytes(gzip.compress(text.encode()))
    return path


def test_frequencies_by_hand(tmp_path: Path) -> None:
    """Units with counts of 5, 2, 2 and 1 have tenths as frequencies; the file lists the most frequent first."""
    path = tmp_path / "units.tsv.gz"
    write_vocabulary(path, COUNTS)
    assert gzip.decompress(path.read_bytes()).decode() == "5\tthe\n2\t</s>\tcat\n1\t<oov>\n"
    vocabulary = read_vocabulary(path)
    assert vocabulary.frequencies == pytest.approx({"the": math.log(0.5), "cat": math.log(0.2)})
    assert (vocabulary.end, vocabulary.other) == pytest.approx((math.log(0.2), math.log(0.1)))


def test_unknown_units_become_oov() -> None:
    """Unknown and reserved units become `<oov>`; the given list is not changed."""
    vocabulary = Vocabulary({"the": -1.0, "cat": -2.0}, -3.0, -4.0)
    units = ["the", "dog", END, OTHER, "cat", END]
    known, logs, unknown = vocabulary.look_up(units, [5])
    assert known == ["the", OTHER, OTHER, OTHER, "cat", END]
    assert logs.tolist() == [-1.0, -4.0, -4.0, -4.0, -2.0, -3.0]
    assert unknown.tolist() == [False, True, True, True, False, False]
    assert units == ["the", "dog", END, OTHER, "cat", END]
    assert vocabulary.look_up(["cat"])[1].tolist() == [-2.0]


@pytest.mark.parametrize(
    "text",
    [
        "5\tthe\n0\t</s>\t<oov>\n",
        "many\t</s>\t<oov>\n",
        "5\tthe\tthe\n2\t</s>\t<oov>\n",
        "5\n2\t</s>\t<oov>\n",
        "2\t</s>\t<oov>",
        "2\t</s>\n",
    ],
)
def test_damaged_tables_are_refused(tmp_path: Path, text: str) -> None:
    """Invalid counts, repeated units, a count without units, and a truncated file are refused."""
    with pytest.raises(ModelError, match=r"units\.tsv\.gz"):
        read_vocabulary(written(tmp_path, text))


@pytest.mark.parametrize("data", [b"plain", gzip.compress(b"the\t5\n", mtime=0)[:-9]])
def test_damaged_files_are_refused(tmp_path: Path, data: bytes) -> None:
    """Files that are truncated or not gzipped are refused."""
    (tmp_path / "units.tsv.gz").write_bytes(data)
    with pytest.raises(ModelError, match="units"):
        read_vocabulary(tmp_path / "units.tsv.gz")
    with pytest.raises(ModelError, match="copy it again"):
        read_capitals(tmp_path / "units.tsv.gz")


@given(st.dictionaries(st.text("abc", min_size=1, max_size=3), st.integers(1, 9)), st.integers(1, 5))
def test_known_and_unknown_counts_add_up_to_the_total(counts: dict[str, int], least: int) -> None:
    """Rare units are counted together, and sentence ends separately."""
    known = known_units(counts, 4, least)
    unknown = sum(n for unit, n in counts.items() if unit not in known)
    assert known.pop(END) == 4
    assert known.pop(OTHER) == max(1, unknown)
    assert sum(known.values()) + unknown == sum(counts.values())


def test_the_most_frequent_form_decides_about_capitals() -> None:
    """A form is learned from at least five occurrences, and only for known words."""
    inside = Counter({"Peter": 4, "peter": 1, "the": 9, "The": 2, "May": 3, "may": 3, "Anna": 4, "Paul": 9})
    known = set(inside) - {"Paul"}
    assert capitalised(inside, known) == ["Peter"]


CAPITALS = {"i": "I", "peter": "Peter", "bbc": "BBC"}


def test_units_are_listed_by_sentence() -> None:
    """Each sentence has its units and the positions of its tokens in the view."""
    seen = view(doc_of("We left .", "Peter stayed ."))
    assert Reader("words", CAPITALS)(seen) == [
        (["We", "left", "."], range(3), None),
        (["Peter", "stayed", "."], range(3, 6), None),
    ]


def test_each_token_is_split_separately() -> None:
    """Each token has its own pieces; a token without pieces is an unknown unit."""
    calls: list[str] = []

    def cut(word: str) -> list[str]:
        calls.append(word)
        return [] if word == "?" else [f"_{word[:2]}", *([word[2:]] if word[2:] else [])]

    read = pieces(cut, CAPITALS, "abc")
    expected = [(["_We", "_le", "ft", OTHER], range(3), [1, 2, 1])]
    assert read(view(doc_of("We left ?"))) == expected
    assert read(view(doc_of("we left ?"))) == expected
    assert calls == ["We", "left", "?"]
    assert (read.kind, read.encoder) == ("pieces", "abc")


def test_a_text_without_a_word_has_no_units() -> None:
    """The list of sentences is empty for words, pieces and tags."""
    seen = view(doc_of("... !"))
    assert [read(seen) for read in (Reader("words", {}), Reader("tags"), pieces(list, {}))] == [[], [], []]


def test_a_damaged_encoder_is_an_error(tmp_path: Path) -> None:
    """A damaged SentencePiece model raises a `ModelError`."""
    (tmp_path / "pieces.model").write_bytes(b"nothing of the kind")
    with pytest.raises(ModelError, match=r"pieces\.model is not a SentencePiece model"):
        open_pieces(tmp_path / "pieces.model")
