"""A model's folder: reproducible bytes, and checks on reading."""

from __future__ import annotations

import hashlib
import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from naturalness.cli import run
from naturalness.errors import ModelError, NaturalnessWarning, PipelineError
from naturalness.files.archive import pack, unpack
from naturalness.files.folder import check_folder
from naturalness.judging.model import model_folder, read_description, read_model
from naturalness.pipelines.scorer import load_model, open_model
from tests.support.rated import sentences, write_table

OPTIONS = ["--repeats", "2"]


def train(home: Path, *options: str) -> Path:
    """Train a model on sentences of our own."""
    table = write_table(home / "rated.csv", 60)
    assert run(["train", str(table), "-o", str(home / "model"), *OPTIONS, *options]) == 0
    return home / "model"


TREES = ["--learner", "xgboost", "--features", "surface,lexical,repetition", "--jobs"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a model of trees."""
    return train(tmp_path_factory.mktemp("store"), *TREES, "1")


GONE = r"feature group that is not available; install naturalness \S+, or train the model again \(.+\)$"


def copy(folder: Path, to: Path, **changes: Any) -> Path:
    """Copy the folder with other manifest entries and intact checksums."""
    to.mkdir()
    for path in folder.iterdir():
        (to / path.name).write_bytes(path.read_bytes())
    manifest = json.loads((to / "manifest.json").read_text())
    (to / "manifest.json").write_text(json.dumps(manifest | changes))
    return to


def forge(folder: Path, to: Path, arrays: dict[str, Any] | bytes) -> Path:
    """Copy the folder with other arrays and a matching manifest."""
    data = arrays if isinstance(arrays, bytes) else pack(arrays)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["files"]["model.npz"] = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    copy(folder, to, files=manifest["files"])
    (to / "model.npz").write_bytes(data)
    return to


def test_files_of_a_folder(folder: Path) -> None:
    """The folder has a manifest, arrays, a card, a report and figures, all with checksums."""
    names = {"manifest.json", "model.npz", "card.md", "report.html", "metrics.json"}
    assert {path.name for path in folder.iterdir()} == names
    manifest = json.loads((folder / "manifest.json").read_text())
    for name, entry in manifest["files"].items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == entry["sha256"]
    metrics = json.loads((folder / "metrics.json").read_text())
    for figure in ("weighted_f1", "accuracy", "roc_auc", "spearman", "pearson"):
        assert {"mean", "deviation", "defined"} == set(metrics["learners"]["xgboost"][figure])
    assert set(metrics["baselines"]) == {"majority", "length alone"}


def test_no_sentence_is_in_the_folder(folder: Path) -> None:
    """Only hashes of the training texts are stored."""
    everything = b"".join(path.read_bytes() for path in folder.iterdir())
    texts = [text for text, _, _ in sentences(60)]
    assert not any(text.encode() in everything for text in texts)
    model = load_model(folder)
    assert all(model.knows(text) for text in texts)
    assert model.knows("  " + texts[0].upper())
    assert not model.knows("A sentence that nobody wrote before.")
    assert model.knows(texts[0].lower().replace(".", " !"))


def test_the_same_fit_writes_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    """Every file is the same with another number of processes."""
    again = train(tmp_path, *TREES, "2")
    for path in folder.iterdir():
        assert path.read_bytes() == (again / path.name).read_bytes(), path.name


@pytest.mark.parametrize(
    ("changes", "match"),
    [
        ({"format_version": 3}, "format version 3; this release reads 2"),
        ({"format_version": None}, "format version None"),
        ({"kind": "oracle"}, "are invalid"),
        ({"threshold": 7}, "are invalid"),
        ({"scale": [1, 1]}, "are invalid"),
        ({"units": []}, "are invalid"),
        ({"units": ["quantum"]}, "known"),
        ({"classes": ["one"]}, "are invalid"),
        ({"classes": ["one", "one"]}, "are invalid"),
        ({"classes": "ab"}, "missing or damaged"),
        ({"format_version": True}, "format version True"),
        ({"format_version": 1.0}, "format version 1.0"),
        ({"threshold": 10**400}, "missing or damaged"),
        ({"nlp": "numpy"}, "no such package is installed"),
        ({"columns": ["a"]}, "columns and their checksum differ"),
        ({"columns": ["\ud800"]}, "columns and their checksum differ"),
        ({"columns_hash": "0"}, "columns and their checksum differ"),
        ({"pipeline": "0"}, r"trained with pipeline 'en' 0 \(here: \w+\); install naturalness"),
        ({"assets": {"wordlist": "0"}}, r"trained with wordlist 0 \(here: \w+\)"),
        ({"groups": ["seance"]}, "needs a feature group that is not available"),
        ({"groups": ["surface"]}, "features that this release does not have"),
        ({"files": {}}, "does not list model.npz"),
        ({"training": 5}, "missing or damaged"),
    ],
)
def test_a_manifest_is_checked(folder: Path, tmp_path: Path, changes: dict[str, Any], match: str) -> None:
    """An error in the version, checksums, columns, assets or pipeline has its own message."""
    with pytest.raises((ModelError, PipelineError), match=match):
        read_model(copy(folder, tmp_path / "m", **changes))


@pytest.mark.parametrize("group", ["prose", "columns:length,stars", "reply:question"])
def test_a_group_of_an_earlier_release_is_named(folder: Path, tmp_path: Path, group: str) -> None:
    """The error names the group and what to do, even if other assets are accepted."""
    with pytest.raises(ModelError, match=GONE):
        read_model(copy(folder, tmp_path / "m", groups=[group]), changed_assets=True)


def test_new_columns_of_a_group_do_not_matter(folder: Path, tmp_path: Path) -> None:
    """A model reads the columns that it was trained on, even if its groups have gained some."""
    texts = [text for text, _, _ in sentences(10)]
    grown = copy(folder, tmp_path / "m", groups=["dependency", "surface", "lexical", "repetition"])
    assert load_model(grown).score(texts) == load_model(folder).score(texts)


def test_other_assets_can_be_accepted(folder: Path, tmp_path: Path) -> None:
    """An option accepts changed assets, with which scores differ."""
    other = copy(folder, tmp_path / "m", pipeline="0")
    assert load_model(other, changed_assets=True).score(["A plain sentence."]).reasons == [""]


@pytest.fixture(scope="module")
def changed_rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a model that reads rules and n-grams, and whose record has another version of a rule."""
    home = tmp_path_factory.mktemp("rules")
    now = train(home, "--learner", "logistic-l2", "--features", "rules,word_lm", "--jobs", "1")
    older = {"rules": "0", "rules:number": "THIS_THINGS 0, THAT_THINGS 1"}
    return copy(now, home / "then", assets={**read_description(now).assets, **older})


@pytest.mark.parametrize("name", ["default", "fast", "prose"])
def test_shipped_models_open_without_a_warning(name: str) -> None:
    """Shipped models do not read rules, which may have changed since their training."""
    assert not [asset for asset in read_description(model_folder(name)).assets if asset.startswith("rules")]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not open_model(name).saved.changes


def test_changed_rules_are_a_warning(changed_rules: Path) -> None:
    """The warning names both versions; the model scores with the installed rules."""
    texts = ["He go to school.", "She reads a book."]
    with pytest.warns(
        NaturalnessWarning, match="other rules of number; rules whose versions it does not record"
    ) as seen:
        model = load_model(changed_rules)
    assert len(seen) == 1
    assert seen[0].filename == __file__
    assert model.score(texts) == load_model(changed_rules.parent / "model").score(texts)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        load_model(changed_rules, changed_assets=True)


def test_the_command_line_warns_in_one_line(
    changed_rules: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The warning appears once, also with two worker processes."""
    (tmp_path / "texts.txt").write_text("She reads a book.\nHe go to school.\n")
    arguments = [str(tmp_path / "texts.txt"), "-o", str(tmp_path / "labels.csv"), "--model", str(changed_rules)]
    assert run(["label", *arguments, "--jobs", "2"]) == 0
    warning, rows = capfd.readouterr().err.splitlines()
    assert warning.startswith("warning: model ") and "rules" in warning
    assert rows.startswith("2 rows written")


def test_changed_rules_do_not_excuse_other_assets(changed_rules: Path, tmp_path: Path) -> None:
    """A changed asset is refused even if rules have changed, too."""
    assets = read_description(changed_rules).assets
    with pytest.raises(ModelError, match=r"trained with words 0 \(here"):
        load_model(copy(changed_rules, tmp_path / "asset", assets={**assets, "words": "0"}))


@pytest.mark.parametrize("name", ["model.npz", "card.md", "metrics.json", "report.html"])
def test_an_altered_file_is_refused(folder: Path, tmp_path: Path, name: str) -> None:
    """A changed file or a link is refused before it is used; without a page, the model opens."""
    model = copy(folder, tmp_path / "m")
    data = bytearray((model / name).read_bytes())
    data[len(data) // 2] ^= 1
    for changed in (bytes(data), bytes(data) + b" "):
        (model / name).write_bytes(changed)
        with pytest.raises(ModelError, match=f"{name} differs from the manifest in size or checksum"):
            load_model(model)
    (model / name).unlink()
    if name == "model.npz":
        with pytest.raises(ModelError, match="is missing or cannot be read"):
            load_model(model)
    else:
        load_model(model)
    (model / name).symlink_to(folder / name)
    with pytest.raises(ModelError, match="is a link"):
        load_model(model)


def test_a_page_that_the_manifest_does_not_list(folder: Path, tmp_path: Path) -> None:
    """A model of an earlier release, whose manifest may list fewer files, opens."""
    files = json.loads((folder / "manifest.json").read_text())["files"]
    model = copy(folder, tmp_path / "m", files={"model.npz": files["model.npz"]})
    assert load_model(model).score(["A sentence."]).naturalness == load_model(folder).score(["A sentence."]).naturalness


def test_forged_arrays_are_refused(folder: Path, tmp_path: Path) -> None:
    """A cycle of tree nodes, or a file without arrays, is refused even with a matching manifest."""
    arrays = unpack((folder / "model.npz").read_bytes())
    left = arrays["unit0.left"].copy()
    left[np.flatnonzero(left > 0)[-1]] = 0
    for name, forged, match in (("a", {**arrays, "unit0.left": left}, "cycle"), ("b", b"nothing", "not a file of")):
        with pytest.raises(ModelError, match=match):
            read_model(forge(folder, tmp_path / name, forged))


def test_a_folder_with_other_things_is_not_replaced(folder: Path, tmp_path: Path) -> None:
    """Only a model is replaced, and only with --force; the message names the reason."""
    full = tmp_path / "photos"
    full.mkdir()
    (full / "cat.jpg").write_bytes(b"cat")
    with pytest.raises(ModelError, match="holds files that are not a model's"):
        check_folder(full, force=True)
    extension = tmp_path / "extension"
    extension.mkdir()
    (extension / "manifest.json").write_text('{"name": "not ours"}')
    with pytest.raises(ModelError, match="holds files that are not a model's"):
        check_folder(extension, force=True)
    (extension / "models").mkdir()
    (extension / "models" / "a").write_text("")
    for odd in ("3", '[{"path": "models/a"}, ["models/a"]]', "null"):
        (extension / "manifest.json").write_text(f'{{"format_version": 1, "columns_hash": "", "files": {odd}}}')
        with pytest.raises(ModelError, match=r"holds files that are not a model's \(models/a\)"):
            check_folder(extension, force=True)
    shared = copy(folder, tmp_path / "shared")
    (shared / "mine.csv").write_text("text,rating\n")
    with pytest.raises(ModelError, match=r"\(mine.csv\)"):
        check_folder(shared, force=True)
    link = tmp_path / "link"
    link.symlink_to(folder)
    with pytest.raises(ModelError, match="is a link"):
        check_folder(link, force=True)
    with pytest.raises(ModelError, match="folder you are in"):
        check_folder(Path(), force=True)
    with pytest.raises(ModelError, match="add `force`"):
        check_folder(folder, force=False)
    check_folder(folder, force=True)
    with pytest.raises(ModelError, match="is a file"):
        check_folder(full / "cat.jpg", force=True)
    with pytest.raises(ModelError, match="no folder"):
        check_folder(tmp_path / "a" / "b", force=True)


def test_missing_and_invalid_manifests_are_errors(tmp_path: Path) -> None:
    """A missing manifest and invalid JSON are clear errors."""
    with pytest.raises(ModelError, match="no model at"):
        load_model(tmp_path / "nothing")
    (tmp_path / "manifest.json").write_text("{" * 100_000)
    with pytest.raises(ModelError, match="is damaged"):
        load_model(tmp_path)
