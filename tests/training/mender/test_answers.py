"""The edit tags that restore a damaged draft."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.explaining.tags import KEEP, SPELL, effect
from tests.support.drafts import sentence
from training.detector.drafts import Draft
from training.mender.answers import Answer, answers

WRITTEN = sentence(
    "the/DT/det/1 students/NNS/nsubj/2 walked/VBD/root/2 slowly/RB/advmod/2 into/IN/case/6 "
    "the/DT/det/6 garden/NN/obl/2 ././punct/2"
)
N = len(WRITTEN)


def marked(draft: Draft) -> dict[int, Answer]:
    """Return the tags of a draft other than to keep the word, keyed by position."""
    given = answers(draft, WRITTEN)
    assert len(given) == len(draft.words) + 1
    return {i: answer for i, answer in enumerate(given) if answer != (KEEP,)}


@pytest.mark.parametrize(
    ("at", "text", "expected"),
    [
        (1, "student", ("inflect NNS", "suffix >s", "replace students")),
        # The part of speech of the original word decides between equal forms.
        (2, "walk", ("inflect VBD", "suffix >ed", "replace walked")),
        (3, "slow", ("suffix >ly", "replace slowly")),
        (4, "in", ("replace into",)),
        (5, "a", ("replace the",)),
        (6, "gardeen", (SPELL,)),
        (7, "!", ("replace .",)),
    ],
)
def test_a_changed_word(at: int, text: str, expected: Answer) -> None:
    """The tags of a changed word restore it, the most general first; a misspelling is left to the speller."""
    draft = Draft.of(WRITTEN)
    assert draft.change(at, text, "wrong")
    assert marked(draft) == {at: expected}


def mended(draft: Draft) -> list[str]:
    """Return the words of a draft after its most specific tags, each of which must have an effect."""
    words = [word.text for word in draft.words]
    for i, answer in sorted(marked(draft).items(), reverse=True):
        change = effect(answer[-1], words, i)
        assert change is not None
        words[change.start : change.end] = change.words
    return words


@st.composite
def damaged(draw: st.DrawFn) -> Draft:
    """Return a draft with one damage."""
    draft, at = Draft.of(WRITTEN), draw(st.integers(0, N - 1))
    known = st.sampled_from(["the", "in", "walks", "walking", "student", "slow", "gardens", "of", "very", ",", "?"])
    kind = draw(st.sampled_from(["change", "drop", "insert", "swap", "divide"]))
    if kind == "change":
        draft.change(at, draw(known), "wrong")
    elif kind == "drop":
        draft.drop(at)
    elif kind == "insert":
        draft.insert(draw(st.integers(0, N)), [draw(known)], "extra")
    elif kind == "swap":
        draft.reorder(min(at, N - 2), [1, 0])
    else:
        draft.change(4, "in", "spelling")
        draft.insert(5, ["to"], "spelling")
    return draft


@given(damaged())
def test_the_tags_restore_the_sentence(draft: Draft) -> None:
    """After one damage, a single edit restores the sentence."""
    assert mended(draft) == [word.text for word in WRITTEN]
    assert len(marked(draft)) <= 1
