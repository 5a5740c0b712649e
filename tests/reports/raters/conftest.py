"""A whole report of wicked texts, made once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from naturalness.pipelines.scorer import NaturalnessModel, load_model
from naturalness.reports.raters.judged import JudgedTexts, judge_unseen
from naturalness.reports.raters.report import Report, make_report
from tests.support.labelling import small_model
from tests.support.pages import EVIL
from tests.support.rater_reports import explain, extra, rated


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> NaturalnessModel:
    """A small model, trained on the first 60 sentences."""
    return load_model(small_model(tmp_path_factory.mktemp("reporting") / "model"))


@pytest.fixture(scope="session")
def judged(model: NaturalnessModel) -> JudgedTexts:
    """Eighty texts that the model has not seen; the first three have markup in them."""
    verdicts = judge_unseen(rated(model, 150), model)
    texts = [f"{EVIL} {text}" if i < 3 else text for i, text in enumerate(verdicts.data.texts)]
    labels = verdicts.data.labels.copy()
    labels[:3] = 1 - verdicts.predicted[:3]
    data = replace(verdicts.data, texts=tuple(texts), labels=labels, classes=("bad", f"good {EVIL}"))
    return replace(verdicts, data=data, rows=np.arange(len(texts)))


@pytest.fixture(scope="session")
def report(judged: JudgedTexts) -> Report:
    """Everything of these texts."""
    return make_report(
        judged,
        extra(len(judged.naturalness)),
        table=f"{EVIL}.csv",
        model=EVIL,
        notes=[f"read `{EVIL}`"],
        sentences=10,
        explain=explain,
    )
