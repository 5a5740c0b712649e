"""Every kind of damage on hand-tagged sentences."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from naturalness.models.detector import KINDS
from tests.support.drafts import sentence
from training.detector.drafts import Draft, Sentence
from training.detector.kinds import grammar, order, small_words
from training.detector.mixture import GRAMMAR, SEVERITY, WORDING, Source, damage, soundness

SEEDS = range(60)


STUDENT = sentence(
    "the/DT/det/1 student/NN/nsubj/7 who/WP/nsubj/3 sees/VBZ/acl:relcl/1 many/JJ/amod/5 "
    "cats/NNS/obj/3 often/RB/advmod/7 goes/VBZ/root/7 to/IN/case/10 the/DT/det/10 "
    "park/NN/obl/7 ././punct/7"
)
QUESTION = sentence("what/WP/obj/3 can/MD/aux/3 we/PRP/nsubj/3 do/VB/root/3 now/RB/advmod/3 ?/./punct/3")
PAST = sentence(
    "he/PRP/nsubj/3 did/VBD/aux/3 n't/RB/advmod/3 want/VB/root/3 to/TO/mark/5 see/VB/xcomp/3 "
    "his/PRP$/nmod:poss/8 old/JJ/amod/8 friends/NNS/obj/5 in/IN/case/11 the/DT/det/11 "
    "city/NN/obl/5 ././punct/3"
)
FUN = sentence(
    "they/PRP/nsubj/1 enjoyed/VBD/root/1 swimming/VBG/xcomp/1 quickly/RB/advmod/2 and/CC/cc/5 "
    "were/VBD/conj/1 walking/VBG/xcomp/5 ././punct/1"
)
BASES = sentence(
    "go/VB/root/0 see/VB/root/0 enjoy/VB/root/0 swim/VB/root/0 walk/VB/root/0 want/VB/root/0 "
    "cat/NN/root/0 friend/NN/root/0"
)
ALL = (STUDENT, QUESTION, PAST, FUN)
SOURCE = Source.of((*ALL, BASES) * 15)
TWO = (*GRAMMAR, *WORDING)


def apply(function: Callable[..., bool], draft: Draft, seed: int) -> bool:
    """Apply one kind of damage to a draft."""
    rng = random.Random(seed)
    if function in GRAMMAR:
        return function(draft, rng, SOURCE.forms)
    return function(draft, rng, SOURCE.near, SOURCE.forms)


def texts(function: Callable[..., bool], original: Sentence) -> set[str]:
    """Return all results of a kind of damage on a sentence."""
    variants = set()
    for seed in SEEDS:
        draft = Draft.of(original)
        if apply(function, draft, seed):
            variants.add(" ".join(word.text for word in draft.words))
    return variants


@pytest.mark.parametrize("function", TWO, ids=lambda f: f.__name__)
@pytest.mark.parametrize("original", ALL, ids=["student", "question", "past", "fun"])
def test_invariants_of_every_kind(function: Callable[..., bool], original: Sentence) -> None:
    """A kind returns whether it changed the text, and marks the changed words."""
    before = " ".join(word.text for word in original)
    for seed in SEEDS:
        draft = Draft.of(original)
        done = apply(function, draft, seed)
        after = " ".join(word.text for word in draft.words)
        marked = [word.kind for word in draft.words if word.kind != "sound"]
        assert done == (after != before) == bool(draft.kinds)
        assert all(word.text for word in draft.words)
        assert bool(marked) == done and set(marked) <= set(KINDS)
        assert set(draft.kinds) <= set(SEVERITY)
    assert " ".join(word.text for word in original) == before


@pytest.mark.parametrize(
    ("function", "original", "part"),
    [
        # Of the clause and of the relative clause.
        (grammar.agreement, STUDENT, "often go to"),
        (grammar.agreement, STUDENT, "who see many"),
        (grammar.learner_verb, PAST, "n't wanted"),
        (grammar.learner_verb, PAST, "want see"),
        (grammar.learner_verb, FUN, "enjoyed to swim"),
        (grammar.learner_verb, FUN, "they were enjoy"),
        (order.question, QUESTION, "what we can do now ?"),
        # *The parks* would be as good as *the park*.
        (grammar.noun, STUDENT, "many cat "),
        (small_words.article, STUDENT, "goes to park"),
    ],
)
def test_kinds_by_hand(function: Callable[..., bool], original: Sentence, part: str) -> None:
    """A kind's results include a typical learner's error."""
    variants = texts(function, original)
    assert any(part in text for text in variants)
    assert not any("parks" in text for text in variants)


def test_damage_accumulates() -> None:
    """The number of errors is as requested, the same seed gives the same draft, and each error lowers soundness."""
    for n in (1, 2, 4):
        draft = damage(Draft.of(PAST), n, random.Random(n), SOURCE)
        again = damage(Draft.of(PAST), n, random.Random(n), SOURCE)
        assert [w.text for w in draft.words] == [w.text for w in again.words]
        assert len(draft.kinds) >= n
    draft, left = Draft.of(PAST), []
    for _ in range(4):
        left.append(soundness(draft))
        damage(draft, 1, random.Random(5), SOURCE)
    assert left[0] == 1 and left == sorted(left, reverse=True) and left[-1] > 0
