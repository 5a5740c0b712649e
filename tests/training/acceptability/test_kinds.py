"""Damage as generators make it."""

from __future__ import annotations

import random

import pytest

from training.acceptability.kinds import KINDS, another, generated, left_out, phrases, said_twice, stopped
from training.detector.drafts import Draft, Sentence, Word

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
    found = [" ".join(texts(Draft.of(HOTEL[a:b]))) for a, b in phrases(Draft.of(HOTEL))]
    assert found == [
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


@pytest.mark.parametrize("words", ["she .", "."])
def test_what_has_no_phrase_is_left_alone(words: str) -> None:
    """And says so."""
    draft = Draft.of(sentence(words))
    assert not generated(draft, random.Random(0), PLUMS)
    assert not draft.kinds and texts(draft) == words.split()
    assert len(KINDS) == 4
