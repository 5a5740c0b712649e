"""Folders of LSTMs: log-probabilities, and refusal of changed files and companions."""

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
from naturalness_replication.lstm.folder import open_language_model
from replication.tests.support.tiny_lstm import known_units, reference, weights, write_tiny
from tests.support.language_models import KITCHEN, doc_of, train

CLOSE = 1e-4
TEXT = "Old Peter saw a zebra ."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a network that knows all units of its companion."""
    return write_tiny(tmp_path_factory.mktemp("whole"))


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a network that knows five units."""
    return write_tiny(tmp_path_factory.mktemp("narrow"), units=5)


def opened(folder: Path) -> NeuralModel:
    """Open the model of a folder."""
    model = open_language_model(str(folder))
    assert isinstance(model, NeuralModel)
    return model


def wanted(folder: Path, text: str) -> list[float]:
    """Return ln p of each word and of the end, computed by numpy."""
    rows = json.loads((folder / DESCRIPTION).read_text())["vocabulary"]
    ids = [rows.index(word) if word in rows else 0 for word in text.split()]
    logs = reference([1, *ids], weights(len(rows)))
    return [float(logs[i, row]) for i, row in enumerate([*ids, 2])]


def test_log_probabilities_agree_with_numpy(folder: Path) -> None:
    """Log-probabilities are those of numpy, and frequencies are those of the companion."""
    model = opened(folder)
    assert isinstance(model, LanguageModel)
    scores = model.token_logprobs([doc_of(TEXT)])[0]
    np.testing.assert_allclose(scores.logprobs, wanted(folder, TEXT), atol=CLOSE)
    counted = open_single(str(folder.parent / "m")).token_logprobs([doc_of(TEXT)])[0]
    np.testing.assert_array_equal(scores.unigrams, counted.unigrams)
    assert scores.units == [*TEXT.split(), END]
    assert scores.unknown.tolist() == [False, False, False, True, True, False, False]
    assert opened(folder) is model


def test_words_that_the_network_lacks_are_one_unit(narrow: Path) -> None:
    """Words that the network lacks share one probability and one frequency."""
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


def flip(name: str) -> Callable[[Path], None]:
    """Change one bit in the middle of a file."""

    def change(folder: Path) -> None:
        content = bytearray((folder / name).read_bytes())
        content[len(content) // 2] ^= 1
        (folder / name).write_bytes(content)

    return change


def entry(**changed: Any) -> Callable[[Path], None]:
    """Change entries of the manifest."""

    def change(folder: Path) -> None:
        data = manifest_data(folder)
        data["neural"] = {**data["neural"], **changed}
        (folder / MANIFEST).write_text(json.dumps(data))

    return change


def other_companion(folder: Path) -> None:
    """Replace the companion by a model of other texts."""
    for path in (folder.parent / "m").iterdir():
        path.unlink()
    train(folder.parent / "m2", KITCHEN)
    (folder.parent / "m").rmdir()
    (folder.parent / "m2").rename(folder.parent / "m")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (flip(NETWORK), r"neural\.onnx differs from the manifest in its checksum"),
        (lambda folder: (folder / NETWORK).unlink(), r"neural\.onnx is missing"),
        (other_companion, r"was made with another '\.\./m' \(checksum \w+, found \w+\)"),
        (entry(companion="../none"), "no language model"),
        (entry(companion="nothing", shipped=True), "names 'nothing', which is not shipped"),
        (entry(shipped=1), "is damaged"),
        (lambda folder: (folder / MANIFEST).write_text('{"format_version": 2, "neural": []}'), "is damaged"),
    ],
)
def test_a_changed_folder_is_refused(tmp_path: Path, change: Callable[[Path], None], message: str) -> None:
    """A changed file, manifest or companion is refused."""
    folder = write_tiny(tmp_path)
    change(folder)
    with pytest.raises(ModelError, match=message):
        open_language_model(str(folder))
