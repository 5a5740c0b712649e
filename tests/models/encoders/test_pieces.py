"""Hugging Face models as readers: pieces and words, parts of long texts, what is refused.

Tests that open a model need the extra `neural` and are skipped without it.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from naturalness.errors import ModelError
from naturalness.files.resources import has_package
from naturalness.models.encoders.pieces import open_encoder, owners_of, parts, words_of
from tests.support.tiny_huggingface import PLACES, write_masked

needs_torch = pytest.mark.skipif(
    not (has_package("torch") and has_package("transformers")), reason="needs the extra 'neural'"
)


def test_words() -> None:
    """Letters and digits, apostrophes within; no other mark."""
    assert words_of("Don't, Anna’s _12_ e-mails…") == ("don't", "anna’s", "12", "e", "mails")
    assert words_of("?!") == ()


def test_owners() -> None:
    """A piece belongs to the word of most of its characters; blanks and marks are of none."""
    # "ab cd." cut as "a", "b c", "d.", "."
    owners = owners_of([(0, 2), (3, 5)], [(0, 1), (1, 4), (4, 6), (5, 6), (2, 3)], 6)
    assert owners == (0, 0, 1, -1, -1)


def test_parts() -> None:
    """As few as can be, of like length."""
    assert parts(list(range(7)), 3) == [[0, 1], [2, 3], [4, 5, 6]]
    assert parts([1, 2], 3) == [[1, 2]] and parts([], 3) == []


@needs_torch
def test_vectors(tmp_path: Path) -> None:
    """One for each piece, with its word; the same when read again; long texts in parts."""
    encoder = open_encoder(str(write_masked(tmp_path / "both")))
    encoding = encoder.encode("The cats saw.")
    assert encoding.vectors.shape == (len(encoding.owners), 16)
    assert encoding.words == ("the", "cats", "saw")
    assert [encoding.owners.count(n) for n in (0, 1, 2, -1)] == [1, 2, 1, 1]
    np.testing.assert_array_equal(encoder.encode("The cats saw.", 2).vectors, encoding.vectors)
    assert not np.allclose(encoder.encode("The cats saw.", 1).vectors, encoding.vectors)
    long = encoder.encode("dog " * (3 * PLACES))
    assert long.vectors.shape == (3 * PLACES, 16) and set(long.owners) == set(range(3 * PLACES))
    assert encoder.encode("").vectors.size == 0
    with pytest.raises(ModelError, match="layer 3 of a model of 2 layers"):
        encoder.encode("The cat.", 3)


@needs_torch
def test_files_are_as_safe_as_those_of_language_models(tmp_path: Path) -> None:
    """No kernels from elsewhere, no lacking weights but a pooler's, no pickles."""
    folder = write_masked(tmp_path / "both")  # has no pooler
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "attn_implementation": "some/kernel"}))
    with pytest.raises(ModelError, match="code to be fetched and run"):
        open_encoder(str(folder))
    (folder / "config.json").write_text(json.dumps({**config, "num_hidden_layers": 3}))
    with pytest.raises(ModelError, match="lacks weights of its network"):
        open_encoder(str(folder))
    (folder / "model.safetensors").unlink()
    with pytest.raises(ModelError, match="holds no weights"):
        open_encoder(str(folder))
