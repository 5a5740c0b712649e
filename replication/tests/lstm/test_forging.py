"""Damaged folders of LSTMs: each gives a result or a clear error."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from naturalness_replication.lstm.folder import open_language_model
from replication.tests.support.tiny_lstm import write_tiny
from tests.support.forging import failures, forge_folder, mend_language
from tests.support.language_models import doc_of


def use(path: Path) -> None:
    """Open a model, and score with it."""
    docs = [doc_of("Old Peter saw a zebra ."), doc_of("The the x")]
    for scores in open_language_model(str(path)).token_logprobs(docs):
        assert len(scores.logprobs) == len(scores.units)
        assert not (scores.logprobs > 1e-6).any()


@pytest.mark.slow
def test_lstms(tmp_path: Path) -> None:
    """Damage to the network, its vocabulary and the manifest gives a result or a clear error."""
    pytest.importorskip("onnx")
    home = tmp_path / "f"
    home.mkdir()
    source = write_tiny(home)
    use(source)

    def forge(folder: Path, rng: random.Random) -> str:
        return forge_folder(folder, rng, mend_language)

    problems = failures(source, home, use, n=100, apart=True, forge=forge)
    assert not problems, problems[:40]
