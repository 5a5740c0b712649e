"""ROUGE-LM with frozen norms and with those of the set."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import zscore

from naturalness.errors import AssetError
from naturalness.metrics import rouge_lm
from naturalness.metrics.rouge_lm import ROUGE_LM_METRICS, PartNorm, RougeLmNorms, load_norms, norm_of
from naturalness.text.parsing import parse
from tests.support.metrics import ChosenPairs
from training.norms import build, write

MODEL = ChosenPairs(("rain falls", "snow falls"))
FROZEN, OF_THE_SET = (replace(metric, model=MODEL) for metric in ROUGE_LM_METRICS)
TEXTS = ["rain falls", "falls rain", "snow falls", "falls", ""]
REFERENCES = [["rain falls"], ["rain falls", "falls"], ["rain"], ["falls"], ["rain"]]
# WPSLOR: ln 10 where the model expects all three units, ln 1/2 where it expects none; of "falls"
# and its end only the end is expected. ROUGE-L: 2 x 2 / 4; 2 x 1 / 3 (the second one); 0; 1.
FLUENCY = [math.log(10), math.log(0.5), math.log(10), (math.log(10) + math.log(0.5)) / 2]
OVERLAP = [1.0, 2 / 3, 0.0, 1.0]


def chosen_norms(wpslor: PartNorm, rouge: PartNorm) -> RougeLmNorms:
    """Return arbitrary norms."""
    return RougeLmNorms("chosen.tsv", "2000-01-01", "by hand", 4, MODEL.signature, wpslor, rouge)


def test_frozen_norms_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """(ln 10 - 1) / 2 + (1 - 0.5) / 0.25, and so on."""
    norms = chosen_norms(PartNorm(1.0, 2.0), PartNorm(0.5, 0.25))
    monkeypatch.setattr(rouge_lm, "load_norms", lambda: norms)
    expected = [(f - 1) / 2 + (o - 0.5) / 0.25 for f, o in zip(FLUENCY, OVERLAP, strict=True)]
    scores = FROZEN.score(parse(TEXTS), REFERENCES)
    np.testing.assert_allclose(scores, [*expected, math.nan])
    assert scores[0] == pytest.approx(2.6512925)
    assert f"norms:chosen.tsv,4,2000-01-01,{norms.lm}|" in FROZEN.signature


def test_frozen_norms_of_another_model_are_refused() -> None:
    """The shipped norms do not fit a model of chosen numbers."""
    with pytest.raises(AssetError, match=r"frozen with the language model pieces.*rouge-lm-set"):
        FROZEN.score(parse(TEXTS), REFERENCES)


def test_norms_of_the_set_are_z_scores() -> None:
    """SciPy's z-scores over the rows with both parts."""
    scores = OF_THE_SET.score(parse(TEXTS), REFERENCES)
    np.testing.assert_allclose(scores, [*(zscore(FLUENCY) + zscore(OVERLAP)), math.nan])
    assert np.nanmean(scores) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("n", [1, 3])
def test_a_set_of_equals_has_no_norms(n: int) -> None:
    """Without variance the score is NaN, and no huge number from rounding."""
    docs = parse(["rain falls"] * n)
    assert np.isnan(OF_THE_SET.score(docs, [["rain falls"]] * n)).all()
    assert norm_of(np.full(3, 0.1)).deviation == 0


def test_norms_are_built_from_a_table(tmp_path: Path) -> None:
    """Mean and deviation of the rows with both parts survive writing and reading."""
    table = tmp_path / "made_up.tsv"
    rows = ["text\treferences"]
    rows += [f"{t}\t{json.dumps(r)}" for t, r in zip(TEXTS, REFERENCES, strict=True)]
    table.write_text("\n".join([*rows, "rain falls\t", ""]))
    norms = build(table, MODEL)
    assert (norms.set, norms.n, norms.lm) == ("made_up.tsv", 4, MODEL.signature)
    assert norms.wpslor.mean == pytest.approx(np.mean(FLUENCY))
    assert norms.wpslor.deviation == pytest.approx(np.std(FLUENCY))
    assert norms.rouge_l.mean == pytest.approx(np.mean(OVERLAP))
    assert norms.rouge_l.deviation == pytest.approx(np.std(OVERLAP))
    write(norms, tmp_path / "norms.json")
    assert load_norms(tmp_path / "norms.json") == norms
