"""The texts that taught the shipped models, hashed anew."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from naturalness.pipelines.scorer import load_model
from training.default_model.known import hash_anew
from training.default_model.products import PRODUCTS
from training.default_model.sets import SETS

TAUGHT = 91_653
"""Texts that taught the rating heads, the linear models' among them."""


@pytest.mark.parametrize("name", ["default", "fast"])
def test_shipped_models_know_texts_by_their_letters(name: str) -> None:
    """Run `python -m training.default_model RATINGS CORPORA TREEBANKS --hashes` if this fails."""
    seen = load_model(name).saved.seen
    assert not seen.spelled
    assert len(seen) == TAUGHT


@pytest.mark.parametrize("name", PRODUCTS)
def test_other_texts_are_refused(name: str, tmp_path: Path) -> None:
    """Hashes are not written of texts that did not teach the model."""
    for entry in SETS.values():
        opened = gzip.open if entry.file.endswith(".gz") else open
        with opened(tmp_path / entry.file, "wt") as file:
            file.write("text\trating\trating_z\nA plain sentence.\t1\t1\n")
    with pytest.raises(SystemExit, match="other texts than those that taught"):
        hash_anew(PRODUCTS[name], tmp_path)
