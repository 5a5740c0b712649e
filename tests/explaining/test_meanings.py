"""Columns that mean something to a reader."""

from __future__ import annotations

import numpy as np
import pytest

from naturalness.explaining.causes import readable
from naturalness.features import column_names, resolve
from naturalness.pipelines.classifier import NaturalnessClassifier

GOOD = [
    f"The {who} will {what} again on Monday."
    for who in ("boys", "girls", "men", "women")
    for what in ("swim", "read", "sing")
]
BAD = [
    f"On {what} the the {who} a again Monday."
    for who in ("boys", "girls", "men", "women")
    for what in ("swim", "read", "sing")
]


def test_vectors_and_hashes_tell_nothing() -> None:
    """Neither their values nor their indicators mean anything; every other column says what a higher value means."""
    groups = resolve(["surface", "words:16", "embedding:shipped"])
    columns = [*column_names(groups), "undefined(words_16__h3)", "undefined(surface__word_length_std)"]
    meanings = readable(columns, groups)
    for i, column in enumerate(columns):
        assert (i in meanings) == ("surface__" in column), column
    assert meanings[columns.index("surface__n_characters")] == "longer"
    assert meanings[len(columns) - 1].startswith("has no value in this text (1)")


@pytest.mark.slow
@pytest.mark.parametrize("learner", ["logistic-l2", "random-forest"])
def test_they_count_in_their_cause_and_are_never_named(learner: str) -> None:
    """Hashed words count towards `wording`, and no hash is named."""
    classifier = NaturalnessClassifier(features=["surface", "words:16"], learner=learner)
    classifier.fit(GOOD + BAD, ["natural"] * len(GOOD) + ["unnatural"] * len(BAD))
    for one in classifier.explain([GOOD[0], BAD[0]]):
        parts = {part.cause: part for part in one.contributions}
        assert abs(parts["wording"].value) > 0.01
        assert parts["wording"].features == ()
        assert all(moved.meaning for moved in parts["length"].features)
        assert one.base + sum(part.value for part in one.contributions) == pytest.approx(one.total, abs=1e-4)


def test_a_model_of_vectors_alone_is_explained() -> None:
    """The explanation names no column, and there is no error."""
    classifier = NaturalnessClassifier(features=["words:16"], learner="logistic-l2")
    classifier.fit(GOOD + BAD, ["natural"] * len(GOOD) + ["unnatural"] * len(BAD))
    (one,) = classifier.explain([BAD[0]])
    (part,) = one.contributions
    assert np.isfinite(part.value)
    assert part.features == ()
