"""ROUGE-L, and ROUGE-LM with frozen norms."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.errors import AssetError
from naturalness.metrics import rouge
from naturalness.metrics.rouge import ROUGE_L, ROUGE_LM, PartNorm, RougeLmNorms, lcs_length, load_norms, norm_of
from naturalness.metrics.slor import likelihood_metric
from naturalness.models.language.likelihood import slor
from naturalness.text.parsing import parse
from tests.support.metrics import ChosenPairs
from training.norms import build, write

MODEL = ChosenPairs(("rain falls", "snow falls"))
TEXTS = ["rain falls", "falls rain", "snow falls", "falls", ""]
REFERENCES = [["rain falls"], ["rain falls", "falls"], ["rain"], ["falls"], ["rain"]]
# WPSLOR: ln 10 where the model expects all three units, ln 1/2 where it expects none; of "falls"
# and its end only the end is expected. ROUGE-L: 2 x 2 / 4; 2 x 1 / 3 (the second one); 0; 1.
FLUENCY = [math.log(10), math.log(0.5), math.log(10), (math.log(10) + math.log(0.5)) / 2]
OVERLAP = [1.0, 2 / 3, 0.0, 1.0]
LETTERS = st.text("abc", max_size=90)  # beyond one machine word


def lcs_by_table(one: str, other: str) -> int:
    """Return the longest common subsequence by dynamic programming."""
    rows = [[0] * (len(other) + 1)]
    for a in one:
        row = [0]
        for j, b in enumerate(other):
            row.append(rows[-1][j] + 1 if a == b else max(row[j], rows[-1][j + 1]))
        rows.append(row)
    return rows[-1][-1]


@given(one=LETTERS, other=LETTERS)
def test_longest_common_subsequence(one: str, other: str) -> None:
    """The bit-parallel length equals that of dynamic programming, in both directions."""
    assert lcs_length(one, other) == lcs_length(other, one) == lcs_by_table(one, other)


def test_rouge_l_on_texts() -> None:
    """ROUGE-L ignores case, spacing and blank references, counts punctuation, and is undefined without a reference.

    Rain falls . (3 tokens) and rain falls again . (4) have a common subsequence of 3.
    """
    references = [["Snow falls .", "", "RAIN falls again."], [" "], []]
    scores = ROUGE_L.score(parse(["Rain  falls."] * 3), references)
    np.testing.assert_allclose(scores, [6 / 7, np.nan, np.nan])


def test_references_of_the_wrong_shape_are_refused() -> None:
    """A missing row and a text instead of a list are errors."""
    docs = parse(["Rain falls.", "Snow falls."])
    with pytest.raises(ValueError, match="references for 1 texts, expected one list for each of"):
        ROUGE_L.score(docs, [["Rain."]])
    with pytest.raises(TypeError, match=r"found 'Rain\.'; use \[text\]"):
        ROUGE_L.score(docs, ["Rain.", "Snow."])


@pytest.fixture
def chosen(monkeypatch: pytest.MonkeyPatch) -> RougeLmNorms:
    """Use a model of chosen probabilities for WPSLOR, and norms that fit it."""
    norms = RougeLmNorms(
        "chosen.tsv", "2000-01-01", "by hand", 4, MODEL.signature, PartNorm(1.0, 2.0), PartNorm(0.5, 0.25)
    )
    monkeypatch.setattr(rouge, "WPSLOR", likelihood_metric("wpslor", slor, lambda: MODEL, ""))
    monkeypatch.setattr(rouge.shipped, "pieces", lambda: MODEL)
    monkeypatch.setattr(rouge, "load_norms", lambda: norms)
    return norms


def test_rouge_lm_by_hand(chosen: RougeLmNorms) -> None:
    """The score is a sum of z-scores: (ln 10 - 1) / 2 + (1 - 0.5) / 0.25, and so on."""
    expected = [(f - 1) / 2 + (o - 0.5) / 0.25 for f, o in zip(FLUENCY, OVERLAP, strict=True)]
    scores = ROUGE_LM.score(parse(TEXTS), REFERENCES)
    np.testing.assert_allclose(scores, [*expected, math.nan])
    assert f"norms:chosen.tsv,4,2000-01-01,{chosen.lm}|" in ROUGE_LM.signature


def test_norms_of_another_model_are_refused(chosen: RougeLmNorms, monkeypatch: pytest.MonkeyPatch) -> None:
    """Norms that were computed with another language model raise an error."""
    monkeypatch.setattr(rouge, "load_norms", lambda: replace(chosen, lm="another"))
    with pytest.raises(AssetError, match="computed with the language model another"):
        ROUGE_LM.score(parse(TEXTS), REFERENCES)


def test_equal_values_have_no_z_scores() -> None:
    """Without variance, z-scores are NaN rather than huge numbers from rounding."""
    norm = norm_of(np.full(3, 0.1))
    assert norm.deviation == 0 and np.isnan(norm.z(np.full(3, 0.1))).all()


def test_norms_are_built_from_a_table(chosen: RougeLmNorms, tmp_path: Path) -> None:
    """Mean and deviation of the rows with both parts survive writing and reading."""
    table = tmp_path / "made_up.tsv"
    rows = ["text\treferences"]
    rows += [f"{t}\t{json.dumps(r)}" for t, r in zip(TEXTS, REFERENCES, strict=True)]
    table.write_text("\n".join([*rows, "rain falls\t", ""]))
    norms = build(table, MODEL)
    assert (norms.set, norms.n, norms.lm) == ("made_up.tsv", 4, MODEL.signature)
    assert norms.wpslor == PartNorm(pytest.approx(np.mean(FLUENCY)), pytest.approx(np.std(FLUENCY)))
    assert norms.rouge_l == PartNorm(pytest.approx(np.mean(OVERLAP)), pytest.approx(np.std(OVERLAP)))
    write(norms, tmp_path / "norms.json")
    assert load_norms(tmp_path / "norms.json") == norms
