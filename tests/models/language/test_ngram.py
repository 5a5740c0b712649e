"""Scores of n-gram models, compared with the back-off rule of ARPA files."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from naturalness.models.language import ngram
from naturalness.models.language.base import END, TokenScores
from naturalness.models.language.ngram import NgramModel
from naturalness.models.language.store import open_model
from naturalness.models.language.units import OTHER
from tests.support.language_models import HARBOUR, doc_of, train
from tests.support.reference_models import read_arpa, token_logprobs


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Train a model that knows every unit."""
    return train(tmp_path_factory.mktemp("ngram") / "harbour")


@pytest.fixture(autouse=True)
def batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Score two Docs at a time."""
    monkeypatch.setattr(ngram, "BATCH", 2)


@pytest.fixture(scope="module")
def model(folder: Path) -> NgramModel:
    """Open the trained model."""
    return open_model(folder)


@pytest.fixture(scope="module")
def bare(folder: Path) -> NgramModel:
    """Open the model's binary file without its table of units."""
    return open_model(folder / "order-3.binary")


def score(model: NgramModel, *sentences: str) -> TokenScores:
    """Return the scores of a Doc of sentences."""
    return model.token_logprobs([doc_of(*sentences)])[0]


def test_frequencies_by_hand(model: NgramModel) -> None:
    """A unit's frequency is its count divided by the count of all units, 7 sentence ends and one unknown unit."""
    scores = score(model, "The boat at night .")
    assert scores.units == ["The", "boat", "at", "night", ".", END]
    counts = [sum(f" {unit} " in f" {text[:-1]} . " for text in HARBOUR) for unit in scores.units]
    assert counts[:5] == [3, 3, 3, 1, 7]
    total = sum(len(text.split()) + 2 for text in HARBOUR) + 1  # and one for all that is unknown
    expected = [math.log(n / total) for n in (3, 3, 3, 1, 7, 7)]
    np.testing.assert_allclose(scores.unigrams, expected, rtol=1e-12)
    assert scores.tokens.tolist() == [0, 1, 2, 3, 4, -1]
    assert not scores.unknown.any()


def test_lengths_by_hand(model: NgramModel) -> None:
    """The length is that of the longest known n-gram: `The boat` begins two sentences; `boat The` does not occur."""
    scores = score(model, "The boat The boat left")
    assert scores.lengths.tolist() == [2, 3, 1, 2, 3, 1]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(["The boat left .", "we saw Peter", "at noon"]), max_size=3))
def test_sentences_are_scored_separately(model: NgramModel, texts: list[str]) -> None:
    """The sentences before a sentence do not affect its scores."""
    cased = [text[0].upper() + text[1:] for text in texts]
    together = score(model, *cased) if cased else None
    alone = [score(model, text) for text in cased]
    for name in ("logprobs", "unigrams", "lengths", "unknown", "units"):
        joined = [value for scores in alone for value in getattr(scores, name)]
        assert list(getattr(together, name) if together else []) == joined


def test_reserved_words_are_unknown(model: NgramModel, bare: NgramModel) -> None:
    """A typed reserved word is an unknown unit; a typed `</s>` does not end the sentence."""
    for typed in ("<s>", END, "<unk>", OTHER, "<UNK>", "zebra"):
        doc = doc_of(f"The {typed} left .")
        for scorer in (model, bare):
            scores = scorer.token_logprobs([doc])[0]
            assert scores.units == ["The", typed, "left", ".", END]
            assert scores.unknown.tolist() == [False, True, False, False, False]
            other = score(scorer, "The zebra left .")
            assert scores.logprobs.tolist() == other.logprobs.tolist()


def test_unknown_units_have_the_numbers_of_oov(tmp_path: Path) -> None:
    """Unknown units have the probability and frequency of `<oov>`, which replaced rare words in training."""
    folder = train(tmp_path / "m", least=2)
    model = open_model(folder)
    scores = score(model, "The zebra left .")
    expected = token_logprobs(read_arpa(folder / "model.arpa"), ["The", OTHER, "left", "."])
    np.testing.assert_allclose(scores.logprobs, np.array(expected) * math.log(10), rtol=1e-5)
    words = " ".join(HARBOUR).replace(".", " .").split()
    rare = sum(words.count(word) == 1 for word in set(words))
    total = len(words) + len(HARBOUR)
    assert scores.unigrams[1] == pytest.approx(math.log(rare / total))


TYPED = ("The boat left .", "we saw peter at the harbour .", "!", "a </s> <s> zebra", "The \n boat")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(st.sampled_from(TYPED), max_size=2), max_size=5))
def test_scores_do_not_depend_on_the_batch(model: NgramModel, bare: NgramModel, texts: list[list[str]]) -> None:
    """Scores do not depend on the other Docs of a batch, to the last bit."""
    for scorer in (model, bare):
        rows = [text or ["?"] for text in texts]
        for row, scores in zip(rows, scorer.token_logprobs([doc_of(*row) for row in rows]), strict=True):
            alone = score(scorer, *row)
            assert scores.units == alone.units
            for name in ("tokens", "logprobs", "unigrams", "lengths", "unknown"):
                together, single = getattr(scores, name), getattr(alone, name)
                assert (together.dtype, together.tobytes()) == (single.dtype, single.tobytes())


def test_the_cost_of_a_word_by_hand(folder: Path, model: NgramModel, bare: NgramModel) -> None:
    """The cost is the first unit's frequency times the probability of each later unit, from the ARPA file."""
    assert model.vocabulary is not None
    assert model.spelled(["boat"]) == model.vocabulary.frequencies["boat"]
    arpa = read_arpa(folder / "model.arpa")
    ids = {word: i for i, word in enumerate(arpa.vocabulary)}
    row = arpa.ids[1].tolist().index([ids["Old"], ids["Peter"]])
    expected = model.vocabulary.frequencies["Old"] + float(arpa.logprobs[1][row]) * math.log(10)
    assert model.spelled(["Old", "Peter"]) == pytest.approx(expected, rel=1e-6)
    assert model.spelled(["zebra"]) == model.vocabulary.other
    assert math.isnan(bare.spelled(["Old", "Peter"]))


def test_a_single_file_has_no_frequencies(bare: NgramModel) -> None:
    """A model without a table of units restores no capitals; a unit with a space in it stays one unit."""
    doc = doc_of("the boat left")
    scores = bare.token_logprobs([doc])[0]
    assert scores.units == ["the", "boat", "left", END]
    assert np.isnan(scores.unigrams).all()
    odd = score(bare, "The bo\u00a0at left")
    assert len(odd.units) == len(odd.logprobs) == 4
