"""Habits of prose, counted by hand."""

from __future__ import annotations

import math

import pytest

from naturalness.features import ALL, DEFAULT, LIGHT, resolve
from naturalness.features.prose import PROSE, measure
from naturalness.text.parsing import parse

TUNE = (
    "The door was open. She walked home, humming a tune. She felt a sense of relief, as if the city had forgotten her."
)
HOME = "It is not only a house, but a home; it was never sold. However, perhaps we don't care!"
FRIENDS = "Walking fast, Anna met two archaeologists — old friends."
DECISION = "The government made a decision. The decision helped the government."
THANKS = "She bought bread, milk and tea. “Thanks,” he said."
CHILL = "A chill hung in the air of the dimly lit room."
WORDS = 4 + 6 + 13
"""Of the first text."""
EXPECTED: dict[str, dict[str, float]] = {
    TUNE: {
        "length_variation": math.sqrt(((4 - WORDS / 3) ** 2 + (6 - WORDS / 3) ** 2 + (13 - WORDS / 3) ** 2) / 3)
        / (WORDS / 3),
        "length_change": (2 + 7) / 2 / (WORDS / 3),
        "opening_variety": 2 / 3,
        "same_opening": 1 / 2,
        "pronoun_openings": 2 / 3,
        "participial_closers": 1 / 3,
        "participial_openers": 0,
        "similes": 1 / 3,
        "vague_of": 100 / WORDS,
        "adjectives": 100 / WORDS,
        "commas": 200 / WORDS,
        "past": 1,
        "restated": 0,
        "rare_nouns": 0,
        "stock_phrases": 100 / WORDS,
    },
    HOME: {
        "not_but": 1 / 2,
        "coordinated": 1 / 2,
        "colons": 100 / 19,
        "questions": 1 / 2,
        "hedges": 100 / 19,
        "boosters": 100 / 19,
        "markers": 100 / 19,
        "contractions": 100 / 19,
        "adverbs_ly": 100 / 19,
    },
    FRIENDS: {
        "participial_openers": 1,
        "dashes": 100 / 8,
        "names": 100 / 8,
        "numbers": 100 / 8,
        "before_nouns": 1 / 2,
        "length_variation": math.nan,
        "opening_variety": math.nan,
    },
    DECISION: {
        "nominalisations": 200 / 10 * 2,
        "abstract_subjects": 1,
        "restated": 2 / 3,
        "formality": 6 / 10,
        "opening_variety": 1 / 2,
        "same_opening": 1,
    },
    CHILL: {"stock_phrases": 200 / 11, "pronoun_openings": 0},
    THANKS: {"threes": 1 / 2, "coordinated": 2 / 2, "quoted": 200 / 9},
    "?": {"formality": math.nan, "commas": math.nan, "past": math.nan},
}
VALUES = {"prose": {name: value for row in EXPECTED.values() for name, value in row.items() if value == value}}


@pytest.mark.parametrize("text", EXPECTED)
def test_by_hand(text: str) -> None:
    """Values are counts per word, sentence, noun or subject."""
    (doc,) = parse([text])
    values = dict(zip((feature.name for feature in PROSE.features), PROSE.extract([doc])[0], strict=True))
    expected = EXPECTED[text]
    assert {name: values[name] for name in expected} == pytest.approx(expected, nan_ok=True)


def test_a_comma_before_a_verb_is_no_closing_participle() -> None:
    """A form in -ing far from the last comma is none either."""
    texts = ["After lunch, running is hard.", "Well, the old man who lives there was singing."]
    closers = [measure(doc)[5] for doc in parse(texts)]
    assert closers == [0.0, 0.0]


def test_sentences_are_judged_without_it() -> None:
    """The group belongs to `all`, and to no set for sentences."""
    assert "prose" in [group.name for group in resolve([ALL])]
    assert "prose" not in LIGHT and "prose" not in DEFAULT
