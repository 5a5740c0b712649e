"""Damage typical of learners, on hand-tagged sentences."""

from __future__ import annotations

import random

import pytest

from tests.support.drafts import sentence
from training.detector.drafts import Draft, Sentence
from training.detector.mixture import Kind, Source
from training.mender.damage import MIXTURE, collocation, determiner, divided, draft_of, punctuation, small_word, tense

GARDEN = sentence(
    "yesterday/NN/obl/4 ,/,/punct/4 the/DT/det/3 gardener/NN/nsubj/4 watered/VBD/root/4 the/DT/det/7 "
    "old/JJ/amod/7 trees/NNS/obj/4 quickly/RB/advmod/4 because/IN/mark/11 it/PRP/nsubj/11 was/VBD/advcl/4 "
    "hot/JJ/xcomp/11 ././punct/4"
)
LETTER = sentence(
    "she/PRP/nsubj/2 often/RB/advmod/2 makes/VBZ/root/2 a/DT/det/4 mistake/NN/obj/2 in/IN/case/8 her/PRP$/nmod:poss/8 "
    "long/JJ/amod/8 letters/NNS/obl/2 to/IN/case/10 everyone/NN/nmod/8 ././punct/2"
)
QUESTION = sentence(
    "what/WP/obj/3 can/MD/aux/3 we/PRP/nsubj/3 do/VB/root/3 for/IN/case/6 the/DT/det/6 "
    "animals/NNS/obl/3 now/RB/advmod/3 ?/./punct/3"
)
WALK = sentence(
    "they/PRP/nsubj/1 enjoyed/VBD/root/1 walking/VBG/xcomp/1 and/CC/cc/5 were/VBD/aux/5 "
    "singing/VBG/conj/1 in/IN/case/8 the/DT/det/8 park/NN/obl/5 ././punct/1"
)
BASES = sentence(
    "water/VB/root/0 make/VB/root/0 enjoy/VB/root/0 walk/VB/root/0 sing/VB/root/0 tree/NN/root/0 quick/JJ/root/0 "
    "gardener/NN/root/0 letter/NN/root/0 animal/NN/root/0 park/NN/root/0 garden/NN/root/0 walks/VBZ/root/0"
)
ALL = (GARDEN, LETTER, QUESTION, WALK)
SOURCE = Source.of((*ALL, BASES) * 15)
SEEDS = range(60)


def texts(kind: Kind, original: Sentence) -> set[str]:
    """Return all results of a kind of damage on a sentence."""
    made = set()
    for seed in SEEDS:
        draft = Draft.of(original)
        if kind(draft, random.Random(seed), SOURCE):
            assert draft.kinds
            made.add(" ".join(word.text for word in draft.words))
        else:
            assert draft == Draft.of(original)
    return made


@pytest.mark.parametrize("kind", MIXTURE)
def test_every_kind_of_the_mixture_damages_something(kind: Kind) -> None:
    """A damaged draft differs from its sentence."""
    made = [texts(kind, original) for original in ALL]
    assert any(made)
    for original, variants in zip(ALL, made, strict=True):
        assert " ".join(word.text for word in original) not in variants


EXAMPLES: dict[tuple[Kind, str], Sentence] = {
    (tense, "yesterday , the gardener waters the old trees quickly because it was hot ."): GARDEN,
    (tense, "she often made a mistake in her long letters to everyone ."): LETTER,
    (determiner, "she often makes a mistake in his long letters to everyone ."): LETTER,
    (determiner, "what can we do for these animals now ?"): QUESTION,
    (collocation, "she often does a mistake in her long letters to everyone ."): LETTER,
    (collocation, "what can we make for the animals now ?"): QUESTION,
    (small_word, "she often makes a mistake her long letters to everyone ."): LETTER,
    (small_word, "what can do for the animals now ?"): QUESTION,
    (punctuation, "yesterday the gardener watered the old trees quickly because it was hot ."): GARDEN,
    (punctuation, "what can we do for the animals now"): QUESTION,
    (divided, "she often makes a mistake in her long letters to every one ."): LETTER,
}


@pytest.mark.parametrize(("kind", "text"), EXAMPLES)
def test_kinds_by_hand(kind: Kind, text: str) -> None:
    """A kind's results include a typical learner's error."""
    assert text in texts(kind, EXAMPLES[kind, text])


def test_drafts_have_up_to_three_damages() -> None:
    """A draft has up to three errors, a quarter of drafts have none, and a seed gives the same draft."""
    drafts = [draft_of(GARDEN, random.Random(seed), SOURCE) for seed in range(200)]
    counts = [len(draft.kinds) for draft in drafts]
    assert set(counts) == {0, 1, 2, 3}
    assert 30 < counts.count(0) < 75
    assert all((draft == Draft.of(GARDEN)) == (not draft.kinds) for draft in drafts)
    assert drafts[7] == draft_of(GARDEN, random.Random(7), SOURCE)
