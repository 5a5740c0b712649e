"""The metric in Hugging Face's evaluate; run by ``.ci/plugs evaluate``."""

from __future__ import annotations

import math
from pathlib import Path
from statistics import fmean

import pytest

from naturalness import Scorer
from naturalness.integrations.evaluate import Naturalness
from tests.support.documented import example
from tests.support.labelling import small_model

OUTPUTS = [
    "The old man gave his book to the girl.",
    "He go to to school .",
    "",
    None,
    "The sea was the colour of slate, so we went home and ate the pie.",
]


def test_results_equal_those_for_a_list(tmp_path: Path) -> None:
    """The means leave out outputs without a score or a voice."""
    scorer = Scorer(small_model(tmp_path / "model"))
    columns = scorer(OUTPUTS)
    result = Naturalness(scorer.model).compute(predictions=OUTPUTS)
    assert str(result) == str(
        {
            "naturalness": fmean(value for value in columns["naturalness"] if not math.isnan(value)),
            "voice": columns["voice"][-1],
            "scores": columns["naturalness"],
            "voices": columns["voice"],
            "labels": columns["label"],
            "reasons": columns["reason"],
            "signature": scorer.signature,
        }
    )


def test_batches_may_be_added_one_by_one(tmp_path: Path) -> None:
    """Adding outputs in batches, as evaluation loops do, gives the same result."""
    folder = small_model(tmp_path / "model")
    metric = Naturalness(folder)
    metric.add(prediction=OUTPUTS[0])
    metric.add_batch(predictions=OUTPUTS[1:])
    assert str(metric.compute()) == str(Naturalness(folder).compute(predictions=OUTPUTS))


def test_without_any_score_the_mean_is_undefined(tmp_path: Path) -> None:
    """The mean of no scores is NaN rather than 0."""
    assert str(Naturalness(small_model(tmp_path / "model")).compute(predictions=[""])["naturalness"]) == "nan"


def test_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """The code on the page prints the output shown there."""
    code, output = example("docs/evaluators.md", "integrations.evaluate")
    exec(code, {})
    assert capsys.readouterr().out == output
