"""Kinds of damage: their effects, and the recorded spans."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naturalness.adapting.damage import Draft
from naturalness.adapting.kinds import KINDS, damage_docs
from naturalness.errors import UnknownName
from naturalness.text.parsing import parse
from tests.support.corpus import check_record

SENTENCES = [
    "The teacher was reading a long letter in the quiet garden.",
    "My brother often walks to the station with his two dogs.",
    "She said that the children have seen these old films at school.",
    "In the morning we drink coffee and talk about the news.",
    "A woman from the village bought several apples at the market.",
]


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_changes_the_text(kind: str) -> None:
    """Every sentence is damaged by the requested kind, within the recorded span."""
    docs = parse(SENTENCES)
    for doc, damaged in zip(docs, damage_docs(docs, kinds=[kind]), strict=True):
        assert damaged.text != doc.text
        assert [damage.kind for damage in damaged.damages] == [kind]
        check_record(damaged)


EXAMPLES = [
    ("agreement", "The teacher was late.", {"The teacher were late."}),
    ("agreement", "He walks home.", {"He walk home."}),
    ("agreement", "They walk home.", {"They walks home."}),
    ("article", "He saw the cat.", {"He saw cat."}),
    ("tense", "He went home.", {"He go home.", "He going home."}),
    ("repeat", "Stop now.", {"Stop stop now.", "Stop now now."}),
    ("preposition", "He went to Rome.", None),
    ("preposition", "With", None),
    ("agreement", "He walks \ud83d.", {"He walk \ufffd."}),
    ("drop", "Cats sleep.", {"Sleep.", "Cats."}),
]


@pytest.mark.parametrize(("kind", "text", "possible"), EXAMPLES)
def test_small_sentences_are_damaged_as_expected(kind: str, text: str, possible: set[str] | None) -> None:
    """Over many seeds, only the expected results appear."""
    docs = parse([text])
    results = {d.text for seed in range(25) for d in damage_docs(docs, kinds=[kind], seed=seed)}
    if possible is None:
        assert len(results) > 3
    else:
        assert results <= possible
        assert results


UNCHANGED = [
    "She said 'yes' to him in the '90s with 'em.",
    "It's a well-known (old) story - they're late.",
    'He paid $5 for "it", didn\'t he?',
]


@pytest.mark.parametrize("text", UNCHANGED)
def test_a_text_without_damage_is_unchanged(text: str) -> None:
    """Without damage the text is unchanged, including quotes, dashes, brackets and contractions."""
    (damaged,) = damage_docs(parse([text]), n_damages=(0, 0))
    assert damaged.text == text


NOTHING_TO_DO = [
    ("agreement", "Two sheep slept there."),
    ("article", "Dogs bark."),
    ("preposition", "He left."),
    ("tense", "They did not know."),
    ("splice", "There is only one sentence in this corpus."),
]


@pytest.mark.parametrize(("kind", "text"), NOTHING_TO_DO)
def test_only_changes_are_recorded(kind: str, text: str) -> None:
    """A change is recorded if and only if the text has changed."""
    for seed in range(10):
        for damaged in damage_docs(parse([text]), kinds=[kind], seed=seed):
            assert bool(damaged.damages) == (damaged.text != text)


def test_contractions_are_expanded_if_their_verb_changes() -> None:
    """A contraction is expanded if its verb changes: *I'm* becomes *I is*, not *Iis*."""
    (damaged,) = damage_docs(parse(["I'm tired today."]), kinds=["agreement"])
    assert damaged.text == "I is tired today."
    check_record(damaged)


def test_the_gap_of_a_dropped_last_word_is_at_the_end() -> None:
    """The recorded gap follows the new last word."""
    draft = Draft.of(parse(["The cat sat"])[0])
    draft.drop("drop", 2)
    done = draft.finish("The cat sat")
    assert (done.text, done.damages[0].start, done.damages[0].end) == ("The cat", 7, 7)


@pytest.mark.parametrize(
    ("text", "damaged"), [("DNA tests show it.", "Tests DNA show it."), ("The old man slept.", "Old the man slept.")]
)
def test_the_sentence_keeps_its_initial_capital(text: str, damaged: str) -> None:
    """The capital moves to the new first word; capitals inside a word stay."""
    draft = Draft.of(parse([text])[0])
    draft.reorder("word_order", 0, [1, 0])
    assert draft.finish(text).text == damaged


def test_the_same_seed_gives_the_same_damage() -> None:
    """Except for splices, damage does not depend on other texts or their order; another seed gives other damage."""
    kinds = [kind for kind in KINDS if kind != "splice"]
    docs = parse(SENTENCES)
    first = {d.original: d.text for d in damage_docs(docs, kinds=kinds, n_damages=(2, 2))}
    again = {d.original: d.text for d in damage_docs(docs[::-1], kinds=kinds, n_damages=(2, 2))}
    other = {d.original: d.text for d in damage_docs(docs, kinds=kinds, n_damages=(2, 2), seed=1)}
    assert first == again
    assert first != other


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 10**6), low=st.integers(0, 2), more=st.integers(0, 4))
def test_the_number_of_damages_is_limited(seed: int, low: int, more: int) -> None:
    """The number of damages is at most the requested number; an undamaged text is the original."""
    docs = parse(SENTENCES)
    for damaged in damage_docs(docs, n_damages=(low, low + more), seed=seed):
        check_record(damaged)
        assert len(damaged.damages) <= low + more
        if not damaged.damages:
            assert damaged.text == damaged.original


def test_an_unknown_kind_is_named() -> None:
    """An unknown kind of damage raises an error that names it and suggests another."""
    with pytest.raises(UnknownName, match="did you mean 'agreement'"):
        list(damage_docs(parse(SENTENCES), kinds=["agrement"]))
