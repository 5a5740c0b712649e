"""Binary files compared with the output of `build_binary trie` and with KenLM's scores."""

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
from naturalness.models.language.tables import START, Ngrams
from tests.support.reference_models import ASSETS, MODELS, Model, corpus


@pytest.mark.parametrize("reference", MODELS, ids=lambda reference: reference.arpa)
def test_the_file_is_that_of_build_binary(tmp_path: Path, reference: Model) -> None:
    """The bytes are those that `build_binary trie` writes for the same ARPA file."""
    write_binary(read_arpa(ASSETS / reference.arpa), tmp_path / "model")
    assert hashlib.sha256((tmp_path / "model").read_bytes()).hexdigest() == reference.trie


@pytest.mark.parametrize(("order", "prune"), [(2, ()), (3, ()), (5, ()), (4, (0, 1, 1, 2))])
def test_scores_are_those_of_the_arpa_file(tmp_path: Path, order: int, prune: tuple[int, ...]) -> None:
    """KenLM gives each token the same probability, n-gram length and status from both files."""
    kenlm = pytest.importorskip("kenlm")
    model = estimate(corpus(), order=order, prune=prune)
    write_binary(model, tmp_path / "model")
    write_arpa(model, tmp_path / "model.arpa")
    ours, theirs = (kenlm.Model(str(tmp_path / name)) for name in ("model", "model.arpa"))
    for line in [*corpus(), "zuri unseen zuri", " ".join(reversed(corpus()[0].split()))]:
        assert list(ours.full_scores(line)) == list(theirs.full_scores(line))


def test_words_of_every_length_are_found(tmp_path: Path) -> None:
    """Hashes equal KenLM's, also for letters of several bytes."""
    kenlm = pytest.importorskip("kenlm")
    words = ["x" * n for n in range(1, 40)] + ["é" * n for n in range(1, 20)] + ["“", "100%"]
    write_binary(estimate([" ".join(words)], order=2), tmp_path / "model")
    model = kenlm.Model(str(tmp_path / "model"))
    assert all(word in model for word in words)
    assert "xé" not in model
    assert murmur64([b""]).tolist() == [0]


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


def test_kenlm_cannot_hold_some_models(tmp_path: Path) -> None:
    """An n-gram without its context or its ending, or listed twice, is an error, and no file is left."""
    model = estimate(["a b c", "b c a"], order=3)

    def with_rows(k: int, rows: object) -> Ngrams:
        parts = {name: list(getattr(model, name)) for name in ("ids", "logprobs", "backoffs")}
        for listed in parts.values():
            listed[k - 1 : k] = [part[rows] for part in listed[k - 1 : k]]
        return replace(model, **{name: tuple(listed) for name, listed in parts.items()})

    context = (model.ids[1] != [START, model.vocabulary.index("a")]).any(axis=1)
    ending = (model.ids[1] != model.ids[2][0, 1:]).any(axis=1)
    for broken, message in (
        (with_rows(2, ending), "without its ending"),
        (with_rows(2, context), "the n-gram '<s> a .*' without its context '<s> a'"),
        (with_rows(3, [*range(model.sizes[2]), 0]), "twice; expected it once"),
        (replace(model, vocabulary=[*model.vocabulary[:-1], model.vocabulary[-2]]), "two words that are the same"),
    ):
        with pytest.raises(ModelError, match=message):
            write_binary(broken, tmp_path / "model")
    assert list(tmp_path.iterdir()) == []
