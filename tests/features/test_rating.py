"""The rating that a detector's network predicts."""

from __future__ import annotations

import numpy as np
import pytest

from naturalness.features import EVERY
from naturalness.models.detector import RATED_PIECES, detector, rate, readings_of
from naturalness.text.parsing import parse, tokenise

SENTENCE = "The old men sat by the door and talked about the sea until it was dark."
GROUPS = ("rating", "rating_fast")


@pytest.mark.parametrize("name", GROUPS)
def test_damage_lowers_it(name: str) -> None:
    """And nothing is made up for a text without words."""
    texts = [SENTENCE, "The old men sat by door the and talked about about sea until it dark.", "", "12 !"]
    (good, bad, *rest) = EVERY[name].extract(parse(texts))[:, 0]
    assert good > bad + 0.5
    assert np.isnan(rest).all()


@pytest.mark.parametrize("name", GROUPS)
def test_a_text_is_rated_as_a_whole(name: str) -> None:
    """Sentences are read together where they fit, and what fits is read once."""
    both = f"{SENTENCE} Then they went home."
    (doc,) = tokenise([both])
    table = EVERY[name].extract([doc])
    judge = detector(EVERY[name].detector)  # type: ignore[attr-defined]
    assert [len(words) for words in readings_of(doc, judge)] == [22]
    alone = EVERY[name].extract(list(tokenise([SENTENCE, "Then they went home."])))
    assert table[0, 0] not in alone[:, 0]


def test_a_long_text_is_rated_in_parts() -> None:
    """By the mean of its parts, weighted by their words."""
    text = " ".join([SENTENCE] * 20)
    (doc,) = tokenise([text])
    rating = rate([doc])[0]
    parts = readings_of(doc, detector())
    assert len(parts) == 2  # several of the one, which repeats, and the rest
    assert all(sum(map(len, words)) <= RATED_PIECES - 2 for words in parts)
    assert min(part.rating for part in parts.values()) <= rating <= max(part.rating for part in parts.values())


def test_a_sentence_that_is_too_long_has_none() -> None:
    """It says why."""
    docs = list(tokenise(["word " * 2000]))
    assert np.isnan(EVERY["rating"].extract(docs)).all()
    assert "word pieces" in EVERY["rating"].gaps(docs)[0]  # type: ignore[attr-defined]
