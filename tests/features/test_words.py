"""Words and word pairs counted in hashed columns, `words:N`."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from naturalness import NaturalnessRegressor
from naturalness.errors import NaturalnessError
from naturalness.features import column_names, extract, resolve
from naturalness.features.named import is_named_group
from naturalness.features.words import _column
from naturalness.judging.folder import assets_of
from naturalness.pipelines.saving import save_estimator
from naturalness.pipelines.scorer import load_model
from naturalness.text.parsing import parse

TEXTS = ["The dog slept.", "the DOG  slept .", "", "It rained, and the dog slept and slept."]
NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal", "Ida", "Jo")
WIDTH = 64


def test_a_word_counts_in_the_same_column_on_every_machine() -> None:
    """Column and sign come from the first 8 bytes of BLAKE2b."""
    columns = [_column(word, WIDTH) for word in ("the", "dog", "the dog")]
    assert columns == [(47, -1), (28, 1), (23, 1)]


def test_counts_are_those_of_words_and_pairs() -> None:
    """Words in lower case and marks count; an empty text counts nothing; rows have length 1."""
    (group,) = resolve([f"words:{WIDTH}"])
    assert is_named_group(group)
    assert column_names([group])[-1] == f"words_{WIDTH}__h{WIDTH - 1}"
    table = group.extract(parse(TEXTS))
    words = ["the", "dog", "slept", "."]
    counts = np.zeros(WIDTH)
    for phrase in [*words, *(" ".join(pair) for pair in pairwise(words))]:
        column, sign = _column(phrase, WIDTH)
        counts[column] += sign
    np.testing.assert_allclose(table[0], counts / np.linalg.norm(counts), rtol=1e-12)
    np.testing.assert_array_equal(table[1], table[0])
    assert np.isnan(table[2]).all()
    np.testing.assert_allclose(np.linalg.norm(table[[0, 3]], axis=1), 1.0)
    assert group.extract([]).shape == (0, WIDTH)


def test_half_of_the_words_count_downwards() -> None:
    """About half of the signs are negative."""
    signs = [_column(f"word{i}", WIDTH)[1] for i in range(1000)]
    assert set(signs) == {-1, 1}
    assert abs(sum(signs)) < 150


def test_a_text_has_the_same_numbers_in_any_company() -> None:
    """Values do not depend on the batch, to the last bit."""
    groups = resolve(["words:32"])
    together = extract(parse(TEXTS), groups)
    for text, row in zip(TEXTS, together, strict=True):
        np.testing.assert_array_equal(extract(parse([text]), groups)[0], row)


@pytest.mark.parametrize("name", ["words:", "words:15", "words:4097", "words:x", "words:²²²"])
def test_how_many_must_be_a_number(name: str) -> None:
    """The error names the expected form."""
    with pytest.raises(NaturalnessError, match="N from 16 to 4096"):
        resolve([name])


def test_a_model_learns_words_and_keeps_no_vocabulary(tmp_path: Path) -> None:
    """A loaded model scores the same, and separates friendly words in unseen texts."""
    kind, rude = "a very kind and gentle reply", "a rude and angry answer"
    texts = [f"{reply} to {name}" for reply in (kind, rude) for name in NAMES]
    regressor = NaturalnessRegressor(features=["words:64"], learner="logistic-l2", folds=2)
    regressor.fit(texts, [5.0] * len(NAMES) + [1.0] * len(NAMES))
    save_estimator(regressor, tmp_path / "saved")
    model = load_model(tmp_path / "saved")
    new = ["a gentle reply to Zoe", "an angry answer to Zoe"]
    gentle, angry = model.score(new).naturalness
    assert gentle > angry + 0.3
    predictions = np.clip((regressor.predict(new) - 1) / 4, 0.0, 1.0)
    np.testing.assert_allclose([gentle, angry], predictions, atol=1e-6)
    assert assets_of(["words:64"]) == {}
