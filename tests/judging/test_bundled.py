"""A model's folder contains all files that the model reads, so that it can be moved."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from naturalness import NaturalnessRegressor
from naturalness.cli import run
from naturalness.errors import ModelError
from naturalness.files.folder import check_folder
from naturalness.judging import bundled
from naturalness.judging.bundled import VARIABLE, enclose
from naturalness.pipelines.saving import save_estimator
from naturalness.pipelines.scorer import load_model
from tests.support import language_models as small
from tests.support.commands import Captured
from tests.support.rated import write_table

TEXTS = [*small.HARBOUR, *small.KITCHEN]


def fitted(groups: list[str]) -> NaturalnessRegressor:
    """Return a small model of these groups."""
    regressor = NaturalnessRegressor(features=groups, learner="logistic-l2", folds=2)
    return regressor.fit(TEXTS, [*range(7), *range(7)])


OPTIONS = ["--learner", "logistic-l2", "--repeats", "2", "--jobs", "1", "--store", "none"]


def train(home: Path, table: Path, name: str, group: str) -> None:
    """Train in a folder, with paths relative to it."""
    assert run(["train", str(table), "-o", str(home / name), "--features", f"surface,{group}", *OPTIONS]) == 0


def test_a_moved_folder_needs_no_other_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    """The moved folder works the same without the language model, and names no path of this machine."""
    home, table = tmp_path / "here", write_table(tmp_path / "rated.csv", 60)
    home.mkdir()
    small.train(home / "harbour")
    monkeypatch.chdir(home)
    train(home, table, "model", "lm:harbour")
    sentence = ["The boat left the harbour at noon.", "--format", "json"]
    capsys.readouterr()
    assert run(["score", *sentence, "--model", "model"]) == 0
    before = capsys.readouterr().out
    monkeypatch.chdir(tmp_path)
    train(tmp_path, table, "again", "lm:./here/harbour")
    files = [path.relative_to("again") for path in Path("again").rglob("*") if path.is_file()]
    assert Path("models/lm/harbour/manifest.json") in files
    for file in files:
        data = (tmp_path / "again" / file).read_bytes()
        assert data == (home / "model" / file).read_bytes(), file
        assert str(tmp_path).encode() not in data
    (tmp_path / "moved").mkdir()
    shutil.move(home / "model", tmp_path / "moved" / "mine")
    shutil.rmtree(home)
    monkeypatch.chdir(tmp_path / "moved")
    capsys.readouterr()
    assert run(["score", *sentence, "--model", "mine"]) == 0
    assert capsys.readouterr().out == before
    assert run(["evaluate", str(table), "--model", "mine", "--store", "none", "--jobs", "1"]) == 0
    assert "the same figures as in" in capsys.readouterr().err
    assert run(["explain", *sentence, "--model", "mine"]) == 0
    assert str(tmp_path) not in capsys.readouterr().out


def test_a_loaded_model_is_saved_again(tmp_path: Path) -> None:
    """A KenLM file is copied; a model that was saved again has the same manifest and needs none of the files."""
    small.train(tmp_path / "harbour")
    regressor = fitted([f"lm:{tmp_path / 'harbour' / 'order-3.binary'}", "lm:words", "surface"])
    save_estimator(regressor, tmp_path / "saved")
    expected = load_model(tmp_path / "saved").score(TEXTS)
    shutil.rmtree(tmp_path / "harbour")
    (tmp_path / "saved").rename(tmp_path / "moved")
    model = load_model(tmp_path / "moved")
    assert model.score(TEXTS) == expected
    manifest = (tmp_path / "moved" / "manifest.json").read_text()
    assert json.loads(manifest)["groups"] == ["lm:order-3.binary", "lm:words", "surface"]
    assert str(tmp_path) not in manifest
    save_estimator(regressor.set_params(features=[*model.saved.description.groups]), tmp_path / "again")
    assert (tmp_path / "again" / "manifest.json").read_text() == manifest


def test_a_large_model_is_found_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    """Only the folder that a variable names is searched; another model of that name is refused."""
    monkeypatch.setattr(bundled, "MOST_BYTES", 100)
    table, group = write_table(tmp_path / "rated.csv", 60), small.train(tmp_path / "harbour")
    train(tmp_path, table, "saved", f"lm:{group}")
    said = capsys.readouterr().err
    assert "lm:harbour is not copied into the folder" in said
    assert f"name the folder that holds 'harbour' in ${VARIABLE}" in said
    assert not (tmp_path / "saved" / "models").exists()
    assert str(tmp_path) not in (tmp_path / "saved" / "manifest.json").read_text()
    monkeypatch.chdir(tmp_path)  # where a folder of that name lies
    with pytest.raises(ModelError, match=rf"reads lm:harbour, .* the folder that holds 'harbour' in \${VARIABLE}"):
        load_model(tmp_path / "saved")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    expected = load_model(tmp_path / "saved").score(TEXTS)
    (tmp_path / "elsewhere").mkdir()
    group.rename(tmp_path / "elsewhere" / "harbour")
    monkeypatch.setenv(VARIABLE, f"{tmp_path}:{tmp_path / 'elsewhere'}")
    assert load_model(tmp_path / "saved").score(TEXTS) == expected
    shutil.rmtree(tmp_path / "elsewhere" / "harbour")
    small.train(tmp_path / "elsewhere" / "harbour", small.KITCHEN)
    with pytest.raises(ModelError, match=r"trained with lm:harbour \w+ \(here: \w+\)"):
        load_model(tmp_path / "saved")


@pytest.mark.parametrize("name", ["modèle du port", ".hidden", "a b.c"])
def test_folders_may_have_any_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A folder of any name is found, whether it is copied or not."""
    regressor = fitted([f"lm:{small.train(tmp_path / name)}"])
    save_estimator(regressor, tmp_path / "saved")
    expected = load_model(tmp_path / "saved").score(TEXTS)
    monkeypatch.setattr(bundled, "MOST_BYTES", 100)
    save_estimator(regressor, tmp_path / "apart")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    assert load_model(tmp_path / "apart").score(TEXTS) == expected


@pytest.mark.parametrize(
    "place", ["{here}/harbour", "harbour", "./harbour", "C:\\models\\harbour", "file:{here}/harbour"]
)
def test_a_manifest_names_no_place_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    """Neither a location, as written before 0.2.1, nor a group's name may lead outside the folder."""
    save_estimator(fitted([f"lm:{small.train(tmp_path / 'harbour')}"]), tmp_path / "saved")
    shutil.rmtree(tmp_path / "saved" / "models")
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "saved" / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["files"] = {k: v for k, v in manifest["files"].items() if not k.startswith("models/")}
    location = place.format(here=tmp_path)
    changed = manifest | {"models": {"lm:harbour": location}}
    named = {k: v for k, v in manifest.items() if k != "models"} | {"groups": [f"lm:{location}"]}
    for forged in (changed, named):
        path.write_text(json.dumps(forged))
        with pytest.raises(
            ModelError, match=rf"not in the folder; name the folder that holds 'harbour' in \${VARIABLE}"
        ):
            load_model(tmp_path / "saved")


def test_copies_are_checked(tmp_path: Path) -> None:
    """Changed, missing and unlisted files and forged locations are refused, and such a folder is not replaced."""
    save_estimator(fitted([f"lm:{small.train(tmp_path / 'harbour')}"]), tmp_path / "saved")
    copy = tmp_path / "saved" / "models" / "lm" / "harbour"
    check_folder(tmp_path / "saved", force=True)
    (copy / "mine.txt").write_text("notes")
    with pytest.raises(ModelError, match=r"other files than the manifest says \(models/lm/harb"):
        load_model(tmp_path / "saved")
    with pytest.raises(ModelError, match="holds files that are not a model's"):
        check_folder(tmp_path / "saved", force=True)
    (copy / "mine.txt").unlink()
    whole = (copy / "manifest.json").read_bytes()
    (copy / "manifest.json").write_bytes(whole.replace(b"harbour", b"harbeur"))
    with pytest.raises(ModelError, match="differs from the manifest in its checksum"):
        load_model(tmp_path / "saved", changed_assets=True)
    (copy / "manifest.json").write_bytes(whole)
    path = tmp_path / "saved" / "manifest.json"
    manifest = json.loads(path.read_text())
    for location in ("models/../../harbour", "models/lm/..", "models/lm", 5):
        path.write_text(json.dumps(manifest | {"models": {"lm:harbour": location}}))
        with pytest.raises(ModelError, match=r"the manifest places|is damaged"):
            load_model(tmp_path / "saved")


def test_encoders_are_copied_and_parsers_are_not(tmp_path: Path) -> None:
    """Only the files that are read are copied from an encoder; a parser's files are pickles."""
    encoder, parser = tmp_path / "encoder", tmp_path / "parser"
    (encoder / "1_Pooling").mkdir(parents=True)
    for name in ("config.json", "model.safetensors", "model.bin", "1_Pooling/config.json"):
        (encoder / name).write_text("{}")
    parser.mkdir()
    groups = [
        f"embedding:hf:{encoder}",
        f"parser:benepar:{parser}",
        "embedding:hf:some/name",
        "embedding:shipped",
        "lm:neural",
        "lm:tags:3",
    ]
    enclosure = enclose(groups)
    assert sorted(enclosure.files) == [
        f"models/embedding/encoder/{name}" for name in ("1_Pooling/config.json", "config.json", "model.safetensors")
    ]
    assert enclosure.locations == {
        "embedding:encoder": "hf:models/embedding/encoder",
        "parser:parser": "benepar:parser",
    }
    assert [line.partition(" ")[0] for line in enclosure.elsewhere()] == ["parser:parser"]


@pytest.mark.parametrize("path", [".", "..", "../deeper/.."])
def test_a_path_that_names_no_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    """A path without a folder name is refused, since columns are named after a model's folder."""
    folder = small.train(tmp_path / "harbour")
    (folder / "deeper").mkdir()
    monkeypatch.chdir(folder / "deeper" if ".." in path else folder)
    with pytest.raises(ModelError, match=rf"write lm:{folder}"):
        enclose([f"lm:{path}"])
