"""The cause that is named."""

from __future__ import annotations

import numpy as np
import pytest

from naturalness.models.detector import KINDS, Detected
from naturalness.models.detector.reading import Part
from naturalness.pipelines.explaining.explanation import Contribution, Finding
from naturalness.pipelines.explaining.naming import evidence, name_cause

MATCH = Finding(0, 4, "goed", "verb", "verbs", "a message", "rules", 0.9)
LOWERING = (
    Contribution("length", "length and readability", 0.3, ()),
    Contribution("order", "word order", -0.2, ()),
    Contribution("wording", "choice of words", -0.01, ()),
)


def seen(*words: dict[str, float]) -> Detected:
    """What a detector says of words: probabilities of kinds, the rest sound."""
    logs = np.full((len(words), len(KINDS)), np.log(1e-9))
    for row, word in zip(logs, words, strict=True):
        for kind, value in word.items():
            row[KINDS.index(kind)] = np.log(value)
        row[0] = np.log(max(1 - sum(word.values()), 1e-9))
    return Detected((Part(0, len(words), 0.0),), tuple(range(len(words))), logs)


def test_one_sure_word_says_more_than_many_faint_ones() -> None:
    """.8² is more than 6 times .3²; kinds of one cause add up, joins count more."""
    found = evidence(seen({"verb": 0.8}, *[{"order": 0.3}] * 6), [])
    assert found["verbs"] == pytest.approx(0.64)
    assert found["order"] == pytest.approx(0.54)
    both = evidence(seen({"article": 0.5, "preposition": 0.5}, {"extra": 0.5}, {"join": 0.5}), [])
    assert both["small_words"] == pytest.approx(0.5)
    assert (both["extra"], both["structure"]) == (pytest.approx(0.5), pytest.approx(0.75))


def test_matches_are_witnesses() -> None:
    """A sure one is worth more than a word seen at .7, a hint less than one at .5."""
    words = seen({"order": 0.7})
    assert name_cause(words, [MATCH], ()) == "verbs"
    hint = Finding(0, 4, "goed", "verb", "verbs", "a message", "rules", 0.25)
    assert name_cause(seen({"order": 0.5}), [hint], ()) == "order"
    other = Finding(0, 4, "goed", "unlikely", "wording", "a message", "likelihood", 0.3)
    assert name_cause(words, [other], ()) == "order"


def test_where_nothing_is_seen() -> None:
    """The cause that lowers the score most, if any does."""
    assert name_cause(seen({"verb": 0.02}), [], LOWERING) == "order"
    assert name_cause(seen({}), [], LOWERING[::2]) == ""
    assert name_cause(Detected((), (), np.empty((0, 2))), [], ()) == ""
