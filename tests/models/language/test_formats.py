"""Files compared with the output of `lmplz` and `build_binary trie`, and with KenLM's scores."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

from naturalness.models.language.formats import murmur64, write_arpa, write_binary
from naturalness.models.language.kneser_ney import estimate
from tests.support.reference_models import ASSETS, MODELS, Model, corpus, read_arpa


@pytest.mark.parametrize("reference", MODELS, ids=lambda reference: reference.arpa)
def test_binary_files_equal_those_of_build_binary(tmp_path: Path, reference: Model) -> None:
    """The bytes are those that `build_binary trie` writes for the same ARPA file."""
    write_binary(read_arpa(ASSETS / reference.arpa), tmp_path / "model")
    assert hashlib.sha256((tmp_path / "model").read_bytes()).hexdigest() == reference.trie


@pytest.mark.parametrize(("order", "prune"), [(2, ()), (5, ()), (4, (0, 1, 1, 2))])
def test_both_files_have_the_same_scores(tmp_path: Path, order: int, prune: tuple[int, ...]) -> None:
    """KenLM returns the same probability, n-gram length and status for each token from both files."""
    kenlm = pytest.importorskip("kenlm")
    model = estimate(corpus(), order=order, prune=prune)
    write_binary(model, tmp_path / "model")
    write_arpa(model, tmp_path / "model.arpa")
    ours, theirs = (kenlm.Model(str(tmp_path / name)) for name in ("model", "model.arpa"))
    for line in [*corpus(), "zuri unseen zuri", " ".join(reversed(corpus()[0].split()))]:
        assert list(ours.full_scores(line)) == list(theirs.full_scores(line))


def test_kenlm_finds_words_of_every_length(tmp_path: Path) -> None:
    """Hashes equal those of KenLM, also for letters of several bytes."""
    kenlm = pytest.importorskip("kenlm")
    words = ["x" * n for n in range(1, 40)] + ["é" * n for n in range(1, 20)] + ["“", "100%"]
    write_binary(estimate([" ".join(words)], order=2), tmp_path / "model")
    model = kenlm.Model(str(tmp_path / "model"))
    assert all(word in model for word in words)
    assert "xé" not in model
    assert murmur64([b""]).tolist() == [0]


def test_an_arpa_file_keeps_every_digit(tmp_path: Path) -> None:
    """Values are read back to the last bit; words may contain any character but white space."""
    model = estimate([*corpus()[:50], "naïve “quote” \u00a0 \u2028x 100%s"], order=4)
    write_arpa(model, tmp_path / "model.arpa")
    again = read_arpa(tmp_path / "model.arpa")
    assert again.vocabulary == model.vocabulary
    for name in ("ids", "logprobs", "backoffs"):
        for mine, theirs in zip(getattr(again, name), getattr(model, name), strict=True):
            np.testing.assert_array_equal(mine, theirs)


@pytest.mark.parametrize("reference", MODELS, ids=lambda reference: reference.arpa)
def test_arpa_files_equal_those_of_lmplz(tmp_path: Path, reference: Model) -> None:
    """Order and digits are those of lmplz, except for the spelling of very small numbers."""
    write_arpa(read_arpa(ASSETS / reference.arpa), tmp_path / "model.arpa")
    ours = (tmp_path / "model.arpa").read_text(encoding="utf-8").split()
    theirs = (ASSETS / reference.arpa).read_text(encoding="utf-8").split()
    assert [x for x in ours if "e-" not in x] == [y for x, y in zip(ours, theirs, strict=True) if "e-" not in x]
