"""Stock phrases by hand: what is counted, how often people write it, and which phrases are chosen."""

from __future__ import annotations

import pytest

from training.stock_phrases import choose


def test_the_shorter_phrase_stands_for_both() -> None:
    """50 per million beside 1 are enough, in five paragraphs."""
    short, long, rare = ("a", "mix", "of"), ("with", "a", "mix", "of"), ("stark", "contrast")
    paragraphs = {short: set("abcde"), long: set("abcde"), rare: {"a"}}
    people = dict.fromkeys(paragraphs, 1.0)
    assert choose(paragraphs, 100_000, people) == {short: (5, pytest.approx(50.0))}
