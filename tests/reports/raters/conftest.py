"""A whole report of wicked texts, made once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from naturalness.explaining.explanation import LOG_ODDS, Contribution, Explanation, Finding, Moved
from naturalness.pipelines.scorer import NaturalnessModel, load_model
from naturalness.reports.raters.judged import JudgedTexts, judge_unseen
from naturalness.reports.raters.report import Extra, Report, make_report
from tests.support.labelling import small_model
from tests.support.rater_reports import rated

EVIL = "<script>alert('\"&')</script>"


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> NaturalnessModel:
    """A small model, trained on the first 60 sentences."""
    return load_model(small_model(tmp_path_factory.mktemp("reporting") / "model"))


def explain(model: NaturalnessModel, texts: Sequence[str]) -> list[Explanation]:
    """Explanations made by hand, with markup wherever words can stand."""
    told = []
    for text in texts:
        moved = Moved("surface__n_words", 9.0, 0.4, -0.2, f"longer {EVIL}")
        found = (
            Finding(0, 3, text[:3], "order", "order", f"odd {EVIL}", "rules", 0.9, (EVIL, "")),
            Finding(5, 5, "", "missing", "missing", "a word is missing", "detector", 0.3),
        )
        parts = (
            Contribution("order", "word order", -0.75, (moved,)),
            Contribution("length", "length and readability", 0.5, ()),
        )
        told.append(
            Explanation(
                text,
                0.4,
                0.3,
                0.5,
                "unnatural",
                "",
                LOG_ODDS,
                0.1,
                -0.15,
                parts,
                found,
                (f"strange {EVIL}",),
                cause="order",
            )
        )
    return told


@pytest.fixture(scope="session")
def judged(model: NaturalnessModel) -> JudgedTexts:
    """Eighty texts that the model has not seen; the first three have markup in them."""
    made = judge_unseen(rated(model, 150), model)
    texts = [f"{EVIL} {text}" if i < 3 else text for i, text in enumerate(made.data.texts)]
    labels = made.data.labels.copy()
    labels[:3] = 1 - made.predicted[:3]
    data = replace(made.data, texts=tuple(texts), labels=labels, classes=("bad", f"good {EVIL}"))
    return replace(made, data=data, rows=np.arange(len(texts)))


def extra(n: int, **more: Any) -> Extra:
    """Systems, single ratings and a column, of wicked names."""
    rng = np.random.default_rng(0)
    singles = [[float(v) for v in rng.integers(1, 6, 3)] for _ in range(n)]
    return Extra(
        file_rows=range(n),
        systems=[("a", "b", EVIL)[i % 3] for i in range(n)],
        singles=singles,
        by={EVIL: [f"value {EVIL}" if i % 2 else "" for i in range(n)]},
        label=lambda single, mean: int(mean >= 3),
        **more,
    )


@pytest.fixture(scope="session")
def report(judged: JudgedTexts) -> Report:
    """Everything of these texts."""
    curve = {
        "sizes": [9, 3],
        "means": [0.6, 0.5],
        "errors": [0.01, None],
        "chosen": 9,
        "kept": ["surface__n_words"],
        "figure": "roc_auc",
    }
    return make_report(
        judged,
        extra(len(judged.naturalness)),
        table=f"{EVIL}.csv",
        model=EVIL,
        notes=[f"read `{EVIL}`"],
        elimination=curve,
        sentences=10,
        explain=explain,
    )
