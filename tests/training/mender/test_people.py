"""The edit tags of sentences that people edited."""

from __future__ import annotations

import pytest

from naturalness.text.parsing import parse
from naturalness.text.view import view
from training.mender.answers import Answer
from training.mender.people import UNKNOWN, answers

KEEP: Answer = ("keep",)


def given(text: str, target: str) -> dict[str, Answer]:
    """Return the tags other than to keep a word, keyed by word; "" is the end."""
    doc, other = parse([text, target])
    words = [*view(doc).lower, ""]
    return {word: answer for word, answer in zip(words, answers(view(doc), view(other)), strict=True) if answer != KEEP}


@pytest.mark.parametrize(
    ("text", "target", "expected"),
    [
        ("She sings well.", "She sings well.", {}),
        ("I am in the mood of a film.", "I am in the mood for a film.", {"of": ("replace for",)}),
        (
            "I love watch films.",
            "I love watching films.",
            {"watch": ("inflect VBG", "suffix >ing", "replace watching")},
        ),
        ("We went to the home.", "We went home.", {"to": ("delete",), "the": ("delete",)}),
        ("I am engineer.", "I am an engineer.", {"engineer": ("insert an",)}),
        ("We met some one there.", "We met someone there.", {"some": ("join",)}),
        ("I like also tea.", "I also like tea.", {"like": ("swap",)}),
        ("It was beautifull.", "It was beautiful.", {"beautifull": ("spelling",)}),
        ("He took a receipt.", "He took down what we cook.", {"a": UNKNOWN, "receipt": UNKNOWN}),
        ("I agree", "I agree.", {"": ("insert .",)}),
        # The detector reads lower case, so a capital is no edit.
        ("i agree.", "I agree.", {}),
    ],
)
def test_answers_by_hand(text: str, target: str, expected: dict[str, Answer]) -> None:
    """Each changed word has the tags that correct it, or is unknown if there are none."""
    assert given(text, target) == expected
