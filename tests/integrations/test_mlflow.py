"""The scorer in MLflow; run by ``.ci/plugs mlflow``."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean

import pytest

from naturalness import Scorer
from naturalness.integrations.mlflow import naturalness_scorer
from naturalness.integrations.output import judged
from tests.support.documented import example
from tests.support.labelling import small_model

import mlflow  # isort: skip
from mlflow.telemetry.utils import is_telemetry_disabled  # isort: skip

OUTPUTS = ["The old man gave his book to the girl.", "He go to to school .", ""]


def test_in_an_evaluation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each row has score, label and signature, or the reason as an error; the mean is that of the scores."""
    monkeypatch.chdir(tmp_path)
    mlflow.set_tracking_uri(f"sqlite:///{tmp_path}/mlflow.db")
    folder = small_model(tmp_path / "model")
    scorer = Scorer(folder)
    columns = scorer(OUTPUTS)
    rows = [{"inputs": {"question": "What happened?"}, "outputs": output} for output in OUTPUTS]
    results = mlflow.genai.evaluate(data=rows, scorers=[naturalness_scorer(model=str(folder))])
    assert results.metrics == {"naturalness/mean": pytest.approx(fmean(columns["naturalness"][:2]), abs=1e-12)}
    found = {}
    for output, assessments in zip(results.result_df["response"], results.result_df["assessments"], strict=True):
        (assessment,) = [row for row in assessments if row["assessment_name"] == "naturalness"]
        assert assessment["metadata"]["signature"] == scorer.signature
        error = assessment["feedback"].get("error", {}).get("error_message")
        found[output] = (assessment["feedback"]["value"], assessment.get("rationale"), error)
    expected = zip(*(columns[name] for name in ("naturalness", "label", "reason")), strict=True)
    assert found == {
        output: (score, judged(scorer, output, 0.5)[2], None) if label else (None, None, reason)
        for output, (score, label, reason) in zip(OUTPUTS, expected, strict=True)
    }


def test_voice_is_in_the_metadata(tmp_path: Path) -> None:
    """The metadata has the voice of outputs of ten words or more."""
    folder = small_model(tmp_path / "model")
    text = "The sea was the colour of slate, so we went home and ate the pie."
    metadata = naturalness_scorer(model=str(folder))(outputs=text).metadata
    assert float(metadata["voice"]) == Scorer(folder)([text])["voice"][0]
    assert "voice" not in naturalness_scorer(model=str(folder))(outputs=OUTPUTS[0]).metadata


def test_a_score_at_the_threshold_passes() -> None:
    """A score equal to the threshold passes."""
    assert list(map(naturalness_scorer(threshold=1).pass_if, [0.99, 1.0])) == [False, True]


def test_an_output_that_is_not_a_text_has_no_score(tmp_path: Path) -> None:
    """An object is not converted to a text."""
    feedback = naturalness_scorer(model=str(small_model(tmp_path / "model")))(outputs={"answer": OUTPUTS[0]})
    assert feedback.value is None
    assert feedback.error.error_message


def test_telemetry_is_off() -> None:
    """The import turns telemetry off."""
    assert is_telemetry_disabled()


def test_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The code on the page prints the output shown there."""
    code, output = example("docs/evaluators.md", "mlflow")
    monkeypatch.chdir(tmp_path)
    exec(code, {})
    assert output in capsys.readouterr().out
