"""A report on texts, labels and names that contain markup."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from naturalness.explaining.explanation import Explanation
from naturalness.pipelines.scorer import NaturalnessModel, load_model
from naturalness.reports.raters.figures import with_intervals
from naturalness.reports.raters.judged import JudgedTexts, judge_unseen
from naturalness.reports.raters.report import RatersReport, make_report
from tests.support.labelling import small_model
from tests.support.pages import EVIL
from tests.support.rater_reports import explained, joined, rated


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> NaturalnessModel:
    """Return a small model, trained on the first 60 sentences."""
    return load_model(small_model(tmp_path_factory.mktemp("reporting") / "model"))


@pytest.fixture(scope="session")
def judged(model: NaturalnessModel) -> JudgedTexts:
    """Return eighty texts that the model has not seen; the first three contain markup."""
    verdicts = judge_unseen(rated(model, 150), model)
    texts = [f"{EVIL} {text}" if i < 3 else text for i, text in enumerate(verdicts.data.texts)]
    labels = verdicts.data.labels.copy()
    labels[:3] = 1 - verdicts.predicted[:3]
    data = replace(verdicts.data, texts=tuple(texts), labels=labels, classes=("bad", f"good {EVIL}"))
    return replace(verdicts, data=data, rows=np.arange(len(texts)))


@pytest.fixture(scope="session")
def report(judged: JudgedTexts) -> RatersReport:
    """Return the report on these texts, with explanations made by hand."""

    def explain(model: NaturalnessModel, texts: Sequence[str]) -> list[Explanation]:
        return list(map(explained, texts))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(NaturalnessModel, "explain", explain)
        return make_report(
            judged,
            joined(len(judged.naturalness)),
            judged.rows,
            with_intervals(judged),
            table=f"{EVIL}.csv",
            model=EVIL,
            notes=[f"read `{EVIL}`"],
            learnable=judged.data,
        )
