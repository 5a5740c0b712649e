"""Damage typical of text generators."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest

from tests.support.drafts import sentence
from training.detector.drafts import Draft, Sentence
from training.detector.kinds.machine import another, gap, left_out, mixed_up, phrases, said_twice, stopped, stuttered

Kind = Callable[[Draft, random.Random, Sentence], bool]
HOTEL = sentence(
    "the/DT/x/0 hotel/NN/x/0 is/VBZ/x/0 near/IN/x/0 the/DT/x/0 old/JJ/x/0 harbour/NN/x/0 and/CC/x/0 has/VBZ/x/0 "
    "a/DT/x/0 pool/NN/x/0 ././x/0"
)
PLUMS = sentence("she/PRP/x/0 ate/VBD/x/0 two/CD/x/0 ripe/JJ/x/0 plums/NNS/x/0 ././x/0")
WORDS = [word.text for word in HOTEL]


def texts(draft: Draft) -> list[str]:
    """Return the words of a draft."""
    return [word.text for word in draft.words]


def test_a_phrase_ends_with_its_noun() -> None:
    """A phrase may start at any word before its noun, or at a preposition."""
    assert [" ".join(WORDS[a:b]) for a, b in phrases(Draft.of(HOTEL))] == [
        "the hotel",
        "hotel",
        "near the old harbour",
        "the old harbour",
        "old harbour",
        "harbour",
        "a pool",
        "pool",
    ]


@pytest.mark.parametrize(
    ("kind", "marks"),
    [
        (said_twice, "repeated"),
        (stuttered, "repeated"),
        (left_out, "missing"),
        (gap, "missing"),
        (mixed_up, "order"),
        (another, "wrong"),
        (stopped, ""),
    ],
)
def test_kinds(kind: Kind, marks: str) -> None:
    """Each kind marks the words that it inserts or moves, or the word after a gap, and keeps the final mark."""
    n_changed = 0
    for seed in range(40):
        draft = Draft.of(HOTEL)
        if not kind(draft, random.Random(seed), PLUMS):
            assert draft == Draft.of(HOTEL)
            continue
        n_changed += 1
        new = [word.text for word in draft.words if word.kind == marks]
        rest = [word.text for word in draft.words if word.kind != marks]
        assert draft.words[-1].text == "." and texts(draft) != WORDS
        assert new or not marks
        if marks == "repeated":
            assert rest == WORDS and set(new) <= set(WORDS)
        elif marks == "order":
            assert Counter(texts(draft)) == Counter(WORDS)
        elif marks == "wrong":
            assert " ".join(new) in {"two", "two ripe plums", "ripe plums", "plums"}
        else:
            assert len(new) == bool(marks) and len(draft.words) <= len(WORDS) - 1 - (kind is gap)
            assert not Counter(texts(draft)) - Counter(WORDS)
    assert n_changed > 15
