"""Damage as generators make it."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from training.detector.drafts import Draft, Sentence, Word
from training.detector.kinds.machine import (
    KINDS,
    another,
    gap,
    generated,
    left_out,
    mixed_up,
    phrases,
    poisson,
    said_twice,
    stopped,
    stuttered,
)

Kind = Callable[[Draft, random.Random, Sentence], bool]
TAGS = {
    "the": "DT",
    "hotel": "NN",
    "is": "VBZ",
    "near": "IN",
    "old": "JJ",
    "harbour": "NN",
    "and": "CC",
    "has": "VBZ",
    "a": "DT",
    "pool": "NN",
    ".": ".",
    "she": "PRP",
    "ate": "VBD",
    "two": "CD",
    "ripe": "JJ",
    "plums": "NNS",
}


def sentence(text: str) -> Sentence:
    """With tags alone."""
    words = text.split()
    return tuple(Word(word, TAGS[word], "", i, i) for i, word in enumerate(words))


HOTEL = sentence("the hotel is near the old harbour and has a pool .")
PLUMS = sentence("she ate two ripe plums .")


def texts(draft: Draft) -> list[str]:
    """As they stand."""
    return [word.text for word in draft.words]


def test_phrases_go_up_to_their_noun() -> None:
    """From wherever they begin, with what stands before it."""
    noun_phrases = [" ".join(texts(Draft.of(HOTEL[a:b]))) for a, b in phrases(Draft.of(HOTEL))]
    assert noun_phrases == [
        "the hotel",
        "hotel",
        "near the old harbour",
        "the old harbour",
        "old harbour",
        "harbour",
        "a pool",
        "pool",
    ]


def test_a_phrase_is_said_twice() -> None:
    """Nothing is lost, and the new words are marked."""
    for seed in range(20):
        draft = Draft.of(HOTEL)
        assert said_twice(draft, random.Random(seed), PLUMS)
        new = [word.text for word in draft.words if word.kind == "repeated"]
        old = [word.text for word in draft.words if word.kind == "sound"]
        assert old == texts(Draft.of(HOTEL)) and new and draft.kinds == ["repeated"]
        assert set(new) <= set(old)


def test_a_phrase_is_left_out() -> None:
    """What asks for it stays; the word behind the gap is marked."""
    for seed in range(20):
        draft = Draft.of(HOTEL)
        assert left_out(draft, random.Random(seed), PLUMS)
        assert draft.words[0].text == "the" and len(draft.words) < len(HOTEL)
        assert [word.kind for word in draft.words].count("missing") == 1


def test_another_sentences_phrase_comes_in() -> None:
    """In the place of one or beside it."""
    sizes = set()
    for seed in range(40):
        draft = Draft.of(HOTEL)
        assert another(draft, random.Random(seed), PLUMS)
        new = [word.text for word in draft.words if word.kind == "wrong"]
        assert " ".join(new) in {"two", "two ripe plums", "ripe plums", "plums"}
        sizes.add(len(draft.words) > len(HOTEL))
    assert sizes == {True, False}


def test_a_sentence_stops() -> None:
    """Its last mark stays."""
    draft = Draft.of(HOTEL)
    assert stopped(draft, random.Random(1), PLUMS)
    assert 3 < len(draft.words) < len(HOTEL) and draft.words[-1].text == "."


def drafts(kind: Kind) -> list[Draft]:
    """What a kind of damage makes of a sentence, by sixty seeds; where it can."""
    pairs = [(Draft.of(HOTEL), random.Random(seed)) for seed in range(60)]
    changed = [draft for draft, rng in pairs if kind(draft, rng, PLUMS)]
    assert len(changed) > 20 and all(draft.words[-1].text == "." for draft in changed)
    return changed


def test_a_span_comes_again_at_once() -> None:
    """Every word of it is marked the second time."""
    for draft in drafts(stuttered):
        new = [i for i, word in enumerate(draft.words) if word.kind == "repeated"]
        n = len(new)
        assert new == list(range(new[0], new[0] + n)) and draft.kinds == ["repeated"]
        assert texts(draft)[new[0] - n : new[0]] == texts(draft)[new[0] : new[-1] + 1]
        assert texts(draft)[: new[0]] + texts(draft)[new[-1] + 1 :] == texts(Draft.of(HOTEL))


def test_a_gap_is_two_words_or_more() -> None:
    """The word behind it is marked."""
    for draft in drafts(gap):
        (at,) = [i for i, word in enumerate(draft.words) if word.kind == "missing"]
        rest = len(draft.words) - at
        assert len(draft.words) <= len(HOTEL) - 2 and draft.kinds == ["missing"]
        assert texts(draft) == [w.text for w in HOTEL[:at]] + [w.text for w in HOTEL[-rest:]]


def test_a_span_is_mixed_up() -> None:
    """The same words, in another order, those that moved marked."""
    for draft in drafts(mixed_up):
        assert sorted(texts(draft)) == sorted(texts(Draft.of(HOTEL))) and draft.kinds == ["order"]
        assert any(word.kind == "order" for word in draft.words)


def test_lengths_of_spans_are_poissons() -> None:
    """Mean and variance are the same."""
    rng = random.Random(0)
    drawn = [poisson(rng, 3.0) for _ in range(20_000)]
    mean = sum(drawn) / len(drawn)
    assert mean == pytest.approx(3.0, abs=0.05)
    assert sum((n - mean) ** 2 for n in drawn) / len(drawn) == pytest.approx(3.0, abs=0.15)


def test_a_mark_alone_is_left_alone() -> None:
    """And the damage says so."""
    draft = Draft.of(sentence("."))
    assert not any(generated(draft, random.Random(seed), PLUMS) for seed in range(20))
    assert not draft.kinds and texts(draft) == ["."]


def test_every_kind_can_damage_a_sentence() -> None:
    """By itself."""
    for kind in KINDS:
        assert any(kind(Draft.of(HOTEL), random.Random(seed), PLUMS) for seed in range(20)), kind
