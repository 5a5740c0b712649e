"""Files and folders of benepar: what is opened, what is refused, that nothing in them is run.

These tests need the extra `benepar` and are skipped without it.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from naturalness.errors import ModelError
from naturalness.models.parsers.benepar import _model_of_folder
from naturalness.models.parsers.spec import open_parser, parser_checksum
from tests.support.tiny_benepar import SENTENCES, doc_of, equal_to_benepar, one, write_folder


@pytest.fixture(scope="module")
def folder(benepar: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model over a transformer."""
    import transformers

    if int(transformers.__version__.partition(".")[0]) > 4:
        pytest.skip("benepar 0.2.0 has no models over a transformer with transformers 5")
    return write_folder(tmp_path_factory.mktemp("benepar") / "bert")


class Trap:
    """Writes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, tuple[str, str]]:
        return open, (str(self.path), "w")


def test_nothing_in_a_file_is_run(benepar: Any, tmp_path: Path) -> None:
    """A pickle with code is refused by name, in a file as in a folder."""
    import torch

    trap = Trap(tmp_path / "sprung")
    torch.save({"config": trap, "state_dict": {}}, tmp_path / "bad.pt")
    with pytest.raises(ModelError, match=r"bad\.pt .*could run code, so it is not opened"):
        open_parser(f"benepar:{tmp_path / 'bad.pt'}")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "config.json").write_text('{"benepar": {}, "model_type": "bert"}')
    torch.save(trap, folder / "benepar_model.bin")
    with pytest.raises(ModelError, match=r"benepar_model\.bin .*could run code, so it is not opened"):
        open_parser(f"benepar:{folder}")
    assert not trap.path.exists()


def test_torch_that_may_run_code_is_refused(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before 2.6 its safe way of reading was not safe."""
    import torch

    copy = tiny.with_name("copy.pt")
    copy.write_bytes(tiny.read_bytes())
    monkeypatch.setattr(torch, "__version__", "2.5.1+cpu")
    with pytest.raises(ModelError, match=r"torch 2\.5\.1.*pip install 'torch>=2\.6'"):
        open_parser(f"benepar:{copy}")


def changed(config: dict[str, Any], what: str) -> dict[str, Any]:
    """The data of a file, with one thing wrong."""
    config = {**config, "hparams": {**config["hparams"]}}
    if what == "over another model":
        config["hparams"].update(use_pretrained=True, use_chars_lstm=False)
    elif what == "no settings":
        del config["hparams"]
    elif what == "other sizes":
        config["hparams"]["d_model"] = 64
    elif what == "gap":
        config["label_vocab"] = {k: v + (v > 2) for k, v in config["label_vocab"].items()}
    elif what == "foreign":
        config["label_vocab"] = {"P+" if k == "NP" else k: v for k, v in config["label_vocab"].items()}
    return config


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("over another model", "a checkpoint over 'nowhere/at-all'.*export --model-path"),
        ("no settings", "not a readable benepar model .*hparams"),
        ("other sizes", "not a readable benepar model .*size mismatch"),
        ("gap", "size mismatch"),
        ("foreign", "has the label 'P\\+'; expected a model for English"),
    ],
)
def test_other_files_are_refused(tiny: Path, tmp_path: Path, what: str, message: str) -> None:
    """The message names the file."""
    import torch

    data = torch.load(tiny, weights_only=True)
    torch.save({**data, "config": changed(data["config"], what)}, tmp_path / "odd.pt")
    with pytest.raises(ModelError, match=rf"(?s)odd\.pt.*{message}"):
        open_parser(f"benepar:{tmp_path / 'odd.pt'}")


@pytest.mark.parametrize("content", [b"", b"text", b"PK\x03\x04", b"[1, 2]"])
def test_files_that_are_no_model(benepar: Any, tmp_path: Path, content: bytes) -> None:
    """They have a checksum, but are not opened."""
    (tmp_path / "file").write_bytes(content)
    assert parser_checksum(f"benepar:{tmp_path / 'file'}")
    with pytest.raises(ModelError, match=rf"{tmp_path / 'file'} is no"):
        open_parser(f"benepar:{tmp_path / 'file'}")


def test_a_folder(benepar: Any, folder: Path) -> None:
    """A model over a transformer: its best trees are its own."""
    trees = {equal_to_benepar(benepar, folder, words) for words in SENTENCES}
    assert len(trees) == len(SENTENCES)


def test_weights_of_an_older_transformers(folder: Path, tmp_path: Path) -> None:
    """They hold one array more, which says nothing; other strangers are refused."""
    import torch

    path = shutil.copytree(folder, tmp_path / "bert")
    words = SENTENCES[2]
    state = torch.load(path / "benepar_model.bin", weights_only=True)
    state["pretrained_model.embeddings.position_ids"] = torch.arange(64)
    torch.save(state, path / "benepar_model.bin")
    ours, theirs = (one(open_parser(f"benepar:{model}"), words) for model in (path, folder))
    assert ours == theirs
    torch.save({**state, "else": torch.arange(4)}, path / "benepar_model.bin")
    with pytest.raises(ModelError, match=r"(?s)bert is not a readable benepar model .*Unexpected.*else"):
        open_parser(f"benepar:{path}")


def test_words_that_a_tokenizer_drops(folder: Path) -> None:
    """A reason where benepar gives up, as it does where they come last."""
    parser = open_parser(f"benepar:{folder}")
    sentences = ["a", "\u200b"], ["a", "\u200b", "b"], ["cat"] * 60 + ["cats"] * 4
    reasons = [sentence.problem for sentence in parser.nbest([doc_of(*sentences)])[0]]
    assert "pieces do not fit together" in reasons[0]
    assert reasons[1] == ""
    assert "exceeds the maximum supported length of 64" in reasons[2]


@pytest.mark.parametrize(
    ("file", "entry", "key"),
    [
        ("config.json", {"text_config": {"auto_map": {"AutoConfig": "code.Config"}}}, "auto_map"),
        ("tokenizer_config.json", {"a": [[], {"b": {"auto_map": 1}}]}, "auto_map"),
        ("config.json", {"sub": [{"_attn_implementation": "a/b"}]}, "_attn_implementation"),
    ],
)
def test_code_is_found_at_any_depth(tmp_path: Path, file: str, entry: object, key: str) -> None:
    """Settings may hold settings, in lists too. Nothing is opened: there are no weights."""
    (tmp_path / file).write_text(json.dumps(entry))
    with pytest.raises(ModelError, match=f"{file} asks for code .*{key}"):
        _model_of_folder(tmp_path)


@pytest.mark.parametrize("kind", [{}, {"model_type": "vision-encoder-decoder"}, {"model_type": []}])
def test_other_kinds_of_network_are_refused(tmp_path: Path, kind: dict[str, object]) -> None:
    """Those that open others within, or that transformers would guess from the folder's name."""
    (tmp_path / "config.json").write_text(json.dumps({"benepar": {}, **kind}))
    with pytest.raises(ModelError, match=r"has model_type .*expected one of albert, .*t5"):
        _model_of_folder(tmp_path)
