"""Edits in the text as it was typed: offsets, spaces, capitals, *a* and *an*."""

from __future__ import annotations

import pytest

from naturalness.explaining.rewriting import Kind, Rewritten, Text, joined
from naturalness.text.parsing import parse


def rewritten(text: str, kind: Kind, start: int, end: int, *words: str) -> Rewritten:
    """Replace tokens of a text by words."""
    original = Text(parse([text])[0])
    within = (0, len(original.seen.texts)) if start == len(original.seen.texts) else None
    candidate = original.changed(kind, start, end, words, within)
    assert candidate is not None
    return original.rewrite(candidate)


HAND: dict[tuple[str, Kind, int, int, tuple[str, ...]], tuple[str, str, str]] = {
    # Odd spaces and tokenised text keep theirs.
    ("  He  go home .\n", "inflect", 1, 2, ("goes",)): ("go", "goes", "  He  goes home .\n"),
    ("He went to  to town .", "drop", 3, 4, ()): ("  to", "", "He went to town ."),
    ("He looked at of .", "drop", 3, 4, ()): (" of", "", "He looked at ."),
    ("He\tlooked\tit.", "insert", 2, 2, ("at",)): ("", "at ", "He\tlooked\tat it."),
    ("What is it made ?", "insert", 4, 4, ("of",)): ("", " of", "What is it made of ?"),
    ("I do n't want of go .", "replace", 4, 5, ("to",)): ("of", "to", "I do n't want to go ."),
    # Curly quotes and brackets.
    ("“Cat sleeps,” she said.", "insert", 1, 1, ("the",)): ("Cat", "The cat", "“The cat sleeps,” she said."),
    ("They left (of early).", "drop", 3, 4, ()): ("of ", "", "They left (early)."),
    ("of , he left .", "drop", 0, 1, ()): ("of ", "", ", he left ."),
    # Contractions.
    ("It are late.", "replace", 1, 2, ("'s",)): (" are", "'s", "It's late."),
    ("I's late.", "replace", 1, 2, ("am",)): ("'s", " am", "I am late."),
    # The capital of a sentence's start.
    ("The a dog barked.", "drop", 0, 1, ()): ("The a", "A", "A dog barked."),
    ("Of Paris is old.", "drop", 0, 1, ()): ("Of ", "", "Paris is old."),
    ("American guests came.", "insert", 0, 0, ("the",)): ("", "The ", "The American guests came."),
    ("Guests came.", "insert", 0, 0, ("the",)): ("Guests", "The guests", "The guests came."),
    ("I am here.", "insert", 0, 0, ("that",)): ("", "That ", "That I am here."),
    ("HE GO HOME.", "inflect", 1, 2, ("goes",)): ("GO", "GOES", "HE GOES HOME."),
    ("he go home", "inflect", 1, 2, ("goes",)): ("go", "goes", "he goes home"),
    ("12 guests came.", "insert", 0, 0, ("the",)): ("", "The ", "The 12 guests came."),
    # *a* and *an*.
    ("She ate apple.", "insert", 2, 2, ("a",)): ("", "an ", "She ate an apple."),
    ("She ate the apple.", "replace", 2, 3, ("a",)): ("the", "an", "She ate an apple."),
    ("She ate a of apple.", "drop", 3, 4, ()): ("a of", "an", "She ate an apple."),
    ("Owl flew off.", "insert", 0, 0, ("a",)): ("Owl", "An owl", "An owl flew off."),
    # Of several sentences one is changed.
    ("He left.\n\nThe of dog barked.", "drop", 4, 5, ()): ("of ", "", "He left.\n\nThe dog barked."),
    ("He left of\n\nThe dog barked.", "drop", 2, 3, ()): (" of", "", "He left\n\nThe dog barked."),
    ("He left. Dog barked.", "insert", 3, 3, ("the",)): ("Dog", "The dog", "He left. The dog barked."),
}


@pytest.mark.parametrize("case", HAND, ids=lambda case: f"{case[0].strip()!r}")
def test_by_hand(case: tuple[str, Kind, int, int, tuple[str, ...]]) -> None:
    """The replaced text, its replacement, and the whole text."""
    text, kind, start, end, words = case
    result = rewritten(text, kind, start, end, *words)
    assert (result.before, result.after, result.text) == HAND[case]
    assert text[: result.start] + result.after + text[result.end :] == result.text


@pytest.mark.parametrize(
    ("text", "start", "order", "expected"),
    [
        ("They  the\tsold boat .", 1, (2, 1), "They  sold\tthe boat ."),
        ("Late the train came.", 0, (1, 2, 0), "The train late came."),
        ("Paris old is.", 1, (2, 1), "Paris is old."),
        ("An is apple red.", 0, (0, 2, 1), "An apple is red."),
        ("A is apple red.", 1, (2, 1), "An apple is red."),
    ],
)
def test_words_move_with_the_spaces_left_where_they_were(
    text: str, start: int, order: tuple[int, ...], expected: str
) -> None:
    """Spaces stay in place, and the new first word gets the capital."""
    original = Text(parse([text])[0])
    candidate = original.reordered(start, order)
    assert candidate is not None and original.rewrite(candidate).text == expected


def test_nothing_changed_is_no_candidate() -> None:
    """Neither is an edit that leaves no word or crosses a sentence boundary."""
    original = Text(parse(["He left. She stayed."])[0])
    assert original.changed("replace", 0, 1, ("He",)) is None
    assert original.changed("drop", 1, 4, ()) is None
    assert original.reordered(0, (0, 1)) is None
    alone = Text(parse(["No"])[0])
    assert alone.changed("drop", 0, 1, ()) is None


def test_joined_as_people_type() -> None:
    """Parts of contractions and closing marks follow without a space."""
    assert joined(("do", "n't", "go")) == "don't go"
    assert joined(("(", "it", "'s", ")", ",", "so")) == "(it's), so"
