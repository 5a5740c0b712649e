"""Stock phrases: which of several is matched, and what the shipped list is like."""

from __future__ import annotations

from naturalness.english.stock_phrases import stock_phrases, stock_phrases_of


def test_the_longest_phrase_is_matched_and_none_overlaps() -> None:
    """The longest phrase matches, and one that begins inside another is not counted."""
    listed = stock_phrases_of({("a", "mix"): 20.0, ("a", "mix", "of"): 30.0, ("of", "joy"): 25.0})
    words = ["it", "was", "a", "mix", "of", "joy", "and", "a", "mix", "of", "joy"]
    assert list(listed.matches(words)) == [(2, 5), (7, 10)]
    assert list(listed.matches(["a", "mix", "a", "mix", "of"])) == [(0, 2), (2, 5)]
    assert list(listed.matches(words, 3, 7)) == [(4, 6)]


def test_the_shipped_list() -> None:
    """Shipped phrases have two to five lower-case words, and none contains another."""
    phrases = stock_phrases().times
    assert len(phrases) > 200
    assert min(phrases.values()) >= 20
    for phrase in phrases:
        assert 2 <= len(phrase) <= 5
        assert all(word == word.lower() for word in phrase)
        shorter = {phrase[i:j] for i in range(len(phrase)) for j in range(i + 2, len(phrase) + 1)} - {phrase}
        assert shorter.isdisjoint(phrases)
    assert ("hung", "in", "the", "air") in phrases
