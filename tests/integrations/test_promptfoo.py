"""The assertion, called as promptfoo calls it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from naturalness import Scorer, explain
from naturalness.explaining.wording import repair_in_words, title_of
from naturalness.integrations.promptfoo import get_assert
from tests.support.labelling import small_model

SOUND = "The old man gave his book to the girl."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the folder of a model of quick groups."""
    return str(small_model(tmp_path_factory.mktemp("promptfoo") / "model"))


@pytest.mark.parametrize("above", [False, True])
def test_a_score_at_the_threshold_passes(above: bool, folder: str) -> None:
    """A score equal to the threshold passes; the result names the model."""
    scorer = Scorer(folder)
    columns = scorer([SOUND])
    (score,), (label,) = columns["naturalness"], columns["label"]
    threshold = score + 1e-9 * above
    label += f": {title_of(explain(SOUND, folder))}" * above
    result = get_assert(SOUND, {"config": {"model": folder, "threshold": threshold}})
    assert json.loads(json.dumps(result)) == {
        "pass": not above,
        "score": score,
        "reason": f"{label} (naturalness {score:.3f}, threshold {threshold:g})",
        "namedScores": {"naturalness": score},
        "metadata": {"signature": scorer.signature},
    }


def test_voice_is_reported_beside_the_score(folder: str) -> None:
    """Outputs of ten words or more have a voice, which does not affect the verdict."""
    text = "The sea was the colour of slate, so we went home and ate the pie."
    columns = Scorer(folder)([text])
    result = get_assert(text, {"config": {"model": folder, "threshold": 0}})
    assert result["namedScores"] == {name: columns[name][0] for name in ("naturalness", "voice")}
    assert result["score"] == columns["naturalness"][0]


def test_a_failure_names_cause_and_repair() -> None:
    """The reason of a failure is worded as in `explain`; that of an output that passes is its label."""
    faulty = "He go to the school yesterday."
    explained = explain(faulty, "fast", edits=1)
    assert explained.repair is not None
    said = f"{explained.verdict}; {repair_in_words(explained.repair)}"
    assert get_assert(faulty, {"config": {"model": "fast"}})["reason"].startswith(f"{said} (naturalness ")
    assert get_assert(SOUND, {"config": {"model": "fast"}})["reason"].startswith("natural (naturalness ")


@pytest.mark.parametrize("output", ["", "x" * 60_000, None, {"answer": SOUND}], ids=["empty", "long", "null", "object"])
def test_an_output_without_a_score_fails_with_the_reason(output: Any, folder: str) -> None:
    """An output without a score has a score of 0, since JSON has no NaN, and fails with the reason."""
    (reason,) = Scorer(folder)([output])["reason"]
    result = get_assert(output, {"config": {"model": folder, "threshold": 0}})
    assert (result["pass"], result["score"], result["namedScores"]) == (False, 0, {})
    assert reason and result["reason"] == f"{reason} (naturalness nan, threshold 0)"
    json.dumps(result, allow_nan=False)


def test_an_unknown_option_is_an_error(folder: str) -> None:
    """An unknown option raises an error."""
    with pytest.raises(TypeError, match="temperature"):
        get_assert(SOUND, {"config": {"model": folder, "temperature": 0}})


@pytest.mark.slow
def test_without_a_configuration(tmp_path: Path) -> None:
    """Without a configuration, the assertion uses the default model with a threshold of .5."""
    from tests.support.documented import blocks

    (block,) = [block for block in blocks("docs/evaluators.md", "python") if "promptfoo" in block]
    names: dict[str, Any] = {}
    exec(block, names)
    assert names["get_assert"](SOUND, {})["metadata"] == {"signature": Scorer().signature}
