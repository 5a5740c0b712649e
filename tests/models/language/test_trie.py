"""Our reader of KenLM's tries: the same digits as KenLM, and safe with damaged files."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from naturalness.errors import ModelError
from naturalness.files.resources import locate
from naturalness.models.language import ngram
from naturalness.models.language.arpa import read_arpa
from naturalness.models.language.binary import write_binary
from naturalness.models.language.ngram import full_scores, open_kenlm
from naturalness.models.language.trie import TrieModel, check_file, check_pointers, open_trie, trie_of
from naturalness.text.parsing import parse
from naturalness.text.view import word_set

ASSETS = Path(__file__).parents[2] / "assets" / "language"
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


@pytest.mark.parametrize(("asset", "name"), SHIPPED)
def test_shipped_models_have_the_same_digits(asset: str, name: str) -> None:
    """Quantised tries with full and with compressed pointers have KenLM's digits, in a batch and alone."""
    pytest.importorskip("kenlm")
    path = locate(asset) / name
    lines = lines_of(WORDS[asset])
    theirs, ours = full_scores(open_kenlm(path, trusted=True), lines), full_scores(open_trie(path), lines)
    for expected, values in zip(theirs, ours, strict=True):
        np.testing.assert_array_equal(values, expected)
    alone = [full_scores(open_trie(path), [line])[0] for line in lines]
    np.testing.assert_array_equal(np.concatenate(alone), ours[0])


@pytest.mark.parametrize("source", sorted(ASSETS.glob("*.arpa*")), ids=lambda path: path.name)
def test_models_that_are_not_quantised(source: Path, tmp_path: Path) -> None:
    """Tries that `lm train` writes have KenLM's digits, also after pruning."""
    pytest.importorskip("kenlm")
    ngrams = read_arpa(source)
    write_binary(ngrams, tmp_path / "model.binary")
    lines = lines_of([word for word in ngrams.vocabulary if word not in ("<s>", "</s>", "<unk>")][:60])
    theirs = full_scores(open_kenlm(tmp_path / "model.binary"), lines)
    ours = full_scores(open_trie(tmp_path / "model.binary"), lines)
    for expected, values in zip(theirs, ours, strict=True):
        np.testing.assert_array_equal(values, expected)


@pytest.mark.usefixtures("without_kenlm")
def test_texts_are_scored_without_kenlm(tmp_path: Path) -> None:
    """Binary and ARPA files are opened without the package."""
    docs = parse(["The old man gave his book to the girl.", "?", "Well."])
    model = open_kenlm(locate("words") / "order-5.binary", trusted=True)
    assert isinstance(model, TrieModel) and model.order == 5
    with_package = ngram._with_kenlm(locate("words") / "order-5.binary") if _kenlm() else model
    line = " ".join(token.lower_ for token in docs[0])
    assert list(model.full_scores(line)) == list(with_package.full_scores(line))
    arpa = next(iter(sorted(ASSETS.glob("*.arpa*"))))
    assert isinstance(open_kenlm(arpa), TrieModel)


def _kenlm() -> Any:
    try:
        import kenlm
    except ImportError:
        return None
    return kenlm


@pytest.mark.usefixtures("without_kenlm")
def test_other_files_are_refused(tmp_path: Path) -> None:
    """Hash tables, truncated files and text are refused."""
    data = (locate("tags") / "order-3.binary").read_bytes()
    probing = bytearray(data)
    probing[96] = 0
    (tmp_path / "probing.binary").write_bytes(probing)
    with pytest.raises(ModelError, match=r"kenlm package alone reads \(pip install kenlm\)"):
        open_kenlm(tmp_path / "probing.binary")
    for size in (60, 200, 1_000, len(data) - 100):
        with pytest.raises((ValueError, IndexError)):
            trie_of(np.frombuffer(data[:size], np.uint8))
    (tmp_path / "text.binary").write_text("no model at all\n", encoding="utf-8")
    with pytest.raises(ModelError, match="with which an ARPA file begins"):
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
    with pytest.raises(ValueError, match="pointers that lead beyond it"):
        check_file(tmp_path / "forged")
    for level, longer in pairwise(model.levels):
        with pytest.raises(ValueError, match="pointers that lead beyond it"):
            check_pointers(level.pointers(), longer.size - 1)
