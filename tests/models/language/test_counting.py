"""Counting: n-grams of every ending length, in one piece or in many."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.errors import CorpusError
from naturalness.models.language import counting
from naturalness.models.language.counting import Counted, count_ngrams, units

LINES = ["the owl sees the mouse", "the mouse hides", "", "the owl sees it"]
texts = st.lists(st.lists(st.sampled_from(["a", "b", "c", "é"]), max_size=5).map(" ".join), max_size=8)


def as_counter(counted: Counted) -> Counter[tuple[str, ...]]:
    """n-grams of the full order as words."""
    columns = [counted.word(position) for position in reversed(range(counted.order))]
    grams = [tuple(counted.words[i] for i in row) for row in np.column_stack(columns)]
    assert len(set(grams)) == len(grams)
    return Counter(dict(zip(grams, counted.counts.tolist(), strict=True)))


def by_hand(lines: list[str], order: int) -> Counter[tuple[str, ...]]:
    """The same, counted one by one."""
    counts: Counter[tuple[str, ...]] = Counter()
    for words in filter(None, (line.split() for line in lines)):
        padded = ["<s>"] * (order - 1) + words + ["</s>"]
        counts.update(tuple(padded[i : i + order]) for i in range(len(words) + 1))
    return counts


@given(lines=texts, order=st.integers(2, 6), chunk=st.integers(1, 12))
def test_chunks_change_nothing(lines: list[str], order: int, chunk: int) -> None:
    """Small chunks, spilled and merged, give the rows of one chunk, in the same order."""
    if not any(lines):
        return
    whole, merged = count_ngrams(lines, order), count_ngrams(lines, order, chunk=chunk)
    assert as_counter(merged) == by_hand(lines, order)
    assert whole.words == merged.words
    for name in ("high", "low", "counts", "occurrences"):
        np.testing.assert_array_equal(getattr(whole, name), getattr(merged, name))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a <s> b </s>", ["a", "b"]),
        ("<unk> a <UNK>", ["a"]),
        ("a <b> <s", ["a", "<b>", "<s"]),
        ("a\tb\r\n", ["a", "b"]),
        ("a\0b", ["a", "b"]),
        ("a\u00a0b c", ["a\u00a0b", "c"]),
        ("\ud800", ["?"]),
        (" ", []),
    ],
)
def test_units(line: str, expected: list[str]) -> None:
    """Reserved words are passed over; only ASCII white space and NUL separate."""
    assert [unit.decode() for unit in units(line)] == expected


@pytest.mark.parametrize("lines", [[], ["", "  "], ["<s> </s>"]])
def test_no_words_is_an_error(lines: list[str]) -> None:
    """An empty text, blank lines, or reserved words only."""
    with pytest.raises(CorpusError, match="no words"):
        count_ngrams(lines, 3)


def test_too_many_words_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """More than the packing has room for; it says what to do."""
    monkeypatch.setattr(counting, "MOST_WORDS", 8)
    with pytest.raises(CorpusError, match="more than 5 different words; replace rare ones"):
        count_ngrams(LINES, 2)
