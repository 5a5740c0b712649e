"""The metric in DeepEval; run by ``.ci/plugs deepeval``."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from naturalness import Scorer
from naturalness.integrations.deepeval import NaturalnessMetric
from naturalness.integrations.output import judged
from tests.support.documented import example
from tests.support.labelling import small_model

from deepeval import evaluate  # isort: skip
from deepeval.metrics.utils import copy_metrics  # isort: skip
from deepeval.telemetry.client import telemetry_opt_out  # isort: skip
from deepeval.test_case import LLMTestCase  # isort: skip

OUTPUTS = ["The old man gave his book to the girl, and she read all of it.", "He go to to school .", "", None]


def case(output: str | None) -> LLMTestCase:
    """Return a test case with an output."""
    return LLMTestCase(input="What happened?", actual_output=output)


def test_a_metric_measures(tmp_path: Path) -> None:
    """Scores and reasons equal those for a list of texts, also asynchronously; a case without a score fails."""
    folder = small_model(tmp_path / "model")
    columns = Scorer(folder)(OUTPUTS)
    metric = NaturalnessMetric(threshold=0.5, model=str(folder))
    for output, score, voice, label, reason in zip(OUTPUTS, *columns.values(), strict=True):
        values = [metric.measure(case(output)), asyncio.run(metric.a_measure(case(output))), metric.score]
        assert str(values) == str([score] * 3)
        assert str(metric.score_breakdown) == str({"naturalness": score, "voice": voice})
        assert metric.reason == reason or metric.reason.partition(":")[0] == label
        assert (": " in metric.reason) is (score < 0.5)
        assert metric.is_successful() is metric.success is (score >= 0.5)


def test_copies_have_the_same_options() -> None:
    """The copies that DeepEval makes have the same threshold, model and register."""
    (copy,) = copy_metrics([NaturalnessMetric(threshold=0.25, model="fast", register="books")])
    assert (copy.threshold, copy.evaluation_model) == (0.25, Scorer("fast", register="books").signature)


def test_in_an_evaluation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each result has a score, a reason and the signature."""
    monkeypatch.chdir(tmp_path)
    scorer = Scorer("fast")
    results = evaluate([case(output) for output in OUTPUTS[:3]], [NaturalnessMetric(model="fast")]).test_results
    found = {
        result.actual_output: (result.success, str(data.score), data.reason, data.evaluation_model)
        for result in results
        for data in result.metrics_data
    }
    assert found == {
        output: (score >= 0.5, str(score), judged(scorer, output, 0.5)[2], scorer.signature)
        for output, score in zip(OUTPUTS[:3], scorer(OUTPUTS[:3])["naturalness"], strict=True)
    }


def test_telemetry_is_off() -> None:
    """The import turns telemetry off."""
    assert os.environ["DEEPEVAL_TELEMETRY_OPT_OUT"] == "1"
    assert telemetry_opt_out()


def test_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The code on the page prints the output shown there."""
    code, output = example("docs/evaluators.md", "deepeval")
    monkeypatch.chdir(tmp_path)
    exec(code, {})
    assert output in capsys.readouterr().out
