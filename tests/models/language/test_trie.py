"""The reader of KenLM's tries: the same digits as KenLM, and safety with damaged files."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from naturalness.errors import MissingPackage, ModelError
from naturalness.files.resources import has_package, locate
from naturalness.models.language import ngram
from naturalness.models.language.formats import write_binary
from naturalness.models.language.ngram import full_scores, open_kenlm
from naturalness.models.language.trie import TrieModel, check_file, check_pointers, open_trie, trie_of
from naturalness.text.view import word_set
from tests.support.reference_models import ASSETS, MODELS, Model, read_arpa

SHIPPED = [
    ("words", "order-5.binary"),
    ("pieces", "order-5.binary"),
    *(("tags", f"order-{n}.binary") for n in (2, 3, 4, 5)),
]
WORDS = {
    "words": sorted(
        word_set("the old man gave his book to a girl who was zzzgh in of it is said that he had been , .")
    ),
    "pieces": sorted(word_set("▁the ▁old ▁man s ing ▁of ▁it ▁was ed . zzz")),
    "tags": sorted(word_set("DT JJ NN NNS VBD IN PRP MD VB . , TO XX")),
}


def lines_of(units: list[str], n: int = 200) -> list[str]:
    """Return lines of 1 to 30 words, with duplicates and an empty line."""
    rng = random.Random(0)
    lines = [" ".join(rng.choices(units, k=rng.randint(1, 30))) for _ in range(n)]
    return [*lines, "", lines[0]]


@pytest.fixture
def without_kenlm(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the package kenlm."""
    monkeypatch.setattr(ngram, "has_package", lambda module: False)


def check_scores(path: Path, lines: list[str]) -> None:
    """Compare the scores of our reader, in a batch and line by line, with those of KenLM."""
    pytest.importorskip("kenlm")
    ours = full_scores(open_trie(path), lines)
    for expected, values in zip(full_scores(open_kenlm(path), lines), ours, strict=True):
        np.testing.assert_array_equal(values, expected)
    alone = [full_scores(open_trie(path), [line])[0] for line in lines]
    np.testing.assert_array_equal(np.concatenate(alone), ours[0])


@pytest.mark.parametrize(("asset", "name"), SHIPPED)
def test_shipped_models_have_the_digits_of_kenlm(asset: str, name: str) -> None:
    """Shipped tries, quantised with full or compressed pointers, give the same digits as with KenLM."""
    check_scores(locate(asset) / name, lines_of(WORDS[asset]))


@pytest.mark.parametrize("reference", MODELS, ids=lambda reference: reference.arpa)
def test_trained_models_have_the_digits_of_kenlm(reference: Model, tmp_path: Path) -> None:
    """Trained tries, which are not quantised and may be pruned, give the same digits as with KenLM."""
    ngrams = read_arpa(ASSETS / reference.arpa)
    write_binary(ngrams, tmp_path / "model.binary")
    check_scores(tmp_path / "model.binary", lines_of(ngrams.vocabulary[3:60]))


@pytest.mark.usefixtures("without_kenlm")
def test_binary_files_are_read_without_kenlm() -> None:
    """Without the package, our own reader opens binary files; ARPA files need the package."""
    assert isinstance(open_kenlm(locate("words") / "order-5.binary", trusted=True), TrieModel)
    if not has_package("kenlm"):
        with pytest.raises(MissingPackage, match=r"order3\.arpa' needs package 'kenlm'"):
            open_kenlm(ASSETS / "order3.arpa")


def test_other_files_are_refused(tmp_path: Path) -> None:
    """Hash tables, truncated files and text files are refused."""
    data = (locate("tags") / "order-3.binary").read_bytes()
    probing = bytearray(data)
    probing[96] = 0
    (tmp_path / "probing.binary").write_bytes(probing)
    with pytest.raises(ModelError, match=r"it is a hash table, .* \(build_binary trie\)"):
        open_kenlm(tmp_path / "probing.binary")
    for size in (60, 200, 1_000, len(data) - 100):
        with pytest.raises((ValueError, IndexError)):
            trie_of(np.frombuffer(data[:size], np.uint8))
    (tmp_path / "text.binary").write_text("no model at all\n", encoding="utf-8")
    with pytest.raises(ModelError, match="neither binary nor an uncompressed ARPA file"):
        open_kenlm(tmp_path / "text.binary")


@pytest.mark.parametrize(("name", "file"), SHIPPED)
def test_pointers_beyond_the_file_are_refused(name: str, file: str, tmp_path: Path) -> None:
    """Pointers that KenLM would follow beyond the file are refused; shipped files are accepted."""
    source = locate(name) / file
    check_file(source)
    data = np.fromfile(source, np.uint8)
    model = trie_of(data)
    (tmp_path / "forged").write_bytes(data.tobytes())
    unigrams = np.memmap(tmp_path / "forged", np.uint8, "r+")
    trie_of(unigrams).unigrams["next"][3] = model.levels[0].size + 1
    unigrams.flush()
    with pytest.raises(ValueError, match="pointers that are out of order or out of range"):
        check_file(tmp_path / "forged")
    for level, longer in pairwise(model.levels):
        with pytest.raises(ValueError, match="pointers that are out of order or out of range"):
            check_pointers(level.pointers(), longer.size - 1)
