"""Probabilities of the dependency parser's arcs."""

from __future__ import annotations

import math

import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc

from naturalness.models.parsers.doubts import arc_probabilities
from naturalness.text.parsing import load_pipeline, parse

PLAIN = "The old farmer sold two of his horses to a neighbour in the spring."
SALAD = "Of horses the two neighbour a sold spring to old in his the farmer."
TEXTS = [PLAIN, "", SALAD, " ", "It rained.\n\nThen it stopped.", "Why?", "12 !", "word " * 60]


def copy_of(doc: Doc) -> Doc:
    """Return a Doc with the same tokens and sentences, without vectors."""
    return Doc(
        spacy.blank("en").vocab,
        [token.text for token in doc],
        [bool(token.whitespace_) for token in doc],
        sent_starts=[bool(token.is_sent_start) for token in doc],
    )


def test_each_token_has_a_probability_and_a_root_is_certain() -> None:
    """Each token has a probability above 0 and at most 1; roots have 1."""
    docs = parse(TEXTS)
    for doc, probabilities in zip(docs, arc_probabilities(docs), strict=True):
        assert len(probabilities) == len(doc)
        assert all(0 < p <= 1 for p in probabilities)
        assert all(probabilities[token.i] == 1 for token in doc if token.head is token)


def test_a_doc_of_another_pipeline_is_read_by_the_shipped_parser() -> None:
    """Only tokens and sentences of the Doc are used; the Doc is not changed."""
    docs = parse(TEXTS)
    copies = [copy_of(doc) for doc in docs]
    for ours, theirs in zip(arc_probabilities(docs), arc_probabilities(copies), strict=True):
        assert theirs == pytest.approx(ours, abs=1e-4)
    assert not any(len(copy.tensor) for copy in copies)


def test_the_shipped_vocabulary_does_not_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words of other pipelines are not kept in the shipped vocabulary once it is full."""
    monkeypatch.setattr("naturalness.text.parsing.MAX_STRINGS", 0)
    known = load_pipeline().vocab.strings
    before = len(known)
    arc_probabilities([Doc(spacy.blank("en").vocab, ["Unheard", "quibblesnorts", "zumped", "."])])
    assert len(known) == before
    assert "quibblesnorts" not in known


def test_a_long_text_is_read_by_sentences() -> None:
    """A long Doc is read by sentences; tokens in sentences that are too long get NaN."""
    short, long = parse([PLAIN, f"{PLAIN}\n\n" * 70 + "word " * 300])
    assert len(long) > 1000
    alone, whole = arc_probabilities([short, long])
    assert whole[: len(short)] == pytest.approx(alone, abs=0.05)
    assert math.isnan(whole[-1]) and len(whole) == len(long)
    assert set(arc_probabilities(parse(["a\n\n" * 1001]))[0]) == {1.0}


@pytest.mark.slow
@settings(deadline=None, max_examples=15)
@given(order=st.permutations(range(len(TEXTS))))
def test_counts_do_not_depend_on_the_batch(order: list[int]) -> None:
    """Only the last bits depend on the batch, so counts below the threshold do not."""
    docs = parse(TEXTS)
    alone = [arc_probabilities([doc])[0] for doc in docs]
    together = arc_probabilities(parse([TEXTS[i] for i in order]))
    for position, i in enumerate(order):
        assert together[position] == pytest.approx(alone[i], abs=1e-4)
        assert sum(p < 0.95 for p in together[position]) == sum(p < 0.95 for p in alone[i])
