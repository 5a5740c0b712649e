"""Overlap with references, by hand and against other implementations."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from naturalness.metrics.overlap import (
    OVERLAP_METRICS,
    WEIGHTED_METRICS,
    cider,
    lcs_length,
    nist,
    overlap_f,
    overlap_recall,
    rouge_l,
    rouge_w,
)
from naturalness.metrics.references import Read
from naturalness.text.parsing import parse, tokenise

METRICS = {metric.name: metric for metric in OVERLAP_METRICS + WEIGHTED_METRICS}
WORDS = ("red", "blue", "stone", "river", "walks", "sings")
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join)
LETTERS = st.text("abc", max_size=90)  # beyond one machine word


def lcs_by_table(one: str, other: str) -> int:
    """Return the longest common subsequence by dynamic programming."""
    rows = [[0] * (len(other) + 1)]
    for a in one:
        row = [0]
        for j, b in enumerate(other):
            row.append(rows[-1][j] + 1 if a == b else max(row[j], rows[-1][j + 1]))
        rows.append(row)
    return rows[-1][-1]


@given(one=LETTERS, other=LETTERS)
def test_longest_common_subsequence(one: str, other: str) -> None:
    """The length equals the table's, in both directions."""
    assert lcs_length(one, other) == lcs_length(other, one) == lcs_by_table(one, other)


@settings(max_examples=60, deadline=None)
@given(candidate=TEXTS, references=st.lists(TEXTS, min_size=1, max_size=4))
def test_rouge_l_as_rouge_score_has_it(candidate: str, references: list[str]) -> None:
    """The F of the best reference, on words that both tokenise alike."""
    scorer = RougeScorer(["rougeL"])
    docs = list(tokenise([candidate]))
    best = scorer.score_multi(references, candidate)["rougeL"].fmeasure
    first = scorer.score(references[0], candidate)["rougeL"].fmeasure
    assert METRICS["rouge-l"].score(docs, [references])[0] == pytest.approx(best)
    assert METRICS["rouge-l-single"].score(docs, [references])[0] == pytest.approx(first)


def test_rouge_w_as_in_the_paper() -> None:
    """Lin's example, f(k) = k ** 2: of two texts that share four letters the consecutive one wins."""
    assert rouge_w("ABCDHIK", "ABCDEFG", 2) == pytest.approx(0.571, abs=5e-4)
    assert rouge_w("AHBKCID", "ABCDEFG", 2) == pytest.approx(0.286, abs=5e-4)


@given(one=LETTERS, other=LETTERS)
def test_rouge_w_of_single_letters_is_rouge_l(one: str, other: str) -> None:
    """With power 1 a run counts as its letters; with a higher power at least as a single one."""
    if one and other:
        assert rouge_w(one, other, 1) == pytest.approx(rouge_l(one, other))
    weighted = rouge_w(one, other)
    assert math.isnan(weighted) or 0 <= weighted <= rouge_l(one, other) + 1e-9


def test_n_gram_overlap_by_hand() -> None:
    """The union takes an n-gram as often as the reference that has it most.

    Bigrams of "abcabd": ab twice, bc, ca, bd. Of "abc": ab, bc. Of "abab": ab twice, ba. The
    union: ab twice, bc, ba; shared: ab twice, bc. Trigrams: abc, bca, cab, abd against abc, aba,
    bab; shared: abc.
    """
    candidate, references = "abcabd", ["abc", "abab"]
    assert overlap_recall(candidate, references, 2) == pytest.approx(3 / 4)
    assert overlap_f(candidate, references, 2) == pytest.approx(2 * 3 / (5 + 4))
    assert overlap_recall(candidate, references, 3) == pytest.approx(1 / 3)
    assert overlap_f(candidate, references, 3) == pytest.approx(2 * 1 / (4 + 3))


def test_metrics_on_texts() -> None:
    """Case and spacing do not count, punctuation does; the second reference is for mult alone.

    Tokens: rain falls . (3) against snow falls . (3) and rain falls again . (4): longest common
    subsequences 2 and 3. Bigrams rain-falls, falls-. against snow-falls, falls-., rain-falls,
    falls-again, again-.; trigrams: none in common. Runs of 2 and 1 with the second reference.
    """
    references = [["Snow falls .", "RAIN falls again."]]
    expected = {
        "rouge-l": 6 / 7,
        "rouge-l-single": 4 / 6,
        "lr2-r": 2 / 5,
        "lr2-f": 4 / 7,
        "lr3-r": 0,
        "lr3-f": 0,
        "rouge-w": 2 * (2**1.2 + 1) ** (1 / 1.2) / 7,
    }
    docs = parse(["Rain  falls."])
    scores = {metric.name: metric.score(docs, references)[0] for metric in OVERLAP_METRICS}
    assert scores == pytest.approx(expected)


@pytest.mark.parametrize("metric", OVERLAP_METRICS, ids=lambda m: m.name)
def test_blank_references_do_not_count(metric) -> None:  # type: ignore[no-untyped-def]
    """Blank references are ignored; with none left the score is undefined."""
    docs = parse(["Rain falls in May."] * 4)
    scores = metric.score(docs, [["", " \n", "Rain falls in June."], [" "], [], ["Rain falls in June."]])
    assert scores[0] == scores[3] > 0
    assert np.isnan(scores[1:3]).all()


def test_references_of_the_wrong_shape_are_refused() -> None:
    """A missing row, and a text instead of a list, are errors."""
    docs = parse(["Rain falls.", "Snow falls."])
    with pytest.raises(ValueError, match="references for 1 texts, expected one list for each of"):
        METRICS["rouge-l"].score(docs, [["Rain."]])
    with pytest.raises(TypeError, match=r"found 'Rain\.'; use \[text\]"):
        METRICS["rouge-l"].score(docs, ["Rain.", "Snow."])


def of(text: str) -> Read:
    """Split a text at spaces."""
    return Read(text, tuple(text.split()))


def test_nist_by_hand() -> None:
    """ "a b" twice and "a c" once, six tokens in all.

    Of "a c": "a" has log2(6 / 3) = 1 bit, "c" log2(6 / 1), "a c" log2(3 / 1), as long as its
    reference.
    """
    rows = [[of("a b")], [of("a b")], [of("a c")]]
    wanted = (1 + math.log2(6)) / 2 + math.log2(3)
    assert nist(rows)(of("a c"), rows[2]) == pytest.approx(wanted)
    assert nist(rows)(of("c a"), rows[2]) == pytest.approx((1 + math.log2(6)) / 2)
    assert nist(rows)(of("x y"), rows[2]) == 0


def test_nist_is_that_of_nltk() -> None:
    """With one reference; with several nltk takes the best at each length."""
    nist_score = pytest.importorskip("nltk.translate.nist_score")
    reference = "it is a guide to action that ensures that the force will obey the commands"
    candidate = "it is a guide to action which ensures that the force obeys the commands of it all"
    wanted = nist_score.sentence_nist([reference.split()], candidate.split())
    assert nist([[of(reference)]])(of(candidate), [of(reference)]) == pytest.approx(wanted)


def test_cider_by_hand() -> None:
    """Two rows; "a" is in both and weighs nothing, the rest ln 2 each."""
    rows = [[of("a b")], [of("a c")]]
    measure = cider(rows)
    # 1-grams: only "b" weighs, 2-grams: "a b"; both the same, so cosine 1 for n of 1 and 2.
    assert measure(of("a b"), rows[0]) == pytest.approx(10 * 2 / 4)
    assert measure(of("a c"), rows[0]) == 0
    # "b b": "b" twice, clipped to once: 1 * 1 / (2 * 1).
    assert measure(of("b b"), rows[0]) == pytest.approx(10 * 0.5 / 4)
    # One token more costs e^(-1 / 72); "b" and "d" (in no row: ln 2) beside "b".
    wanted = (1 / math.sqrt(2) + 1 / math.sqrt(2)) / 4 * math.exp(-1 / 72)
    assert measure(of("a b d"), rows[0]) == pytest.approx(10 * wanted)


def test_one_row_has_no_rare_words() -> None:
    """In a single row every n-gram is in all rows."""
    assert math.isnan(cider([[of("a b")]])(of("a b"), [of("a b")]))
