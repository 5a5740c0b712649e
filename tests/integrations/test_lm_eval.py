"""The metric in lm-eval-harness; run by ``.ci/plugs lm-eval``."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
import yaml
from lm_eval import simple_evaluate
from lm_eval.api.instance import Instance
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager

from naturalness import Scorer
from naturalness.integrations.lm_eval import voice
from tests.support.documented import blocks, example
from tests.support.labelling import small_model, write_rows

OUTPUTS = ["The old man gave his book to the girl.", "He go to to school .", ""]
LONG = "The sea was the colour of slate, so we went home and ate the pie."
PYTHON = blocks("docs/evaluators.md", "python")
(MODULE,) = [block for block in PYTHON if block.endswith("lm_eval import naturalness\n")]
"""The file beside a task in YAML."""


class Echo(LM):
    """A model whose output is the prompt."""

    def generate_until(self, requests: list[Instance], **_: Any) -> list[str]:
        """Return the prompts."""
        return [request.arguments[0] for request in requests]

    def loglikelihood(self, requests: list[Instance], **_: Any) -> Any:
        """Do not answer."""
        raise NotImplementedError

    loglikelihood_rolling = loglikelihood


def task(folder: Path, **options: Any) -> dict[str, Any]:
    """Return a task over a local file, with options of the metric."""
    return {
        "task": "echo",
        "dataset_path": "json",
        "dataset_kwargs": {"data_files": str(write_rows(folder / "prompts.jsonl", [{"prompt": t} for t in OUTPUTS]))},
        "test_split": "train",
        "output_type": "generate_until",
        "doc_to_text": "prompt",
        "doc_to_target": "",
        "metric_list": [{"metric": "naturalness", **options}],
        "metadata": {"version": 1.0, "signature": "some"},
    }


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turn off access to the hub."""
    monkeypatch.setattr("datasets.config.HF_HUB_OFFLINE", True)


def evaluated(task: Any, **options: Any) -> Any:
    """Return the results of a task with the model above."""
    return simple_evaluate(Echo(), tasks=[task], bootstrap_iters=0, **options)


def test_in_an_evaluation(tmp_path: Path) -> None:
    """Each sample has the same score as in a list; the mean leaves out samples without a score."""
    folder = small_model(tmp_path / "model")
    scores = Scorer(folder)(OUTPUTS)["naturalness"]
    results = evaluated(task(tmp_path, model=str(folder)))
    assert str([sample["naturalness"] for sample in results["samples"]["echo"]]) == str(scores)
    assert results["results"]["echo"]["naturalness,none"] == pytest.approx(fmean(scores[:2]), abs=1e-12)
    assert results["higher_is_better"] == {"echo": {"naturalness": True}}
    assert results["configs"]["echo"]["metadata"]["signature"] == "some"


def test_voice_is_a_separate_metric() -> None:
    """The metric `voice` has the same values as a scorer."""
    (expected,) = Scorer("fast")([LONG])["voice"]
    assert voice([LONG], [""], "fast") == expected


def test_a_task_in_yaml(tmp_path: Path) -> None:
    """A task in YAML names the function of a Python file beside it, as the page says."""
    options = task(tmp_path, model=str(small_model(tmp_path / "model")))
    expected = evaluated(options)["results"]
    text = yaml.safe_dump(options).replace("metric: naturalness", "metric: !function natural.naturalness")
    (tmp_path / "echo.yaml").write_text(text)
    (tmp_path / "natural.py").write_text(MODULE)
    manager = TaskManager(include_path=str(tmp_path), include_defaults=False)
    assert json.dumps(evaluated("echo", task_manager=manager)["results"]) == json.dumps(expected)


def test_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The code on the page prints the output shown there."""
    code, output = example("docs/evaluators.md", "lm_eval")
    monkeypatch.chdir(tmp_path)
    exec(code, {})
    assert capsys.readouterr().out.endswith(output)
