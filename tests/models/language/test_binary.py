"""Binary files: the bytes of `build_binary trie`, and the scores of the model."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from naturalness.errors import ModelError
from naturalness.models.language.arpa import read_arpa, write_arpa
from naturalness.models.language.binary import murmur64, write_binary
from naturalness.models.language.kneser_ney import estimate
from naturalness.models.language.ngram import open_kenlm
from naturalness.models.language.tables import START
from tests.support.reference_models import ASSETS, MODELS, Model, corpus, token_logprobs


def scores(path: Path, line: str) -> list[tuple[float, int, bool]]:
    """Of each token and the sentence end: log10 probability, length of the n-gram, unknown."""
    return list(open_kenlm(path).full_scores(line))


@pytest.mark.parametrize("reference", MODELS, ids=lambda reference: reference.arpa)
def test_the_file_is_that_of_build_binary(tmp_path: Path, reference: Model) -> None:
    """Byte for byte, from the ARPA file that it was given."""
    write_binary(read_arpa(ASSETS / reference.arpa), tmp_path / "model")
    assert hashlib.sha256((tmp_path / "model").read_bytes()).hexdigest() == reference.trie


@pytest.mark.parametrize(("order", "prune"), [(2, ()), (3, ()), (5, ()), (4, (0, 1, 1, 2))])
def test_scores_are_those_of_the_arpa_file(tmp_path: Path, order: int, prune: tuple[int, ...]) -> None:
    """For every token: probability, length of n-gram, and whether it is known."""
    kenlm = pytest.importorskip("kenlm")
    model = estimate(corpus(), order=order, prune=prune)
    write_binary(model, tmp_path / "model")
    write_arpa(model, tmp_path / "model.arpa")
    ours, theirs = (kenlm.Model(str(tmp_path / name)) for name in ("model", "model.arpa"))
    for line in [*corpus(), "zuri unseen zuri", " ".join(reversed(corpus()[0].split()))]:
        assert list(ours.full_scores(line)) == list(theirs.full_scores(line))


def test_words_of_every_length_are_found(tmp_path: Path) -> None:
    """Their hashes are kenlm's, in letters of several bytes too."""
    kenlm = pytest.importorskip("kenlm")
    words = ["x" * n for n in range(1, 40)] + ["é" * n for n in range(1, 20)] + ["“", "100%"]
    write_binary(estimate([" ".join(words)], order=2), tmp_path / "model")
    model = kenlm.Model(str(tmp_path / "model"))
    assert all(word in model for word in words)
    assert "xé" not in model
    assert murmur64([b""]).tolist() == [0]


@pytest.mark.parametrize("lines", [["a"], ["a b", "b"]])
def test_an_order_without_ngrams(tmp_path: Path, lines: list[str]) -> None:
    """It opens and scores with what there is."""
    model = estimate(lines, order=5)
    assert model.sizes[4] == 0
    write_binary(model, tmp_path / "model")
    logprobs = [score for score, _, _ in scores(tmp_path / "model", "a x")]
    np.testing.assert_allclose(logprobs, token_logprobs(model, ["a", "x"]), atol=1e-5)


def test_order_of_ngrams_does_not_matter(tmp_path: Path) -> None:
    """Shuffled rows give the same file."""
    model = estimate(corpus()[:60], order=3)
    chance = np.random.default_rng(0)
    turns = [np.arange(model.sizes[0]), *(chance.permutation(n) for n in model.sizes[1:])]
    shuffled = replace(
        model,
        ids=tuple(rows[turn] for rows, turn in zip(model.ids, turns, strict=True)),
        logprobs=tuple(x[turn] for x, turn in zip(model.logprobs, turns, strict=True)),
        backoffs=tuple(x[turn] for x, turn in zip(model.backoffs, turns, strict=False)),
    )
    write_binary(model, tmp_path / "one")
    write_binary(shuffled, tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_what_kenlm_cannot_hold_is_said(tmp_path: Path) -> None:
    """A context that is missing, an n-gram or a word twice."""
    model = estimate(["a b c", "b c a"], order=3)
    bigrams = (model.ids[1] != [START, model.vocabulary.index("a")]).any(axis=1)
    cut = replace(
        model,
        ids=(model.ids[0], model.ids[1][bigrams], model.ids[2]),
        logprobs=(model.logprobs[0], model.logprobs[1][bigrams], model.logprobs[2]),
        backoffs=(model.backoffs[0], model.backoffs[1][bigrams]),
    )
    others = (model.ids[1] != model.ids[2][0, 1:]).any(axis=1)
    endless = replace(
        model,
        ids=(model.ids[0], model.ids[1][others], model.ids[2]),
        logprobs=(model.logprobs[0], model.logprobs[1][others], model.logprobs[2]),
        backoffs=(model.backoffs[0], model.backoffs[1][others]),
    )
    double = replace(
        model,
        ids=(*model.ids[:2], np.concatenate([model.ids[2], model.ids[2][:1]])),
        logprobs=(*model.logprobs[:2], np.concatenate([model.logprobs[2], model.logprobs[2][:1]])),
    )
    same = replace(model, vocabulary=[*model.vocabulary[:-1], model.vocabulary[-2]])
    for broken, message in (
        (endless, "without its ending"),
        (cut, "the n-gram '<s> a .*' without its context '<s> a'"),
        (double, "twice; expected it once"),
        (same, "two words that are the same"),
    ):
        with pytest.raises(ModelError, match=message):
            write_binary(broken, tmp_path / "model")
    assert list(tmp_path.iterdir()) == []
