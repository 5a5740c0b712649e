"""NIST and CIDEr-D, worked by hand and beside nltk's NIST."""

from __future__ import annotations

import math

import pytest

from naturalness.models.metrics import METRICS
from naturalness.models.metrics.references import Read
from naturalness.models.metrics.weighted import cider, nist
from naturalness.text.parsing import parse


def of(text: str) -> Read:
    """Read at spaces."""
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


def test_a_short_candidate_loses_half_at_two_thirds() -> None:
    """By the brevity penalty; a long one loses nothing but precision."""
    rows = [[of("a b c")], [of("d e f")]]
    measure = nist(rows)
    bits = math.log2(6) + 0.0  # each word once in six tokens, each pair as often as its first
    assert measure(of("a b"), rows[0]) == pytest.approx(bits / 2)
    assert measure(of("a b c"), rows[0]) == pytest.approx(bits)


def test_nist_is_that_of_nltk() -> None:
    """For a set of one reference: of several, nltk takes the best at each length, not all."""
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
    """All its n-grams are in all rows."""
    assert math.isnan(cider([[of("a b")]])(of("a b"), [of("a b")]))


@pytest.mark.parametrize("name", ["nist", "cider"])
def test_a_better_text_has_more(name: str) -> None:
    """Through the table, with a row that has no reference and an empty one."""
    references = [["The cat sat on the mat."], ["A dog ran home."], [], ["Birds sing."]]
    good, fair, none, empty = METRICS[name].score(
        parse(["The cat sat on the mat.", "A cat ran.", "Rain.", ""]), references
    )
    assert good > fair > 0
    assert math.isnan(none) and math.isnan(empty)
