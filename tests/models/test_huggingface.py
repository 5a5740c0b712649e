"""Files of Hugging Face models: unusable files are refused, and none of their code is run.

Tests that open a model need the extra `neural`; without it, they are skipped.
"""

from __future__ import annotations

import shutil
import socket
import sys
from pathlib import Path

import pytest

from naturalness.errors import MissingPackage, ModelError
from naturalness.files.resources import has_package
from naturalness.models.huggingface import INDEX
from naturalness.models.language.neural.huggingface import open_huggingface
from tests.support.damage import Damage, content, cut, entries
from tests.support.tiny_huggingface import write_causal, write_masked

needs_torch = pytest.mark.skipif(
    not (has_package("torch") and has_package("transformers")), reason="needs the extra 'neural'"
)


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail if the network is used."""

    def refuse(*arguments: object) -> None:
        pytest.fail(f"asked the network for {arguments}")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a causal model."""
    return write_causal(tmp_path_factory.mktemp("hf") / "sound")


def pickled(folder: Path) -> None:
    """Replace the weights with a torch pickle."""
    import torch
    from safetensors.torch import load_file

    torch.save(load_file(folder / "model.safetensors"), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()


def without_layer(folder: Path) -> None:
    """Remove one layer from the weights."""
    from safetensors.torch import load_file, save_file

    tensors = load_file(folder / "model.safetensors")
    left = {name: values for name, values in tensors.items() if "h.1.ln_1.weight" not in name}
    assert len(left) == len(tensors) - 1
    save_file(left, folder / "model.safetensors", {"format": "pt"})


def with_code(folder: Path) -> None:
    """Turn the model into one that needs its own code."""
    entries(
        "config.json", model_type="own", auto_map={"AutoConfig": "own.Config", "AutoModelForCausalLM": "own.Model"}
    )(folder)
    (folder / "own.py").write_text("raise SystemExit('was run')\n")


@needs_torch
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (pickled, "a pickle, which could run code, is not opened"),
        (with_code, "its own code is never run"),
        (without_layer, r"lacks weights of its network \(transformer.h.1.ln_1.weight; 1 in all\)"),
        (cut("model.safetensors"), r"is not a model that transformers \S+ can open"),
        (content("adapter_config.json", b"{}"), "holds an adapter"),
        (lambda folder: (folder / "config.json").unlink(), "it has no config.json"),
        (
            entries("config.json", inner=[{"attn_implementation": "someone/kernel"}]),
            r"code to be downloaded and run \(attn_implementation: someone/kernel\), so it is not opened",
        ),
        (entries("config.json", transformers_weights="adapter_model.bin"), "requires other weights"),
        (content(INDEX, b'{"weight_map": {"a": "../model.safetensors"}}'), r"weights in '\.\./model\.safetensors'"),
        (content(INDEX, b'{"weight_map": {"a": "pytorch_model.bin"}}'), "places weights in 'pytorch_model.bin'"),
        (content(INDEX, b"[]"), "index.json cannot be read"),
        (
            entries("config.json", architectures=["T5ForConditionalGeneration"]),
            "names T5ForConditionalGeneration; expected a causal",
        ),
        (entries("tokenizer_config.json", model_max_length=4), "reads 2 pieces besides start and end"),
    ],
)
def test_unusable_models_are_refused(sound: Path, tmp_path: Path, offline: None, change: Damage, message: str) -> None:
    """An unusable model raises an error that says what was found and what to do; nothing is downloaded or run."""
    folder = tmp_path / "model"
    shutil.copytree(sound, folder)
    change(folder)
    with pytest.raises(ModelError, match=message) as caught:
        open_huggingface(str(folder))
    assert "\n" not in str(caught.value)


@needs_torch
def test_a_masked_model_that_claims_to_be_causal_is_refused(tmp_path: Path, offline: None) -> None:
    """A model whose probabilities depend on later pieces is not causal, and is refused."""
    folder = write_masked(tmp_path / "model")
    entries("tokenizer_config.json", bos_token="[CLS]")(folder)
    entries("config.json", architectures=["BertLMHeadModel"])(folder)
    with pytest.raises(ModelError, match="is not a causal language model"):
        open_huggingface(str(folder))


@needs_torch
@pytest.mark.parametrize("name", ["someone/no-such-model", "x" * 5000, "a\0b"])
def test_models_that_are_not_downloaded_are_errors(offline: None, name: str) -> None:
    """A model that is not downloaded raises a one-line error that says how to download it."""
    with pytest.raises(ModelError, match=r"on this machine; .* after: hf download") as said:
        open_huggingface(name)
    assert "\n" not in str(said.value) and len(str(said.value)) < 600


@needs_torch
def test_a_downloaded_model_is_opened_by_its_name(
    sound: Path, tmp_path: Path, offline: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A downloaded model is found in the hub's cache."""
    from huggingface_hub import file_download

    repository = tmp_path / "models--someone--tiny"
    (repository / "refs").mkdir(parents=True)
    (repository / "refs" / "main").write_text("0123")
    shutil.copytree(sound, repository / "snapshots" / "0123")
    monkeypatch.setattr(file_download, "HF_HUB_CACHE", str(tmp_path), raising=False)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    assert open_huggingface("someone/tiny").name == "tiny"


@pytest.mark.parametrize("package", ["torch", "transformers"])
def test_missing_packages_are_errors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    """The error about a missing package names the extra that installs it."""
    monkeypatch.setitem(sys.modules, package, None)
    (tmp_path / "config.json").write_text('{"architectures": ["GPT2LMHeadModel"]}')
    for name in ("gpt2", str(tmp_path)):
        with pytest.raises(MissingPackage, match=r"pip install 'naturalness\[neural\]'"):
            open_huggingface(name)
