"""Estimates of n-gram models: hand-worked values, probabilities that sum to 1, and the values of lmplz."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naturalness.errors import CorpusError
from naturalness.models.language import kneser_ney
from naturalness.models.language.kneser_ney import count_ngrams, estimate, units
from naturalness.models.language.tables import Ngrams
from tests.support.reference_models import ASSETS, MODELS, Model, as_table, corpus, read_arpa, sums


def in_plain(model: Ngrams) -> dict[str, tuple[float, float]]:
    """Return probabilities and back-off weights instead of their logarithms."""
    return {" ".join(gram): (10**logprob, 10**backoff) for gram, (logprob, backoff) in as_table(model).items()}


def assert_table(model: Ngrams, expected: dict[str, tuple[float, float]]) -> None:
    table = in_plain(model)
    assert set(table) == set(expected)
    for gram, numbers in expected.items():
        assert table[gram] == pytest.approx(numbers, rel=1e-5), gram


def test_bigrams_by_hand_with_fallback() -> None:
    """Two sentences are too few to estimate discounts, so the discounts are 0.5, 1 and 1.5."""
    model = estimate(["a b", "a"], order=2)
    # Different words in front: a 1 (<s>), b 1 (a), </s> 2 (a, b); 4 in all. The discounts take
    # 0.5 + 0.5 + 1 = 2 of 4, so a share of 0.5 goes to <unk>, </s>, a and b alike: 0.125 each.
    # Bigrams as often as seen: after <s> only a (2), discount 1; after a: b and </s> (1 each),
    # discounts 0.5; after b only </s> (1), discount 0.5. Each context leaves 0.5.
    assert_table(
        model,
        {
            "<unk>": (0.125, 1),
            "<s>": (1, 0.5),
            "</s>": ((2 - 1) / 4 + 0.125, 1),
            "a": ((1 - 0.5) / 4 + 0.125, 0.5),
            "b": ((1 - 0.5) / 4 + 0.125, 0.5),
            "<s> a": ((2 - 1) / 2 + 0.5 * 0.25, 1),
            "a b": ((1 - 0.5) / 2 + 0.5 * 0.25, 1),
            "a </s>": ((1 - 0.5) / 2 + 0.5 * 0.375, 1),
            "b </s>": ((1 - 0.5) / 1 + 0.5 * 0.375, 1),
        },
    )
    assert len(model.notes) == 2
    assert "discounts of 1-grams cannot be computed" in model.notes[0]


@pytest.mark.parametrize("reference", MODELS[:2], ids=lambda reference: reference.arpa)
def test_numbers_equal_those_of_lmplz(reference: Model) -> None:
    """N-grams and their order are equal; numbers differ in the last bit at most."""
    ours = estimate(corpus(), order=3, prune=reference.prune)
    theirs = read_arpa(ASSETS / reference.arpa)
    assert ours.vocabulary == theirs.vocabulary
    assert ours.notes == ()
    for k in range(3):
        np.testing.assert_array_equal(ours.ids[k], theirs.ids[k])
        np.testing.assert_allclose(ours.logprobs[k], theirs.logprobs[k], rtol=3e-7, atol=1e-7)
    for mine, other in zip(ours.backoffs, theirs.backoffs, strict=True):
        np.testing.assert_allclose(mine, other, rtol=3e-7, atol=1e-7)


@settings(deadline=None)
@given(
    lines=st.lists(st.lists(st.sampled_from("abcde"), min_size=1, max_size=6).map(" ".join), min_size=1, max_size=12),
    order=st.integers(2, 4),
    steps=st.lists(st.integers(0, 2), max_size=2),
)
def test_probabilities_sum_to_one(lines: list[str], order: int, steps: list[int]) -> None:
    """The probabilities after every known context sum to 1, with and without pruning."""
    model = estimate(lines, order=order, prune=np.cumsum(steps).tolist())
    assert sums(model) == pytest.approx([1] * len(sums(model)), abs=1e-5)


# Counting

LINES = ["the owl sees the mouse", "the mouse hides", "", "the owl sees it"]
texts = st.lists(st.lists(st.sampled_from(["a", "b", "c", "é"]), max_size=5).map(" ".join), max_size=8)


@given(lines=texts, order=st.integers(2, 6), chunk=st.integers(1, 12))
def test_counts_do_not_depend_on_chunks(lines: list[str], order: int, chunk: int) -> None:
    """Counts do not depend on the size of the chunks, also if no sentence is as long as the order."""
    if not any(lines):
        return
    whole, merged = count_ngrams(lines, order), count_ngrams(lines, order, chunk=chunk)
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
    """Reserved words are skipped; only ASCII white space and NUL separate units."""
    assert [unit.decode() for unit in units(line)] == expected


def test_too_many_words_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error gives the maximum number of words and says what to do."""
    monkeypatch.setattr(kneser_ney, "MOST_WORDS", 8)
    with pytest.raises(CorpusError, match="more than 5 different words; replace rare ones"):
        count_ngrams(LINES, 2)
