"""Damage: what it does, that it is recorded, that it can be repeated."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naturalness.errors import CorpusError, UnknownName
from naturalness.generating import KINDS, Damaged, SequenceGlue, damage_docs
from naturalness.generating.damage import Draft
from naturalness.text.parsing import parse

SENTENCES = [
    "The teacher was reading a long letter in the quiet garden.",
    "My brother often walks to the station with his two dogs.",
    "She said that the children have seen these old films at school.",
    "In the morning we drink coffee and talk about the news.",
    "A woman from the village bought several apples at the market.",
]
TOKENS = [
    [("The", True), ("cat", True), ("saw", True), ("a", True), ("dog", False), (".", False)],
    [("A", True), ("dog", True), ("saw", True), ("the", True), ("cat", False), (".", False)],
    [
        ("The", True),
        ("dog", True),
        ("ran", True),
        ("to", True),
        ("the", True),
        ("cat", True),
        ("and", True),
        ("sat", False),
        (".", False),
    ],
]


def check_record(damaged: Damaged) -> None:
    """Places lie in the text and hold what the record says."""
    for damage in damaged.damages:
        assert 0 <= damage.start <= damage.end <= len(damaged.text)
        assert damaged.text[damage.start : damage.end] == damage.after
        assert damage.before or damage.after


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_changes_the_text_and_says_where(kind: str) -> None:
    """Every sentence is damaged by the kind asked for, at the recorded place."""
    docs = parse(SENTENCES)
    for doc, damaged in zip(docs, damage_docs(docs, kinds=[kind]), strict=True):
        assert damaged.text != doc.text
        assert [damage.kind for damage in damaged.damages] == [kind]
        assert 0 < damaged.amount <= 1
        check_record(damaged)


EXAMPLES = [
    ("agreement", "The teacher was late.", {"The teacher were late."}),
    ("agreement", "He walks home.", {"He walk home."}),
    ("agreement", "They walk home.", {"They walks home."}),
    ("article", "He saw the cat.", {"He saw cat."}),
    ("tense", "He went home.", {"He go home.", "He going home."}),
    ("repeat", "Stop now.", {"Stop stop now.", "Stop now now."}),
    ("preposition", "He went to Rome.", None),
    ("drop", "Cats sleep.", {"Sleep.", "Cats."}),
]


@pytest.mark.parametrize(("kind", "text", "possible"), EXAMPLES)
def test_small_sentences_are_damaged_as_expected(kind: str, text: str, possible: set[str] | None) -> None:
    """Over many seeds only the expected results appear."""
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
def test_undamaged_text_is_left_as_it_is(text: str) -> None:
    """No damage, no change: quotes, dashes, brackets and contractions stay."""
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
def test_no_damage_is_recorded_where_none_was_done(kind: str, text: str) -> None:
    """A record always comes with a changed text."""
    for seed in range(10):
        for damaged in damage_docs(parse([text]), kinds=[kind], seed=seed):
            assert bool(damaged.damages) == (damaged.text != text)


def test_contractions_are_opened_when_their_verb_changes() -> None:
    """I'm becomes I is, not Iis."""
    (damaged,) = damage_docs(parse(["I'm tired today."]), kinds=["agreement"])
    assert damaged.text == "I is tired today."
    check_record(damaged)


def test_a_dropped_last_word_leaves_its_gap_at_the_end() -> None:
    """The place is behind the word that is last now."""
    draft = Draft.of(parse(["The cat sat"])[0])
    draft.drop("drop", 2)
    done = draft.finish("The cat sat")
    assert (done.text, done.damages[0].start, done.damages[0].before) == ("The cat", 7, "sat")


def test_capitals_inside_a_word_are_kept() -> None:
    """DNA does not become dNA when it moves."""
    draft = Draft.of(parse(["DNA tests show it."])[0])
    draft.reorder("word_order", 0, [1, 0])
    assert draft.finish("DNA tests show it.").text == "Tests DNA show it."


def test_the_start_keeps_its_capital() -> None:
    """When the first word moves, the capital moves to the new first word."""
    draft = Draft.of(parse(["The old man slept."])[0])
    draft.reorder("word_order", 0, [1, 0])
    assert draft.finish("The old man slept.").text == "Old the man slept."


def test_the_same_seed_gives_the_same_damage() -> None:
    """Whatever the company and the order, splices apart; another seed differs."""
    kinds = [kind for kind in KINDS if kind != "splice"]
    docs = parse(SENTENCES)
    first = {d.original: d.text for d in damage_docs(docs, kinds=kinds, n_damages=(2, 2))}
    again = {d.original: d.text for d in damage_docs(docs[::-1], kinds=kinds, n_damages=(2, 2))}
    other = {d.original: d.text for d in damage_docs(docs, kinds=kinds, n_damages=(2, 2), seed=1)}
    assert first == again
    assert first != other


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 10**6), low=st.integers(0, 2), more=st.integers(0, 4))
def test_any_number_of_damages_is_recorded(seed: int, low: int, more: int) -> None:
    """The count lies in the range where the text has room; the amount is a share."""
    docs = parse(SENTENCES)
    for damaged in damage_docs(docs, n_damages=(low, low + more), seed=seed):
        check_record(damaged)
        assert len(damaged.damages) <= low + more
        assert 0 <= damaged.amount <= 1
        if not damaged.damages:
            assert damaged.text == damaged.original


def test_more_damage_touches_more_words() -> None:
    """The amount grows with the number of damages."""
    docs = parse(SENTENCES)
    kinds = ["drop", "insert", "repeat"]
    means = [sum(d.amount for d in damage_docs(docs, kinds=kinds, n_damages=(n, n))) for n in (0, 1, 3)]
    assert means[0] == 0 < means[1] < means[2]


def test_an_unknown_kind_is_named() -> None:
    """With a suggestion."""
    with pytest.raises(UnknownName, match="did you mean 'agreement'"):
        list(damage_docs(parse(SENTENCES), kinds=["agrement"]))


@pytest.mark.parametrize("size", [1, 2, 3])
def test_glued_texts_have_the_length_and_look_of_sentences(size: int) -> None:
    """Six tokens, a capital at the start, one full stop at the end, all pieces from the corpus."""
    for damaged in SequenceGlue(TOKENS, length=6).generate(20, size=size):
        words = damaged.text.removesuffix(".").split()
        assert len(words) == 5
        assert damaged.text[0].isupper()
        assert damaged.text.count(".") == 1
        assert len(damaged.damages) == 6 // size
        check_record(damaged)


def test_pieces_follow_the_bigrams_of_the_corpus() -> None:
    """With pieces of one word each follows the word before it; only "sat" has none to follow."""
    pairs = {(a[0].lower(), b[0].lower()) for s in TOKENS for a, b in pairwise(s[:-1])}
    for damaged in SequenceGlue(TOKENS, length=3).generate(50, size=1):
        first, second = damaged.text.lower().removesuffix(".").split()
        assert (first, second) in pairs or first == "sat"


def test_a_whole_sentence_is_an_extract() -> None:
    """With one piece the text is a corpus sentence of that length, undamaged."""
    (damaged,) = SequenceGlue(TOKENS, length=9).generate(1, size=9)
    assert damaged.text == "The dog ran to the cat and sat."
    assert damaged.damages == ()
    assert damaged.amount == 0


QUOTED = [
    [
        ("He", True),
        ("said", True),
        ('"', False),
        ("no", False),
        ('"', True),
        ("to", True),
        ("a", True),
        ("well", False),
        ("-", False),
        ("known", True),
        ("man", False),
        (".", False),
    ]
]


def test_marks_stand_at_joints_as_they_stood_in_the_corpus() -> None:
    """Opening and closing quotes stay close on their side, hyphens on both."""
    (damaged,) = SequenceGlue(QUOTED, length=12).generate(1, size=12)
    assert damaged.text == 'He said "no" to a well-known man.'
    texts = {d.text for d in SequenceGlue(QUOTED, length=12).generate(60, size=1, seed=2)}
    assert not any(wrong in text for text in texts for wrong in (" -", "- "))
    assert any('"no" to a well-known man' in text for text in texts)


def test_a_corpus_of_one_start_has_its_pieces_alone() -> None:
    """Pieces of three start where three words follow; the last one is the end, stop included."""
    for damaged in SequenceGlue(TOKENS[2:], length=6).generate(30, size=3):
        text = damaged.text.lower()
        pieces = [text[d.start : d.end] for d in damaged.damages]
        inner = ["the dog ran", "dog ran to", "ran to the", "to the cat", "the cat and", "cat and sat"]
        assert pieces[0] in inner
        assert pieces[1] == "and sat." or pieces[1].removesuffix(".") in {
            "the dog",
            "dog ran",
            "ran to",
            "to the",
            "the cat",
            "cat and",
        }


def test_texts_of_two_sizes_can_be_drawn_in_turns() -> None:
    """One generator, two sizes at once: the same texts as one after the other."""
    glue = SequenceGlue(TOKENS, length=6)
    both = zip(glue.generate(5, size=2), glue.generate(5, size=3), strict=True)
    twos, threes = zip(*((a.text, b.text) for a, b in both), strict=True)
    assert list(twos) == [d.text for d in glue.generate(5, size=2)]
    assert list(threes) == [d.text for d in glue.generate(5, size=3)]


def test_texts_are_read_as_tokens_of_the_length() -> None:
    """With a count, those that are not are drawn again; here, that "cat" comes first."""
    glue = SequenceGlue(TOKENS, length=6, count=lambda text: 6 * text.startswith("Cat"))
    assert all(d.text.startswith("Cat") for d in glue.generate(5, size=2))


@pytest.mark.parametrize(
    ("length", "size", "n", "message"),
    [
        (24, 5, 1, "does not divide"),
        (24, 24, 1, "0 sentences of 24 tokens"),
        (24, 12, 1, "no sentence of more than 12 tokens"),
    ],
)
def test_a_corpus_that_holds_too_little_is_an_error(length: int, size: int, n: int, message: str) -> None:
    """The error says what was found."""
    with pytest.raises(CorpusError, match=message):
        list(SequenceGlue(TOKENS, length=length).generate(n, size=size))


def test_repetition_is_deterministic_by_number() -> None:
    """Asking for more texts leaves the first ones as they were."""
    glue = SequenceGlue(TOKENS, length=6)
    few = [d.text for d in glue.generate(3, size=2, seed=4)]
    many = [d.text for d in glue.generate(9, size=2, seed=4)]
    assert many[:3] == few
