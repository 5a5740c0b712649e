"""Minimal pairs: the file is well formed, and shares are counted by phenomenon."""

from __future__ import annotations

from collections import Counter

import numpy as np

from benchmarks.minimal_pairs import Pair, by_phenomenon, read_pairs, won

PAIRS = read_pairs()
SENTENCES = [text for pair in PAIRS for text in (pair.good, pair.bad)]


def letters(text: str) -> str:
    """Return a sentence without case, spaces and punctuation."""
    return "".join(filter(str.isalnum, text.lower()))


def test_every_phenomenon_has_enough_pairs() -> None:
    """Each phenomenon has enough pairs for a meaningful share, and its pairs are adjacent."""
    counts = Counter(pair.phenomenon for pair in PAIRS)
    assert len(PAIRS) >= 320
    assert len(counts) >= 14
    assert min(counts.values()) >= 15
    named = [pair.phenomenon for pair in PAIRS]
    assert sorted(named, key=list(counts).index) == named


def test_no_sentence_occurs_twice() -> None:
    """No sentence is repeated, and the sentences of a pair differ in more than punctuation."""
    counts = Counter(map(letters, SENTENCES))
    assert [text for text, n in counts.items() if n > 1] == []


def test_sentences_are_tidy() -> None:
    """Sentences have single spaces, balanced straight quotes, an initial capital and a final mark."""
    for text in SENTENCES:
        assert text == " ".join(text.split())
        assert text.isascii()
        assert text.count('"') % 2 == 0
        assert text.lstrip('"')[0].isupper()
        assert text.rstrip('"')[-1] in ".?!"


def test_shares_by_hand() -> None:
    """A tie counts one half; a pair with an undefined score counts as not won."""
    pairs = [Pair("case", "a", "b"), Pair("case", "c", "d"), Pair("articles", "e", "f")]
    good = np.array([[1.0, 0.0], [2.0, np.nan], [3.0, 1.0]])
    bad = np.array([[0.0, 0.0], [2.0, 1.0], [4.0, 0.5]])
    assert by_phenomenon(pairs, won(good, bad)) == {
        "case": (2, [0.75, 0.25]),
        "articles": (1, [0.0, 1.0]),
        "all": (3, [0.5, 0.5]),
    }
