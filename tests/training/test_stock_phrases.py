"""Stock phrases by hand: what is counted, how often people write it, and which phrases are chosen."""

from __future__ import annotations

import pytest

from training.stock_phrases import choose, is_turn, phrases, tokens_of


def test_phrases_stay_between_marks() -> None:
    """Of two to five words; contractions are parted as the pipeline parts them."""
    tokens = tokens_of("She couldn’t, a mix of.")
    assert tokens == ["she", "could", "n't", ",", "a", "mix", "of", "."]
    assert list(phrases(tokens)) == [
        ("she", "could"),
        ("she", "could", "n't"),
        ("could", "n't"),
        ("a", "mix"),
        ("a", "mix", "of"),
        ("mix", "of"),
    ]


def test_what_can_be_a_turn() -> None:
    """Two words need content both; no article at the end, no pair that names a thing."""
    function_words = {"a", "of", "the", "in"}
    assert is_turn(("stark", "contrast"), function_words, ())
    assert is_turn(("a", "mix", "of"), function_words, ())
    assert not is_turn(("a", "mix"), function_words, ())
    assert not is_turn(("shake", "the"), function_words, ())
    assert not is_turn(("bell", "peppers"), function_words, {("bell", "peppers")})


def test_the_shorter_phrase_stands_for_both() -> None:
    """50 per million beside 1 are enough, in five paragraphs."""
    short, long, rare = ("a", "mix", "of"), ("with", "a", "mix", "of"), ("stark", "contrast")
    paragraphs = {short: set("abcde"), long: set("abcde"), rare: {"a"}}
    people = dict.fromkeys(paragraphs, 1.0)
    assert choose(paragraphs, 100_000, people) == {short: (5, pytest.approx(50.0))}
