"""The groups that a learner is trained on."""

from __future__ import annotations

import pytest

from naturalness.errors import TrainingError
from naturalness.features import DEFAULT, GROUPS
from naturalness.features.measuring import groups_for


def test_most_learners_read_what_is_named() -> None:
    """Without named groups a learner reads the default model's; unknown learners are refused later."""
    for learner in ("auto", "xgboost", "no such"):
        assert groups_for(learner, None) == list(DEFAULT)
        assert groups_for(learner, ["surface"]) == ["surface"]


def test_a_learner_may_bring_its_group() -> None:
    """A learner's own group is used if none is named; another size is accepted, another group is not."""
    assert groups_for("bigru", None) == ["vectors:40"]
    assert groups_for("bigru", ["vectors:12"]) == ["vectors:12"]
    for others in (["all"], ["vectors:40", "surface"], [GROUPS["surface"]]):
        with pytest.raises(TrainingError, match=r"reads vectors:N alone, found .*surface"):
            groups_for("bigru", others)
