"""The LSTM of the paper on SLOR: reading texts, training, and the folder.

Tests that train need the extra `neural` and are skipped without it.
"""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from naturalness.files.resources import has_package
from naturalness.models.language.neural.model import NeuralModel, open_network
from naturalness.models.language.spec import open_single
from naturalness.models.language.store import manifest_data
from naturalness.models.language.units import OTHER, Vocabulary
from naturalness.text.parsing import tokenise
from naturalness_replication.lstm.file import write_lstm
from naturalness_replication.lstm.folder import open_language_model
from naturalness_replication.lstm.recipe import LstmRecipe
from naturalness_replication.lstm.text import Ranks, read_text
from naturalness_replication.lstm.train import train_lstm
from tests.support.language_models import HARBOUR, doc_of, many, train

needs_torch = pytest.mark.skipif(not (has_package("torch") and has_package("onnx")), reason="needs the extra 'neural'")
SMALL = LstmRecipe(width=8, layers=2, epochs=12)
TEXTS = many(400)
OTHERS = many(100, seed=1)
VOCABULARY = Vocabulary(
    {"b": math.log(0.2), "c": math.log(0.3), "a": math.log(0.2), "d": math.log(0.1)}, math.log(0.15), math.log(0.05)
)


def test_units_by_rank() -> None:
    """Units are sorted by frequency, then by letters; those beyond the limit count as unknown."""
    ranks = Ranks.of(VOCABULARY, 2)
    assert ranks.names == ("c", "a", "b", "d")
    assert ranks.known == ("c", "a")
    numbers = np.array([1, 2, 3, 4, 0], np.int32)
    assert ranks.rows(numbers).tolist() == [3, 4, 0, 0, 0]
    assert ranks.units(numbers) == ["c", "a", "b", "d", OTHER]
    frequencies = np.exp(ranks.logs(VOCABULARY))
    np.testing.assert_allclose(frequencies, [0.2 + 0.1 + 0.05, 0, 0.15, 0.3, 0.2], atol=1e-8)
    assert Ranks.of(VOCABULARY, 9).limit == 4


def test_text_is_read_as_by_the_companion(tmp_path: Path) -> None:
    """Capitals are restored, blank lines split sentences, and texts without a word are skipped."""
    counts = open_single(str(train(tmp_path / "m", HARBOUR * 5)))
    assert counts.vocabulary is not None
    ranks = Ranks.of(counts.vocabulary, 100)
    done: list[int] = []
    text = read_text(
        ["nobody saw peter.", "...", "The zebra\n\nThe boat."],
        counts.read,
        ranks.numbers,
        nlp="en",
        advance=done.append,
    )
    units = [ranks.units(text.sentences[i]) for i in range(len(text.sentences))]
    assert units == [["Nobody", "saw", "Peter", "."], ["The", OTHER], ["The", "boat", "."]]
    assert (text.texts, text.skipped, done) == (3, 1, [3])
    part = text.sentences.part(1, 3)
    assert [len(part), *part.lengths, ranks.units(part[1])[1]] == [2, 2, 3, "boat"]
    assert len(part.part(1, 1)) == 0


def model_and_summary(folder: Path, recipe: LstmRecipe = SMALL, **options: Any) -> tuple[NeuralModel, Any]:
    """Train a model beside an n-gram model of the same texts; return it with its summary."""
    if not (folder / "counts").exists():
        train(folder / "counts", TEXTS)
    path = folder / f"lstm-{len(list(folder.iterdir()))}"
    summary = train_lstm(TEXTS, path, str(folder / "counts"), recipe, **options)
    model = open_language_model(str(path))
    assert isinstance(model, NeuralModel)
    return model, summary


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[NeuralModel, Any]:
    """Train a small model, evaluated on other texts."""
    return model_and_summary(tmp_path_factory.mktemp("lstm"), held_out=OTHERS)


@needs_torch
def test_the_model_is_better_than_frequencies(trained: tuple[NeuralModel, Any]) -> None:
    """On held-out text, the model is better than frequencies, and the curve falls."""
    model, summary = trained
    docs = [*tokenise(OTHERS)]
    scores = model.token_logprobs(docs)
    logs, unigrams = (np.concatenate([getattr(one, part) for one in scores]) for part in ("logprobs", "unigrams"))
    assert logs.mean() > unigrams.mean() + 1
    held_out, curve = summary["held_out"], summary["curve"]
    assert held_out["perplexity"] == pytest.approx(math.exp(-logs.mean()), rel=1e-6)
    assert held_out["units"] == len(logs)
    assert len(curve) == 4 * SMALL.epochs
    assert curve[-1]["passes"] == SMALL.epochs
    lowest = min(look["held_out"] for look in curve)
    assert lowest < curve[0]["held_out"] / 2
    assert lowest == pytest.approx(held_out["perplexity"], rel=1e-4)


@needs_torch
def test_the_file_agrees_with_torch(tmp_path: Path) -> None:
    """The exported file gives the log-probabilities of torch, without dropout."""
    import torch

    from naturalness_replication.lstm.learning import build

    with torch.random.fork_rng():
        torch.manual_seed(3)
        network = build(np.linspace(-1, 1, 12), 8, 2).eval()
    weights = {name: values.numpy() for name, values in network.state_dict().items()}
    write_lstm(weights, tmp_path, units=list("abcdefghi"), encoder="")
    rows = [4, 0, 11, 5]
    with torch.inference_mode():
        x = network["lstm"](network["table"](torch.tensor([[1, *rows]])))[0]
        logits = torch.nn.functional.linear(x, network["table"].weight, network.common)[0]
        wanted = torch.log_softmax(logits, -1)[range(5), [*rows, 2]].numpy()
    logprobs, _ = open_network(tmp_path).foretell(rows)
    np.testing.assert_allclose(logprobs, wanted, atol=1e-5)


@needs_torch
def test_a_model_of_pieces_can_be_moved_with_its_companion(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder refers to its companion by a relative path, so both can be moved together."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "both").mkdir()
    train(tmp_path / "both" / "counts", TEXTS, kind="pieces")
    train_lstm(TEXTS, Path("both/lstm"), "both/counts", replace(SMALL, epochs=1))
    (tmp_path / "both").rename(tmp_path / "moved")
    folder = tmp_path / "moved" / "lstm"
    data = manifest_data(folder)
    assert data["neural"]["companion"] == "../counts"
    model = open_language_model(str(folder))
    assert isinstance(model, NeuralModel)
    assert model.network.encoder == model.read.encoder != ""
    scores = model.token_logprobs([doc_of("The old gardener found it .")])[0]
    assert len(scores.units) > 5
    assert np.isfinite(scores.logprobs).all()
