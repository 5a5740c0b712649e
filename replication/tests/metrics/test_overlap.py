"""N-gram overlap, ROUGE-W, NIST and CIDEr-D, by hand and against other implementations."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.translate.nist_score import sentence_nist
from rouge_score.rouge_scorer import RougeScorer

from naturalness.metrics.references import Read
from naturalness.metrics.rouge import ROUGE_L, rouge_l
from naturalness.text.parsing import parse, tokenise
from naturalness_replication.metrics import METRICS
from naturalness_replication.metrics.overlap import cider, nist, overlap_f, overlap_recall, rouge_w

TEXTS = st.lists(st.sampled_from(["rain", "falls", "on", "the", "roof"]), min_size=1, max_size=12).map(" ".join)
LETTERS = st.text("abc", min_size=1, max_size=90)


@settings(max_examples=60, deadline=None)
@given(candidate=TEXTS, references=st.lists(TEXTS, min_size=1, max_size=4))
def test_rouge_l_agrees_with_rouge_score(candidate: str, references: list[str]) -> None:
    """ROUGE-L takes the best reference, and its single variant the first."""
    scorer = RougeScorer(["rougeL"])
    docs = list(tokenise([candidate]))
    best = scorer.score_multi(references, candidate)["rougeL"].fmeasure
    first = scorer.score(references[0], candidate)["rougeL"].fmeasure
    assert ROUGE_L.score(docs, [references])[0] == pytest.approx(best)
    assert METRICS["rouge-l-single"].score(docs, [references])[0] == pytest.approx(first)


def test_rouge_w_by_the_example_of_the_paper() -> None:
    """Lin's example, f(k) = k ** 2: of two texts that share four letters, the one with consecutive letters wins."""
    assert rouge_w("ABCDHIK", "ABCDEFG", 2) == pytest.approx(0.571, abs=5e-4)
    assert rouge_w("AHBKCID", "ABCDEFG", 2) == pytest.approx(0.286, abs=5e-4)


@given(one=LETTERS, other=LETTERS)
def test_rouge_w_is_at_most_rouge_l(one: str, other: str) -> None:
    """ROUGE-W with power 1 is ROUGE-L; with a higher power, it is no higher."""
    assert rouge_w(one, other, 1) == pytest.approx(rouge_l(one, other))
    assert 0 <= rouge_w(one, other) <= rouge_l(one, other) + 1e-9


def test_n_gram_overlap_by_hand() -> None:
    """An n-gram counts as often in the union as in the reference that has it most often.

    Bigrams of the union of "abc" and "abab": ab twice, bc, ba; of "abcabd": ab twice, bc, ca, bd; shared: ab twice, bc.
    Trigrams: abc, bca, cab, abd against abc, aba, bab; shared: abc.
    """
    candidate, references = "abcabd", ["abc", "abab"]
    assert overlap_recall(candidate, references, 2) == pytest.approx(3 / 4)
    assert overlap_f(candidate, references, 2) == pytest.approx(2 * 3 / (5 + 4))
    assert overlap_recall(candidate, references, 3) == pytest.approx(1 / 3)
    assert overlap_f(candidate, references, 3) == pytest.approx(2 * 1 / (4 + 3))


def test_metrics_on_texts() -> None:
    """Case and spacing are ignored; punctuation counts.

    Tokens: rain falls . (3) against snow falls . (3) and rain falls again . (4). Bigrams rain-falls, falls-. against
    snow-falls, falls-., rain-falls, falls-again, again-.; no common trigram. Runs of 2 and 1 with the second reference.
    """
    references = [["Snow falls .", "RAIN falls again."]]
    expected = {
        "rouge-l-single": 4 / 6,
        "lr2-r": 2 / 5,
        "lr2-f": 4 / 7,
        "lr3-r": 0,
        "lr3-f": 0,
        "rouge-w": 2 * (2**1.2 + 1) ** (1 / 1.2) / 7,
    }
    docs = parse(["Rain  falls."])
    assert {name: METRICS[name].score(docs, references)[0] for name in expected} == pytest.approx(expected)


def of(text: str) -> Read:
    """Split a text at spaces."""
    return Read(text, tuple(text.split()))


def test_nist_by_hand() -> None:
    """The references have "a b" twice and "a c" once, six tokens in all.

    Of "a c", "a" has log2(6 / 3) = 1 bit, "c" log2(6 / 1), "a c" log2(3 / 1); it is as long as its reference.
    """
    rows = [[of("a b")], [of("a b")], [of("a c")]]
    wanted = (1 + math.log2(6)) / 2 + math.log2(3)
    assert nist(rows)(of("a c"), rows[2]) == pytest.approx(wanted)
    assert nist(rows)(of("c a"), rows[2]) == pytest.approx((1 + math.log2(6)) / 2)
    assert nist(rows)(of("x y"), rows[2]) == 0
    docs = parse(["a c"] * 3)
    assert METRICS["nist"].score(docs, [["a b"], ["a b"], ["a c"]])[2] == pytest.approx(wanted)


def test_nist_agrees_with_nltk() -> None:
    """With one reference, NIST equals nltk's; with several, nltk takes the best reference at each length."""
    reference = "it is a guide to action that ensures that the force will obey the commands"
    candidate = "it is a guide to action which ensures that the force obeys the commands of it all"
    wanted = sentence_nist([reference.split()], candidate.split())
    assert nist([[of(reference)]])(of(candidate), [of(reference)]) == pytest.approx(wanted)


def test_cider_by_hand() -> None:
    """An n-gram that occurs in all rows weighs nothing; in two rows, any other weighs ln 2."""
    rows = [[of("a b")], [of("a c")]]
    measure = cider(rows)
    # Only the 1-gram "b" and the 2-gram "a b" weigh; both are equal, so the cosine is 1 for n of 1 and 2.
    assert measure(of("a b"), rows[0]) == pytest.approx(10 * 2 / 4)
    assert measure(of("a c"), rows[0]) == 0
    # "b b": "b" twice, clipped to once: 1 * 1 / (2 * 1).
    assert measure(of("b b"), rows[0]) == pytest.approx(10 * 0.5 / 4)
    # One more token costs e^(-1 / 72); "d", which is in no row, weighs ln 2.
    wanted = (1 / math.sqrt(2) + 1 / math.sqrt(2)) / 4 * math.exp(-1 / 72)
    assert measure(of("a b d"), rows[0]) == pytest.approx(10 * wanted)
    assert math.isnan(cider([[of("a b")]])(of("a b"), [of("a b")]))
