"""Hugging Face language models compared with torch: probabilities, tokens, windows and batches.

Tests that open a model need the extra `neural`; without it, they are skipped.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from spacy.tokens import Doc

from naturalness.errors import ModelError
from naturalness.files.resources import has_package
from naturalness.models.huggingface import checksum_of
from naturalness.models.language.base import END
from naturalness.models.language.neural.huggingface import HuggingFaceModel, open_huggingface, owner
from tests.support.language_models import doc_of, vocab
from tests.support.tiny_huggingface import PLACES, write_causal

needs_torch = pytest.mark.skipif(
    not (has_package("torch") and has_package("transformers")), reason="needs the extra 'neural'"
)


@pytest.fixture(scope="module")
def causal(tmp_path_factory: pytest.TempPathFactory) -> HuggingFaceModel:
    """Open a small GPT-2."""
    return open_huggingface(str(write_causal(tmp_path_factory.mktemp("hf") / "left")))


def rows_of(model: HuggingFaceModel, pieces: Sequence[str]) -> list[int]:
    """Return the rows of pieces in the vocabulary."""
    return [model.reader.cutter.token_to_id(piece) for piece in pieces]


def logs_of(model: HuggingFaceModel, rows: Sequence[int]) -> Any:
    """Return ln p of every piece at each position, computed directly by the network: (pieces, vocabulary)."""
    import torch

    with torch.no_grad():
        logits = model.reader.network(torch.tensor([list(rows)])).logits[0]
    return torch.log_softmax(logits.double(), -1).numpy()


@needs_torch
def test_scores_equal_those_of_torch(causal: HuggingFaceModel) -> None:
    """The first piece is predicted from the start piece; the end is predicted like a piece."""
    scores = causal.token_logprobs([doc_of("the cat saw it")])[0]
    assert scores.units == ["the", "Ġcat", "Ġs", "aw", "Ġ", "i", "t", END]
    assert scores.tokens.tolist() == [0, 1, 2, 2, 3, 3, 3, -1]
    rows = rows_of(causal, [*scores.units[:-1], "</s>"])
    logs = logs_of(causal, [*rows_of(causal, ["<s>"]), *rows[:-1]])
    np.testing.assert_allclose(scores.logprobs, logs[np.arange(8), rows], atol=1e-5)
    assert np.isnan(scores.unigrams).all()
    assert (scores.lengths.tolist(), scores.unknown.any()) == ([0] * 8, False)


@needs_torch
def test_scores_do_not_depend_on_other_texts(causal: HuggingFaceModel) -> None:
    """Scores are identical, to the last bit, in a batch, in a longer text and alone."""
    sentences = ["the cat saw a dog .", "do it .", "a cat ! " * 7 + "no"]
    together = causal.token_logprobs([doc_of(sentence) for sentence in sentences])
    one = causal.token_logprobs([doc_of(*sentences)])[0].logprobs
    alone = [causal.token_logprobs([doc_of(sentence)])[0].logprobs for sentence in sentences]
    for apart, scores in zip(alone, together, strict=True):
        np.testing.assert_array_equal(apart, scores.logprobs)
    np.testing.assert_array_equal(np.concatenate(alone), one)


@needs_torch
def test_long_sentences_are_read_in_windows(causal: HuggingFaceModel) -> None:
    """Each window has at most as many pieces as the network reads; the first is read as a sentence of its own."""
    most = causal.reader.max_pieces
    assert most == PLACES - 2
    (scores,) = causal.token_logprobs([doc_of("cat" + " cat" * 2 * most)])
    (first,) = causal.token_logprobs([doc_of("cat" + " cat" * 3)])
    assert np.isfinite(scores.logprobs).all()
    inner = len(first.units) - 1
    np.testing.assert_allclose(scores.logprobs[:inner], first.logprobs[:inner], atol=1e-5)


@needs_torch
def test_typed_special_tokens_are_text(causal: HuggingFaceModel) -> None:
    """Typed special tokens are read as text; a character of several bytes belongs to one token."""
    doc = Doc(vocab(), ["do", "n't", "</s>", "[MASK]", "é", "cat"], [False, True, True, False, True, False])
    scores = causal.token_logprobs([doc])[0]
    assert "</s>" not in scores.units[:-1]
    assert sorted(set(scores.tokens.tolist()) - {-1}) == [0, 1, 2, 3, 4, 5]
    assert (np.diff(scores.tokens[scores.tokens >= 0]) >= 0).all()


@pytest.mark.parametrize(("start", "stop", "expected"), [(0, 3, 7), (2, 4, 7), (2, 6, 9), (6, 6, 9)])
def test_the_owner_of_a_piece_by_hand(start: int, stop: int, expected: int) -> None:
    """A piece belongs to the token with most of its characters; the first token wins a tie."""
    assert owner([7, 7, 7, 9, 9, 9], start, stop) == expected


@needs_torch
def test_start_and_end_tokens(tmp_path: Path) -> None:
    """Without a start token, the end token precedes the text; without an end token, no end is predicted."""
    ended = open_huggingface(str(write_causal(tmp_path / "gpt", start=None)))
    doc = doc_of("the cat")
    scores = ended.token_logprobs([doc])[0]
    (the,), (end,) = rows_of(ended, ["the"]), rows_of(ended, ["</s>"])
    assert scores.logprobs[0] == pytest.approx(logs_of(ended, [end])[0, the], abs=1e-5)
    assert scores.units[-1] == END
    endless = open_huggingface(str(write_causal(tmp_path / "endless", end=None)))
    scores = endless.token_logprobs([doc])[0]
    assert (scores.units, scores.tokens.tolist()) == (["the", "Ġcat"], [0, 1])
    with pytest.raises(ModelError, match="neither a start nor an end token"):
        open_huggingface(str(write_causal(tmp_path / "neither", start=None, end=None)))


@needs_torch
def test_a_model_is_opened_once(tmp_path: Path) -> None:
    """A model is opened again only if its files have changed; the signature has its name and checksum."""
    folder = write_causal(tmp_path / "twice")
    model = open_huggingface(str(folder))
    assert open_huggingface(f"{folder}/") is model
    assert model.name == "twice"
    assert model.signature.startswith(f"hf:twice:{checksum_of(folder)}|torch:")
    write_causal(folder, end=None)
    assert open_huggingface(str(folder)).signature != model.signature
