"""Mean sizes of what causes add, of a model whose causes can be added up by hand."""

from __future__ import annotations

import numpy as np
import pytest

from naturalness.pipelines.scorer import NaturalnessModel
from naturalness.reports.raters.importance import find_importances
from naturalness.reports.raters.judged import JudgedTexts, judge_unseen
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
