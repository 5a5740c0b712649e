"""Registers guessed from how a text is written."""

from __future__ import annotations

import pytest

from naturalness.english.registers import GUESSED, Spoken, register_of, tokens_of


@pytest.mark.parametrize(
    ("text", "register"),
    [
        ("The committee published its report on Tuesday.", "plain"),
        ("the committee published its report on tuesday", "lower-case"),
        ("the committee published its report.", "lower-case"),
        ("Storm Closes Three Airports in the North", "titles"),
        ("Storm closes three airports in the north", "notes"),
        ("Back at five, call me", "notes"),
        ("Yeah, I mean, it's kind of what we're gonna do, okay?", "speech"),
        ("Yes, please", "plain"),
        ("Call me", "plain"),
        ("", "plain"),
        ("«…»", "plain"),
        ("“Nobody asked me,” she said.", "plain"),
    ],
)
def test_guesses(text: str, register: str) -> None:
    """Capitals, the final mark and spoken words decide; a short text is plain."""
    assert register_of(text) == register
    assert register in GUESSED


def test_words_once_each_and_apostrophes_alike() -> None:
    """A word counts once, with either apostrophe: sigmoid(1 - 2) for one word of weight -2."""
    model = Spoken(1.0, {"hence": -2.0, "it's": 5.0})
    assert model.probability("Hence, hence.") == pytest.approx(0.268941, abs=1e-6)
    assert tokens_of("It’s – well…") == ["it's", "well", "…"]
    assert model.probability("It’s") == model.probability("it's it's")
