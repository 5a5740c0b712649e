"""Mixtures: means by hand, and each model's own reading of a text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from naturalness.models.language.base import END, LanguageModel, TokenScores
from naturalness.models.language.store import open_model
from naturalness_replication.mixture import Mixture, interpolate
from tests.support.language_models import HARBOUR, KITCHEN, doc_of, train


def said(p: Sequence[float], u: Sequence[float], lengths: Sequence[int], unknown: Sequence[bool]) -> TokenScores:
    """Return a model's scores, given probabilities."""
    units, tokens = ["a", "b", "c", END], np.array([0, 1, 2, -1])
    return TokenScores(units, tokens, np.log(p), np.log(u), np.array(lengths), np.array(unknown))


def test_means_by_hand() -> None:
    """Both models know `a`, only the second knows `b`, and neither knows `c`."""
    first = said([0.5, 0.4, 0.2, 0.1], [0.3, 0.2, 0.2, 0.1], [3, 3, 2, 1], [False, True, True, False])
    other = said([0.1, 0.2, 0.4, 0.5], [0.1, 0.4, 0.6, 0.1], [1, 2, 1, 2], [False, False, True, False])
    mixed = interpolate([first, other], [0.75, 0.25])
    expected = [0.75 * 0.5 + 0.25 * 0.1, 0.25 * 0.2, 0.75 * 0.2 + 0.25 * 0.4, 0.75 * 0.1 + 0.25 * 0.5]
    np.testing.assert_allclose(np.exp(mixed.logprobs), expected)
    np.testing.assert_allclose(np.exp(mixed.unigrams), [0.25, 0.25 * 0.4, 0.75 * 0.2 + 0.25 * 0.6, 0.1])
    assert mixed.lengths.tolist() == [3, 2, 2, 2]
    assert mixed.unknown.tolist() == [False, False, True, False]


def test_each_model_reads_the_capitals_that_it_knows(tmp_path: Path) -> None:
    """The first model knows `Peter`, the second `Maria`; units are spelled as the first reads them."""
    models = (open_model(train(tmp_path / "a", HARBOUR)), open_model(train(tmp_path / "b", KITCHEN)))
    mixture = Mixture("all", models, (0.5, 0.5))
    assert isinstance(mixture, LanguageModel)
    scores, empty = mixture.token_logprobs([doc_of("nobody saw peter and maria ."), doc_of("!")])
    assert scores.units == ["Nobody", "saw", "Peter", "and", "maria", ".", END]
    assert not scores.unknown.any() and empty.units == []
