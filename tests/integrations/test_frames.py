"""A scorer in data engines that start quickly; `test_engines.py` tests the others."""

from __future__ import annotations

import pandas as pd
import polars as pl
import pytest

from naturalness import Scorer
from naturalness.errors import TableError
from naturalness.judging.fields import NO_VOICE
from tests.support.engines import LIGHT, columns_of
from tests.support.labelling import small_model

TEXTS = ["The old man gave his book to the girl.", None, "", "...", "x" * 60_000, "She have no idea."] * 3


@pytest.fixture(scope="module")
def scorer(tmp_path_factory: pytest.TempPathFactory) -> Scorer:
    """A scorer with a model of quick groups."""
    return Scorer(small_model(tmp_path_factory.mktemp("frames") / "model"))


@pytest.mark.parametrize("engine", LIGHT.values(), ids=list(LIGHT))
def test_an_engine_has_the_scores_of_a_list(engine: object, scorer: Scorer) -> None:
    """An engine returns the same scores, labels and reasons as for a list, in order and to the last digit."""
    assert str(columns_of(engine(scorer, TEXTS, 1), scorer.columns)) == str(scorer(TEXTS))


def test_missing_values_of_pandas_are_empty_texts(scorer: Scorer) -> None:
    """Missing values of any kind count as empty texts, and the frame keeps its index."""
    frame = scorer(pd.DataFrame({"text": [TEXTS[0], None, pd.NA, float("nan")]}, index=list("abcd"), dtype=object))
    assert list(frame.reason) == [NO_VOICE, *["empty text"] * 3]
    assert list(frame.index) == list("abcd")
    assert str(scorer([TEXTS[0], pd.NA])) == str(scorer([TEXTS[0], None]))
    with pytest.raises(TableError, match=r"no column 'text'; it has: 0, 1. Name"):
        scorer(pd.DataFrame([[TEXTS[0], 3]]))


def test_a_minimum_leaves_out_what_has_no_score(scorer: Scorer) -> None:
    """A minimum drops rows without a score: a missing score is null, since Polars sorts NaN above every number."""
    frame = scorer(pl.DataFrame({"text": TEXTS}))
    assert frame.filter(pl.col("naturalness") >= 0)["text"].unique(maintain_order=True).to_list() == [
        TEXTS[0],
        TEXTS[-1],
    ]
    assert Scorer(scorer.model, ["label"])(frame["text"]).to_list() == frame["label"].to_list()
