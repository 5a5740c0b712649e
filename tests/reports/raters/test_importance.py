"""Mean sizes of what causes add, of a model whose causes can be added up by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from naturalness.pipelines.scorer import NaturalnessModel, load_model
from naturalness.reports.raters.importance import find_importances
from naturalness.reports.raters.judged import JudgedTexts, judge_unseen
from tests.support.labelling import small_model
from tests.support.rater_reports import rated


@pytest.fixture(scope="module")
def judged(model: NaturalnessModel) -> JudgedTexts:
    """Some texts that the model has not seen."""
    return judge_unseen(rated(model, 100), model)


def test_causes_are_those_of_explanations(judged: JudgedTexts) -> None:
    """The mean size over texts of what `explain` says of each."""
    importances = find_importances(judged)
    explanations = judged.models[0].explain(judged.data.texts)
    for one in importances.causes:
        sizes = [abs(c.value) for e in explanations for c in e.contributions if c.cause == one.name]
        assert one.value == pytest.approx(np.mean(sizes), abs=1e-4)
        assert one.low <= one.value <= one.high
    assert [one.value for one in importances.causes] == sorted((one.value for one in importances.causes), reverse=True)
    assert importances.texts == len(judged.naturalness)


def test_features_name_their_cause(judged: JudgedTexts) -> None:
    """Each is of a cause that the model reads, and says what a higher value means."""
    importances = find_importances(judged)
    titles = {one.title for one in importances.causes}
    assert {one.cause for one in importances.features} <= titles
    assert any(one.meaning for one in importances.features)


@pytest.mark.slow
def test_columns_that_say_nothing_alone_are_not_listed(tmp_path: Path) -> None:
    """Hashes of words count in their cause; beside them what can be read is told."""
    for groups, listed in ((["words:16"], False), (["words:16", "surface"], True)):
        model = load_model(small_model(tmp_path / str(listed), groups))
        importances = find_importances(judge_unseen(rated(model, 80), model))
        assert "wording" in {one.name for one in importances.causes}
        assert {one.name.partition("__")[0] for one in importances.features} == ({"surface"} if listed else set())
