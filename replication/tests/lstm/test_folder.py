"""Folders of neural models: numbers as numpy gives them, changed files and companions refused."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from naturalness.errors import ModelError
from naturalness.models.language.base import END, LanguageModel
from naturalness.models.language.likelihood import slor
from naturalness.models.language.neural.model import DESCRIPTION, NETWORK, NeuralModel
from naturalness.models.language.spec import open_single
from naturalness.models.language.store import MANIFEST, manifest_data
from naturalness.models.language.units import OTHER
from naturalness_replication.lstm.folder import open_language_model
from replication.tests.support.tiny_lstm import known_units, reference, weights, write_tiny
from tests.support.language_models import KITCHEN, doc_of, train

CLOSE = 1e-4
TEXT = "Old Peter saw a zebra ."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A network that knows all that its companion does."""
    return write_tiny(tmp_path_factory.mktemp("whole"))


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A network that knows five units."""
    return write_tiny(tmp_path_factory.mktemp("narrow"), units=5)


def opened(folder: Path) -> NeuralModel:
    """The model of a folder."""
    model = open_language_model(str(folder))
    assert isinstance(model, NeuralModel)
    return model


def wanted(folder: Path, text: str) -> list[float]:
    """ln p of each word and the end, by numpy."""
    rows = json.loads((folder / DESCRIPTION).read_text())["vocabulary"]
    ids = [rows.index(word) if word in rows else 0 for word in text.split()]
    logs = reference([1, *ids], weights(len(rows)))
    return [float(logs[i, row]) for i, row in enumerate([*ids, 2])]


def test_the_numbers_are_those_of_numpy(folder: Path) -> None:
    """Of each word, the unknown and the end; the companion's frequencies beside them."""
    model = opened(folder)
    assert isinstance(model, LanguageModel)
    scores = model.token_logprobs([doc_of(TEXT)])[0]
    np.testing.assert_allclose(scores.logprobs, wanted(folder, TEXT), atol=CLOSE)
    counted = open_single(str(folder.parent / "m")).token_logprobs([doc_of(TEXT)])[0]
    np.testing.assert_array_equal(scores.unigrams, counted.unigrams)
    assert scores.units == [*TEXT.split(), END]
    assert scores.unknown.tolist() == [False, False, False, True, True, False, False]
    assert opened(folder) is model


def test_what_the_network_lacks_is_one_unit(narrow: Path) -> None:
    """Alone it gives all such words one probability, and so they have one frequency."""
    model, whole = opened(narrow), open_single(str(narrow.parent / "m"))
    assert whole.vocabulary is not None
    units = known_units(narrow.parent / "m")[:5]
    frequencies = whole.vocabulary.frequencies
    rest = 1 - sum(math.exp(frequencies[unit]) for unit in units) - math.exp(whole.vocabulary.end)
    scores = model.token_logprobs([doc_of(f"{units[3]} boat zebra")])[0]
    np.testing.assert_allclose(
        scores.unigrams, [frequencies[units[3]], math.log(rest), math.log(rest), whole.vocabulary.end]
    )
    assert scores.unknown.tolist() == [False, True, True, False]
    gains = scores.logprobs - scores.unigrams
    assert slor(scores) == pytest.approx(gains.mean())
    assert model.companion.signature != whole.signature


def test_in_a_mixture_the_counts_tell_such_words_apart(tmp_path: Path) -> None:
    """The companion stays as it is; of what the network knows the probabilities are mixed."""
    folder = write_tiny(tmp_path, units=5, weight=0.25)
    model, counts = opened(folder), open_single(str(tmp_path / "m"))
    known = known_units(tmp_path / "m")[3]
    doc = doc_of(f"{known} boat zebra")
    scores, counted = model.token_logprobs([doc])[0], counts.token_logprobs([doc])[0]
    np.testing.assert_array_equal(scores.unigrams, counted.unigrams)
    alone = np.exp(wanted(folder, f"{known} {OTHER} {OTHER}"))
    mixed = 0.25 * alone + 0.75 * np.exp(counted.logprobs)
    expected = [mixed[0], *np.exp(counted.logprobs[1:3]), mixed[3]]
    np.testing.assert_allclose(np.exp(scores.logprobs), expected, rtol=1e-4)


def flip(name: str) -> Callable[[Path], None]:
    """Change one bit in the middle of a file."""

    def change(folder: Path) -> None:
        content = bytearray((folder / name).read_bytes())
        content[len(content) // 2] ^= 1
        (folder / name).write_bytes(content)

    return change


def entry(**changed: Any) -> Callable[[Path], None]:
    """Write other values beside the network's name."""

    def change(folder: Path) -> None:
        data = manifest_data(folder)
        data["neural"] = {**data["neural"], **changed}
        (folder / MANIFEST).write_text(json.dumps(data))

    return change


def other_companion(folder: Path) -> None:
    """Train one of other texts in its place."""
    for path in (folder.parent / "m").iterdir():
        path.unlink()
    train(folder.parent / "m2", KITCHEN)
    (folder.parent / "m").rmdir()
    (folder.parent / "m2").rename(folder.parent / "m")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (flip(NETWORK), r"neural\.onnx has another checksum than the manifest"),
        (lambda folder: (folder / NETWORK).unlink(), r"neural\.onnx is missing"),
        (other_companion, r"was made with another '\.\./m' \(checksum \w+, found \w+\)"),
        (entry(companion="../none"), "no language model"),
        (entry(companion="nothing", shipped=True), "names 'nothing', which is not shipped"),
        (entry(weight=0), "is damaged"),
        (lambda folder: (folder / MANIFEST).write_text('{"format_version": 2, "neural": []}'), "is damaged"),
    ],
)
def test_what_was_changed_is_refused(tmp_path: Path, change: Callable[[Path], None], message: str) -> None:
    """A changed file is refused before anything of it is read."""
    folder = write_tiny(tmp_path)
    change(folder)
    with pytest.raises(ModelError, match=message):
        open_language_model(str(folder))
