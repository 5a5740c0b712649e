"""Mixtures: means by hand, sums of one, which models may be mixed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.errors import ModelError
from naturalness.models.language.base import END, LanguageModel, TokenScores
from naturalness.models.language.ngram import NgramModel
from naturalness.models.language.store import open_model
from naturalness.models.language.vocabulary import OTHER
from naturalness.text.view import view
from naturalness_replication.language.mixture import Mixture, combine, interpolate
from tests.support.language_models import HARBOUR, KITCHEN, doc_of, train

NAN = math.nan


def said(p: Sequence[float], u: Sequence[float], lengths: Sequence[int], unknown: Sequence[bool]) -> TokenScores:
    """What a model says, in probabilities."""
    return TokenScores(
        units=["a", "b", "c", END][-len(p) :],
        tokens=np.array([0, 1, 2, -1][-len(p) :]),
        logprobs=np.log(np.array(p)),
        unigrams=np.log(np.array(u)),
        lengths=np.array(lengths),
        unknown=np.array(unknown),
    )


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> list[NgramModel]:
    """Two models of other texts; rare words are not known."""
    folder = tmp_path_factory.mktemp("mixture")
    return [
        open_model(train(folder / "harbour", HARBOUR, least=2)),
        open_model(train(folder / "kitchen", KITCHEN, order=2)),
    ]


@pytest.fixture(scope="module")
def mixture(models: list[NgramModel]) -> Mixture:
    """Three quarters of the first."""
    return combine(models, [0.75, 0.25], name="both")


def test_means_by_hand() -> None:
    """a: both know it; b: only the second does; c: nobody does; the end."""
    first = said([0.5, 0.4, 0.2, 0.1], [0.3, 0.2, 0.2, 0.1], [3, 3, 2, 1], [False, True, True, False])
    other = said([0.1, 0.2, 0.4, 0.5], [0.1, 0.4, 0.6, 0.1], [1, 2, 1, 2], [False, False, True, False])
    mixed = interpolate([first, other], [0.75, 0.25])
    expected = [0.75 * 0.5 + 0.25 * 0.1, 0.25 * 0.2, 0.75 * 0.2 + 0.25 * 0.4, 0.75 * 0.1 + 0.25 * 0.5]
    np.testing.assert_allclose(np.exp(mixed.logprobs), expected)
    unigrams = [0.75 * 0.3 + 0.25 * 0.1, 0.25 * 0.4, 0.75 * 0.2 + 0.25 * 0.6, 0.1]
    np.testing.assert_allclose(np.exp(mixed.unigrams), unigrams)
    assert mixed.lengths.tolist() == [3, 2, 2, 2]
    assert mixed.unknown.tolist() == [False, False, True, False]
    assert (mixed.units, mixed.tokens.tolist()) == (first.units, [0, 1, 2, -1])


def test_a_model_without_frequencies_leaves_none_defined() -> None:
    """Even of units that it does not know."""
    first = said([0.5, 0.5], [0.5, 0.5], [1, 1], [False, False])
    bare = said([0.5, 0.5], [NAN, NAN], [1, 1], [True, False])
    mixed = interpolate([first, bare], [0.5, 0.5])
    assert np.isnan(mixed.unigrams).all()
    np.testing.assert_allclose(np.exp(mixed.logprobs), [0.25, 0.5])


@given(st.lists(st.tuples(st.floats(-300, 0), st.floats(-300, 0)), min_size=1, max_size=4), st.floats(0.01, 0.99))
def test_a_mean_lies_between(pairs: list[tuple[float, float]], weight: float) -> None:
    """Also where probabilities are too small for a number."""
    rows = np.array(pairs).T * 10
    parts = [
        TokenScores(
            ["x"] * len(row), np.arange(len(row)), row, row, np.ones(len(row), np.int64), np.zeros(len(row), np.bool_)
        )
        for row in rows
    ]
    mixed = interpolate(parts, [weight, 1 - weight]).logprobs
    assert (mixed >= rows.min(axis=0) - 1e-9).all()
    assert (mixed <= rows.max(axis=0) + 1e-9).all()


@pytest.mark.parametrize("context", ["The", "Nobody saw", "The zebra"])
def test_probabilities_of_everything_sum_to_one(mixture: Mixture, models: list[NgramModel], context: str) -> None:
    """Every word that any model knows, one that none knows, the end, and KenLM's `<unk>`."""
    words: set[str] = set()
    for model in models:
        assert model.vocabulary is not None
        words |= set(model.vocabulary.frequencies)
    position = len(context.split())
    total = 0.0
    for word in sorted(words | {"zebra"}):
        total += math.exp(mixture.score(view(doc_of(f"{context} {word}"))).logprobs[position])
    total += math.exp(mixture.score(view(doc_of(context))).logprobs[position])
    for model, weight in zip(models, mixture.weights, strict=True):
        assert model.vocabulary is not None
        known, _, _ = model.vocabulary.look_up(context.split())
        spare = list(model.kenlm.full_scores(" ".join([*known, "<unk>"])))[position][0]
        total += weight * 10**spare
        never = list(model.kenlm.full_scores(" ".join([*known, OTHER])))[position]
        if never[2]:  # all was known, so that the stand-in is `<unk>` and was counted twice
            total -= weight * 10 ** never[0]
    assert total == pytest.approx(1, abs=1e-5)


def test_what_a_word_costs_is_the_weighted_mean(mixture: Mixture, models: list[NgramModel]) -> None:
    """Of the two models' numbers, as probabilities."""
    costs = [math.exp(model.spelled(["The", "boat"])) for model in models]
    expected = math.log(0.75 * costs[0] + 0.25 * costs[1])
    assert mixture.spelled(["The", "boat"]) == pytest.approx(expected)


def test_it_is_a_language_model(mixture: Mixture, models: list[NgramModel]) -> None:
    """Remembered beside a Doc; the longest order; the signature tells weights and models."""
    assert isinstance(mixture, LanguageModel)
    assert (mixture.name, mixture.order, mixture.weights) == ("both", 3, (0.75, 0.25))
    doc = doc_of("Nobody saw the boat .", "Nobody saw the spoon .")
    scores = mixture.token_logprobs([doc])[0]
    assert mixture.token_logprobs([doc])[0] is scores
    assert mixture.score(view(doc_of("!"))).units == []
    others = [combine(models, [0.5, 0.5], name="both"), combine(models[::-1], [0.75, 0.25], name="both")]
    assert len({model.signature for model in (mixture, *others)}) == 3


def test_each_sentence_is_mixed_on_its_own(mixture: Mixture) -> None:
    """Two sentences have the entries of each."""
    parts = ["Nobody saw the boat .", "Maria spoke ."]
    together = mixture.score(view(doc_of(*parts)))
    alone = [mixture.score(view(doc_of(part))) for part in parts]
    assert together.logprobs.tolist() == [x for scores in alone for x in scores.logprobs.tolist()]


def test_each_model_reads_the_capitals_that_it_knows(tmp_path: Path) -> None:
    """`Peter` by the first, `Maria` by the second, none by the third; units are of the first."""
    models = [
        open_model(train(tmp_path / "a", HARBOUR)),
        open_model(train(tmp_path / "b", KITCHEN)),
        open_model(train(tmp_path / "c", [text.lower() for text in KITCHEN])),
    ]
    mixture = combine(models, [0.5, 0.25, 0.25], name="all")
    seen = view(doc_of("nobody saw peter and maria ."))
    scores = mixture.score(seen)
    assert scores.units == ["Nobody", "saw", "Peter", "and", "maria", ".", END]
    assert not scores.unknown.any()
    parts = mixture.score_apart(seen)
    assert [part.units[4] for part in parts] == ["maria", "Maria", "maria"]
    for part, model in zip(parts, models, strict=True):
        alone = model.score(seen)
        assert part.units == alone.units
        assert part.logprobs.tolist() == alone.logprobs.tolist()
    assert parts[2].unknown.tolist() == [word == "Peter" for word in scores.units]


def test_models_of_pieces_read_alike(tmp_path: Path) -> None:
    """With the capitals of all; one that knows none cuts other pieces and is refused."""
    a, b, c = (
        open_model(train(tmp_path / name, texts, kind="pieces"))
        for name, texts in (("a", HARBOUR), ("b", KITCHEN), ("c", [t.lower() for t in KITCHEN]))
    )
    parts = combine([a, b], [0.5, 0.5], name="m").score_apart(view(doc_of("peter saw maria .")))
    assert parts[0].units == parts[1].units
    assert "".join(parts[0].units[:-1]).replace("\u2581", " ").split() == ["Peter", "saw", "Maria", "."]
    with pytest.raises(ModelError, match="'c' knows no word with a capital and other models do"):
        combine([a, c], [0.5, 0.5], name="m")
    small = combine([c, c], [0.5, 0.5], name="m").score(view(doc_of("nobody saw maria .")))
    assert small.units[:-1] == c.score(view(doc_of("nobody saw maria ."))).units[:-1]


def test_other_units_are_refused(tmp_path: Path, models: list[NgramModel]) -> None:
    """Words with pieces; pieces that are cut by other models."""
    first = open_model(train(tmp_path / "p40", kind="pieces"))
    second = replace(first, read=replace(first.read, encoder="another"))
    with pytest.raises(ModelError, match=r"model of words and 'p40' of pieces"):
        combine([models[0], first], [0.5, 0.5], name="m")
    with pytest.raises(ModelError, match=r"pieces\.model differs"):
        combine([first, second], [0.5, 0.5], name="m")
    assert combine([first, first], [0.5, 0.5], name="m").read.kind == "pieces"


@pytest.mark.parametrize("weights", [[1.0], [0.5, 0.6], [1.0, 0.0], [1.5, -0.5], [NAN, 0.5], [0.5, 0.25, 0.25]])
def test_weights_sum_to_one(models: list[NgramModel], weights: list[float]) -> None:
    """Above 0, one for each model."""
    with pytest.raises(ModelError, match="expected"):
        combine(models, weights, name="m")
    with pytest.raises(ModelError, match="expected two models or more"):
        combine(models[:1], [1.0], name="m")
