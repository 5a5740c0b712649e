"""Choice of stock phrases."""

from __future__ import annotations

import pytest

from training.stock_phrases import choose


def test_the_shorter_phrase_stands_for_both() -> None:
    """A phrase 50 times as frequent as in human text is chosen, and not the longer one around it."""
    short, long, rare = ("a", "mix", "of"), ("with", "a", "mix", "of"), ("stark", "contrast")
    paragraphs = {short: set("abcde"), long: set("abcde"), rare: {"a"}}
    people = dict.fromkeys(paragraphs, 1.0)
    assert choose(paragraphs, 100_000, people) == {short: (5, pytest.approx(50.0))}
