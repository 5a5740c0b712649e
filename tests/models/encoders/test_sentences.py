"""Sentence encoders: pooling, the detector as an encoder, and Hugging Face models compared with torch.

Tests that open a Hugging Face model need the extra `neural`; without it, they are skipped.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from naturalness.errors import ModelError
from naturalness.files.resources import has_package
from naturalness.models.encoders.sentences import Encoder, encoder_checksum, encoder_width, open_encoder, pooled
from naturalness.models.huggingface import open_reader
from naturalness.text.parsing import parse
from tests.support.tiny_huggingface import PLACES, write_masked

needs_torch = pytest.mark.skipif(
    not (has_package("torch") and has_package("transformers")), reason="needs the extra 'neural'"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a BERT with random weights and a masked-word head, but without a pooler."""
    return write_masked(tmp_path_factory.mktemp("encoder") / "tiny")


def states(folder: Path, pieces: list[str]) -> Any:
    """Return the last layer's rows for pieces, including start and end marks."""
    import torch

    network = open_reader(folder, "AutoModel", idle="pooler.")
    rows = [network.cutter.token_to_id(piece) for piece in ["[CLS]", *pieces, "[SEP]"]]
    with torch.no_grad():
        return network.network(torch.tensor([rows])).last_hidden_state[0].double().numpy()


def vector(encoder: Encoder, text: str) -> Any:
    """Return the vector of a text."""
    return encoder.embed(parse([text]))[0]


@needs_torch
def test_vectors_equal_those_of_torch(folder: Path) -> None:
    """The vector is the mean over all pieces, including start and end marks, scaled to norm 1."""
    encoder = open_encoder(str(folder))
    mean = states(folder, ["the", "dog", "##s", "saw", "[UNK]", "."]).mean(axis=0)
    vectors = encoder.embed(parse(["The dogs saw 7."]))
    np.testing.assert_allclose(vectors[0], mean / np.linalg.norm(mean), atol=1e-6)
    assert vectors.shape == (1, encoder_width(str(folder)))


@needs_torch
def test_the_pooling_file_may_select_the_first_piece(folder: Path, tmp_path: Path) -> None:
    """The first piece's vector is scaled to norm 1; a changed file has another checksum."""
    shutil.copytree(folder, tmp_path / "m")
    mean = open_encoder(str(tmp_path / "m"))
    checksum = encoder_checksum(str(tmp_path / "m"))
    assert open_encoder(f"hf:{tmp_path / 'm'}") is mean
    write_json(tmp_path / "m" / "1_Pooling" / "config.json", {"pooling_mode_cls_token": True})
    encoder = open_encoder(str(tmp_path / "m"))
    first = states(folder, ["the", "cat"])[0]
    np.testing.assert_allclose(vector(encoder, "the cat"), first / np.linalg.norm(first), atol=1e-6)
    assert encoder_checksum(str(tmp_path / "m")) != checksum


@needs_torch
@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("1_Pooling/config.json", {"pooling_mode_max_tokens": True}, r"by max_tokens; expected the mean"),
        ("modules.json", [{"type": "sentence_transformers.models.Dense"}], r"by Dense; expected the mean"),
        ("config.json", {"hidden_size": 16, "is_encoder_decoder": True}, "with a decoder"),
    ],
)
def test_other_encoders_are_refused(folder: Path, tmp_path: Path, name: str, content: object, message: str) -> None:
    """Other kinds of pooling, layers after pooling, and decoders are refused."""
    shutil.copytree(folder, tmp_path / "m")
    write_json(tmp_path / "m" / name, content)
    with pytest.raises(ModelError, match=message):
        open_encoder(str(tmp_path / "m"))


def write_json(path: Path, content: object) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(content))


@needs_torch
def test_vectors_do_not_depend_on_the_batch(folder: Path) -> None:
    """A text's vector does not depend on the other texts of a batch; a text without words has none."""
    encoder = open_encoder(str(folder))
    texts = ["the cat saw it", "", "!!", "dogs " * 40, "a cat", "[CLS]"]
    together = encoder.embed(parse(texts))
    assert np.isnan(together).all(axis=1).tolist() == [False, True, True, False, False, False]
    for text, row in zip(texts, together, strict=True):
        np.testing.assert_array_equal(encoder.embed(parse([text]))[0], row)
    assert not np.allclose(together[5], vector(encoder, "a"))


@needs_torch
def test_long_texts_are_read_in_parts(folder: Path) -> None:
    """Parts are weighted by their numbers of pieces."""
    encoder = open_encoder(str(folder))
    most = PLACES - 2
    parts = [states(folder, ["cat"] * most), states(folder, ["cat"] * 3)]
    mean = np.concatenate(parts).mean(axis=0)
    long = vector(encoder, "cat " * (most + 3))
    np.testing.assert_allclose(long, mean / np.linalg.norm(mean), atol=1e-6)


def test_a_missing_encoder_is_an_error() -> None:
    """The error about a missing encoder says what is expected."""
    for spec in ("nowhere", "a\0b", "x" * 5000):
        with pytest.raises(ModelError, match=r"no sentence encoder .* expected the folder"):
            encoder_checksum(spec)


def test_the_width_is_read_without_torch(tmp_path: Path) -> None:
    """The configuration gives the width; a configuration without it is refused."""
    (tmp_path / "config.json").write_text('{"dim": 12}')
    assert encoder_width(str(tmp_path)) == 12
    (tmp_path / "config.json").write_text('{"dim": "wide"}')
    with pytest.raises(ModelError, match="width of the network"):
        encoder_width(str(tmp_path))


TEXTS = ["The dog slept. It rained.", "", "...", "word " * 300, "Dog the slept."]


def test_shipped_vectors_do_not_depend_on_the_batch() -> None:
    """A text's vector does not depend on the other texts of a batch, to the last bit."""
    encoder = open_encoder("shipped")
    together = encoder.embed(parse(TEXTS))
    for text, row in zip(TEXTS, together, strict=True):
        np.testing.assert_array_equal(encoder.embed(parse([text]))[0], row)


def test_hand_worked_means() -> None:
    """Every piece has the same weight, whichever part contains it; the vector has norm 1."""
    one, other = np.array([[3.0, 0.0], [3.0, 3.0]]), np.array([[0.0, 9.0]])
    np.testing.assert_allclose(pooled([one], 2), np.array([2.0, 1.0]) / np.sqrt(5))
    np.testing.assert_allclose(pooled([one, other], 2), np.array([1.0, 2.0]) / np.sqrt(5))
    np.testing.assert_allclose(pooled([one, other], 2, first=True), np.array([2.0, 3.0]) / np.sqrt(13))


def test_a_mean_of_zero_has_no_vector() -> None:
    """The vector is NaN without parts, and if all states are zero."""
    assert np.isnan(pooled([], 3)).all()
    assert np.isnan(pooled([np.zeros((2, 3))], 3)).all()
