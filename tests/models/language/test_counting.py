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


@pytest.mark.parametrize("order", range(2, 7))
def test_ngrams_are_those_counted_by_hand(order: int) -> None:
    """Of each order that the packing has room for."""
    assert as_counter(count_ngrams(LINES, order)) == by_hand(LINES, order)


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


def test_rows_are_sorted_from_the_last_word() -> None:
    """So that n-grams with the same ending stand together."""
    counted = count_ngrams(LINES, 4)
    rows = list(zip(*(counted.word(position).tolist() for position in range(4)), strict=True))
    assert rows == sorted(rows)


def test_words_are_numbered_as_they_come() -> None:
    """Reserved words first, then by appearance; occurrences by number."""
    counted = count_ngrams(LINES, 2)
    assert counted.words == ["<unk>", "<s>", "</s>", "the", "owl", "sees", "mouse", "hides", "it"]
    assert counted.occurrences.tolist() == [0, 0, 3, 4, 2, 2, 2, 1, 1]
    assert (counted.sentences, counted.tokens) == (3, 12)


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


def test_progress_is_told() -> None:
    """All lines are counted."""
    lines: list[int] = []
    count_ngrams(LINES * 50, 3, chunk=100, advance=lines.append)
    assert sum(lines) == 200


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


def test_mistakes_of_the_caller() -> None:
    """One string in place of lines; an order that kenlm cannot read."""
    with pytest.raises(TypeError, match="one string"):
        count_ngrams("a b", 2)
    for order in (1, 7):
        with pytest.raises(ValueError, match="expected 2 to 6"):
            count_ngrams(LINES, order)
