"""The LSTM of the paper on SLOR: text to numbers, training, the folder that is written.

Tests that train need the extra `neural` and are skipped without it.
"""

from __future__ import annotations

import math
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.errors import CorpusError, MissingPackage, ModelError, TrainingError
from naturalness.files.resources import has_package
from naturalness.models.language.neural.model import NeuralModel
from naturalness.models.language.neural.network import open_network
from naturalness.models.language.spec import open_language_model, open_single
from naturalness.models.language.store import manifest_data
from naturalness.models.language.vocabulary import OTHER, Vocabulary
from naturalness_replication.lstm.file import write_lstm
from naturalness_replication.lstm.recipe import LstmRecipe
from naturalness_replication.lstm.text import Ranks, read_text
from naturalness_replication.lstm.train import train_lstm
from tests.support.language_models import HARBOUR, KITCHEN, doc_of, many, train

needs_torch = pytest.mark.skipif(not (has_package("torch") and has_package("onnx")), reason="needs the extra 'neural'")
SMALL = LstmRecipe(width=8, layers=2, epochs=12)
TEXTS = many(400)
OTHERS = many(100, seed=1)
VOCABULARY = Vocabulary(
    {"b": math.log(0.2), "c": math.log(0.3), "a": math.log(0.2), "d": math.log(0.1)}, math.log(0.15), math.log(0.05)
)


def test_units_by_rank() -> None:
    """The most frequent first, equals by their letters; the rest is one with what is unknown."""
    ranks = Ranks.of(VOCABULARY, 2)
    assert ranks.names == ("c", "a", "b", "d")
    assert ranks.known == ("c", "a")
    numbers = np.array([1, 2, 3, 4, 0], np.int32)
    assert ranks.rows(numbers).tolist() == [3, 4, 0, 0, 0]
    assert ranks.units(numbers) == ["c", "a", "b", "d", OTHER]
    frequencies = np.exp(ranks.logs(VOCABULARY))
    np.testing.assert_allclose(frequencies, [0.2 + 0.1 + 0.05, 0, 0.15, 0.3, 0.2], atol=1e-8)
    assert Ranks.of(VOCABULARY, 9).limit == 4


def test_text_is_read_as_the_counting_model_reads(tmp_path: Path) -> None:
    """Capitals where there are none, blank lines, texts without a word."""
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


@needs_torch
@given(st.lists(st.integers(1, 700), max_size=60), st.integers(8, 600), st.booleans())
def test_batches_hold_every_sentence_once(lengths: list[int], size: int, drawn: bool) -> None:
    """And no more units than asked for, but for a sentence that has more by itself."""
    from naturalness_replication.lstm.learning import batches

    rng = np.random.default_rng(0) if drawn else None
    partition = list(batches(np.array(lengths, np.int64), size, rng))
    assert sorted(i for batch in partition for i in batch.tolist()) == list(range(len(lengths)))
    for batch in partition:
        assert len(batch) == 1 or len(batch) * (max(lengths[i] for i in batch) + 1) <= size


def model_and_summary(folder: Path, recipe: LstmRecipe = SMALL, **options: Any) -> tuple[NeuralModel, Any]:
    """A model in a folder, beside counts of the same text, and the summary."""
    if not (folder / "counts").exists():
        train(folder / "counts", TEXTS)
    path = folder / f"lstm-{len(list(folder.iterdir()))}"
    summary = train_lstm(TEXTS, path, str(folder / "counts"), recipe, **options)
    model = open_language_model(str(path))
    assert isinstance(model, NeuralModel)
    return model, summary


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[NeuralModel, Any]:
    """A small one, judged by other text."""
    return model_and_summary(tmp_path_factory.mktemp("lstm"), held_out=OTHERS)


@needs_torch
def test_it_is_better_than_frequencies(trained: tuple[NeuralModel, Any]) -> None:
    """On text that it was not made of; and better with every few looks."""
    model, summary = trained
    docs = [doc_of(text.replace(".", " .")) for text in OTHERS]
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
def test_the_file_computes_what_torch_does(tmp_path: Path) -> None:
    """The weights of one, run by the other; nothing is dropped out when it is at work."""
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
def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    """Another one does not; neither changes what others draw."""
    import torch

    drawn = torch.random.get_rng_state()
    short = replace(SMALL, epochs=1)
    files = []
    for i, recipe in enumerate((short, short, replace(short, seed=1)), 1):
        model_and_summary(tmp_path, recipe)
        folder = tmp_path / f"lstm-{i}"
        files.append([(folder / name).read_bytes() for name in ("neural.onnx", "neural.json")])
    assert files[0] == files[1]
    assert files[0][0] != files[2][0]
    assert torch.equal(drawn, torch.random.get_rng_state())


@needs_torch
def test_the_last_of_the_text_is_held_out(tmp_path: Path) -> None:
    """Two of a hundred; the counts, which may know it, are not compared."""
    model, summary = model_and_summary(tmp_path, replace(SMALL, epochs=1, limit=10))
    assert (summary["sentences"], summary["held_out"]["sentences"]) == (392, 8)
    assert list(summary["held_out"]["shared"]) == ["network"]
    assert summary["vocabulary"] == 10 == len(model.network.rows) - 3
    assert summary["held_out"]["unknown"] > 0.3
    assert summary["held_out"]["shared"]["network"] != summary["held_out"]["perplexity"]


@needs_torch
def test_it_stands_beside_pieces_by_a_relative_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The two folders can be moved together; another encoder would be noticed."""
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


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"width": 0}, "width is 0; expected 1 or more"),
        ({"epochs": 0}, "epochs is 0; expected 1 or more"),
        ({"seed": -1}, "seed is -1; expected 0 or more"),
    ],
)
def test_recipes_that_cannot_be_made(change: dict[str, Any], message: str) -> None:
    """Refused before any work."""
    with pytest.raises(TrainingError, match=message):
        replace(SMALL, **change).check()


def bare(folder: Path) -> str:
    """An n-gram model without frequencies."""
    shutil.copy(folder / "counts" / "model.arpa", folder / "bare.arpa")
    return str(folder / "bare.arpa")


@needs_torch
@pytest.mark.parametrize(
    ("beside", "texts", "target", "message"),
    [
        (lambda folder: str(folder / "none"), TEXTS, "m", "no language model"),
        (bare, TEXTS, "m", "keeps no frequencies of units; expected words, pieces or a folder"),
        (None, TEXTS, "counts/m", "is the place of .* which the network needs"),
        (None, ["...", "!"], "m", "none of 2 texts has a word"),
        (None, ["One sentence."], "m", "found 1 sentence; expected two or more"),
    ],
)
def test_what_cannot_be_trained_on(
    tmp_path: Path, beside: Callable[[Path], str] | None, texts: list[str], target: str, message: str
) -> None:
    """Nothing is left behind."""
    train(tmp_path / "counts", KITCHEN)
    spec = beside(tmp_path) if beside else str(tmp_path / "counts")
    before = sorted(path.name for path in tmp_path.iterdir())
    with pytest.raises((ModelError, CorpusError), match=message):
        train_lstm(texts, tmp_path / target, spec, SMALL)
    assert sorted(path.name for path in tmp_path.iterdir()) == before


@pytest.mark.parametrize("package", ["torch", "onnx"])
def test_packages_that_are_missing(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    """Named with the extra."""
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingPackage, match=r"needs package .*naturalness\[neural\]"):
        SMALL.check()
