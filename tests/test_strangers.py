"""Hostile models, projects and folders run no code, and read and write nothing outside themselves."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from naturalness import NaturalnessRegressor
from naturalness.cli import run
from naturalness.errors import NaturalnessError
from naturalness.files.folder import copy_regular
from naturalness.files.store import FILE, MeasurementStore, StoreKey
from naturalness.judging.bundled import enclose, write_enclosed
from naturalness.labelling.parts import Parts
from naturalness.pipelines.saving import save_estimator
from naturalness.pipelines.scorer import load_model
from naturalness.studio.annotate.project import POINTS, Project, Scale
from tests.support import language_models as small
from tests.support.commands import Captured
from tests.support.forging import mend_model

TEXTS = [*small.HARBOUR, *small.KITCHEN]


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a model that contains a copy of a language model."""
    home = tmp_path_factory.mktemp("given")
    small.train(home / "harbour")
    features = ["surface", f"lm:{home / 'harbour'}"]
    regressor = NaturalnessRegressor(features=features, learner="logistic-l2", folds=2)
    save_estimator(regressor.fit(TEXTS, [*range(7), *range(7)]), home / "model")
    return home / "model"


@pytest.fixture
def repository(given: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a stranger's repository: a page, settings that name a model, and the model."""
    home = tmp_path / "repository"
    shutil.copytree(given, home / "model")
    (home / "README.md").write_text("The boat left the harbour at noon.\n")
    (home / "naturalness.toml").write_text('[check]\nmodel = "model"\nmin-score = 0.01\n')
    monkeypatch.chdir(home)
    return home


def forge(model: Path, name: str, change: Callable[[str], str]) -> None:
    """Change a file of a model and update its manifest."""
    path = model / name
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
    mend_model(model)


def tree(folder: Path) -> Iterator[tuple[str, int]]:
    """Yield each path below a folder with its size."""
    return iter(sorted((str(p.relative_to(folder)), p.lstat().st_size) for p in folder.rglob("*")))


def test_a_harmless_repository_is_checked(repository: Path, capsys: Captured) -> None:
    """Settings may name a model in the same repository."""
    assert run(["check", "README.md"]) == 0, capsys.readouterr().err


def test_a_pipeline_in_a_folder_is_refused(repository: Path, capsys: Captured) -> None:
    """A model may name a pipeline that is an installed package, but not the path of a folder."""
    forge(repository / "model", "manifest.json", lambda text: text.replace('"nlp": "en"', '"nlp": "./model"'))
    assert run(["check", "README.md"]) == 2
    assert "cannot open spaCy pipeline './model' (no such package is installed)" in capsys.readouterr().err


def test_links_in_a_model_are_refused(repository: Path, tmp_path: Path, capsys: Captured) -> None:
    """A link in place of a model's file is refused, even if the target has the right checksum."""
    model = repository / "model"
    for name in ("model.npz", "models/lm/harbour/manifest.json"):
        file, aside = model / name, tmp_path / "aside"
        file.rename(aside)
        file.symlink_to(aside)
        assert run(["score", "--model", "model", "A boat."]) == 2
        assert f"{name}' is a link; put the file itself there" in capsys.readouterr().err
        file.unlink()
        aside.rename(file)
    assert run(["score", "--model", "model", "A boat."]) == 0


def test_misplaced_copies_are_refused(repository: Path, capsys: Captured) -> None:
    """A model's copies of other models must be in the folder for their kind, and a copy of a parser is refused."""
    model = repository / "model"
    whole = json.loads((model / "manifest.json").read_text(encoding="utf-8"))
    (model / "models" / "lm").rename(model / "models" / "zzz")
    files = {name.replace("models/lm/", "models/zzz/"): entry for name, entry in whole["files"].items()}
    for name, locations in {
        "lm:harbour": {"lm:harbour": "models/zzz/harbour"},
        "lm:harbour ": {"lm:harbour": "models/LM/harbour"},
        "parser:benepar:m": {"parser:benepar:m": "benepar:models/parser/m"},
        "embedding:e": {"embedding:e": "hf:models/embedding/.."},
        "lm:a": {"lm:a": "models/lm/a\\b"},
    }.items():
        groups = ["surface", name.strip()]
        manifest = {**whole, "files": files, "groups": groups, "models": {**whole["models"], **locations}}
        (model / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
        assert run(["score", "--model", "model", "A boat."]) == 2
        assert "the manifest places" in capsys.readouterr().err


def test_linked_and_huge_manifests_are_refused(repository: Path, tmp_path: Path, capsys: Captured) -> None:
    """A manifest or folder of copies that is a link is refused, and so is a huge manifest."""
    model = repository / "model"
    for name in ("manifest.json", "models"):
        (model / name).rename(tmp_path / name)
        (model / name).symlink_to(tmp_path / name)
        assert run(["score", "--model", "model", "A boat."]) == 2
        assert f"{name}' is a link" in capsys.readouterr().err
        (model / name).unlink()
        (tmp_path / name).rename(model / name)
    with (model / "manifest.json").open("ab") as file:
        file.truncate(20 << 30)  # which takes no room on the disk
    assert run(["score", "--model", "model", "A boat."]) == 2
    assert "more than 50,000,000 bytes" in capsys.readouterr().err


def test_targets_of_links_are_not_copied(tmp_path: Path) -> None:
    """`train` copies no target of a link in a language model or encoder."""
    secret = tmp_path / "secret"
    secret.write_text("mine")
    lm, encoder = small.train(tmp_path / "harbour"), tmp_path / "encoder"
    encoder.mkdir()
    for name in ("config.json", "model.safetensors"):
        (encoder / name).write_text("{}")
    (encoder / "vocab.txt").symlink_to(secret)
    (tmp_path / "target").mkdir()
    with pytest.raises(NaturalnessError, match=r"vocab\.txt' is a link"):
        write_enclosed(tmp_path / "target", enclose([f"embedding:hf:{encoder}"]))
    (lm / "capitals.txt.gz").rename(tmp_path / "aside")
    (lm / "capitals.txt.gz").symlink_to(tmp_path / "aside")
    with pytest.raises(NaturalnessError, match=r"capitals\.txt\.gz' is a link"):
        write_enclosed(tmp_path / "target", enclose([f"lm:{lm}"]))
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(NaturalnessError, match="is not a regular file"):
        copy_regular(tmp_path / "pipe", tmp_path / "copied")
    assert not [path for path in (tmp_path / "target").rglob("*") if path.is_file() and path.read_bytes() == b"mine"]


def test_a_store_does_not_change_a_file_behind_a_link(tmp_path: Path) -> None:
    """A link to another program's database is removed, and the database is unchanged."""
    mine, store = tmp_path / "mine.sqlite", MeasurementStore(tmp_path / "store").check()
    with closing(sqlite3.connect(mine)) as db:
        db.execute("CREATE TABLE mine (x)")
    before = mine.read_bytes()
    (store.folder / FILE).symlink_to(mine)
    assert not store.read(StoreKey(bytes(16), 1))
    assert mine.read_bytes() == before and not (store.folder / FILE).exists()


def test_a_linked_folder_of_unfinished_work_is_refused(tmp_path: Path) -> None:
    """`label` does not follow a link in place of its folder of unfinished work."""
    mine = tmp_path / "mine"
    (mine / "shards").mkdir(parents=True)
    (mine / ".hidden").write_text("mine")
    (tmp_path / "out.csv.parts").symlink_to(mine)
    (tmp_path / "in.txt").write_text("A boat.\n")
    output = str(tmp_path / "out.csv")
    for more in ([], ["--force"], ["--resume"]):
        assert run(["label", str(tmp_path / "in.txt"), "-o", output, "--fast", "--jobs", "1", *more]) == 2
    assert list(tree(mine)) == [(".hidden", 4), ("shards", (mine / "shards").lstat().st_size)]
    parts = tmp_path / "parts"
    parts.mkdir()
    (parts / "shards").symlink_to(mine)
    with pytest.raises(NaturalnessError, match="is a link; move it away"):
        Parts(parts, ["naturalness"]).write(0, {"naturalness": [0.5]})


def test_additional_tables_in_a_project_are_refused(tmp_path: Path) -> None:
    """A project with an additional trigger, view or table is refused."""
    whole = tmp_path / "whole.project"
    Project.create(whole, [("A boat.", {"text": "A boat."})], Scale(POINTS, 1, 5)).close()
    Project.open(whole).close()
    for statement in (
        "CREATE TRIGGER t AFTER INSERT ON answers BEGIN DELETE FROM answers; END",
        "CREATE VIEW v AS SELECT readfile('/etc/passwd')",
        "CREATE VIRTUAL TABLE f USING fts4(content)",
        "CREATE TABLE more (x)",
    ):
        copy = Path(shutil.copy(whole, tmp_path / "copy.project"))
        with closing(sqlite3.connect(copy)) as db:
            db.execute(statement)
            db.commit()
        with pytest.raises(NaturalnessError, match="its tables are not those of a project"):
            Project.open(copy)
        copy.unlink()


def test_check_skips_links(tmp_path: Path, capsys: Captured) -> None:
    """`check` skips links in a folder, and neither prints nor changes their targets."""
    secret = tmp_path / "secret.md"
    secret.write_text("He go to the school yesterday.\n")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("The boat left the harbour at noon.\n")
    (tmp_path / "docs" / "b.md").symlink_to(secret)
    assert run(["check", str(tmp_path / "docs"), "--config", "none", "--fix", "--model", "fast"]) == 0
    assert "school" not in capsys.readouterr().out
    page = str(tmp_path / "docs" / "b.md")
    assert run(["check", page, *["--config", "none", "--rules", "--fix", "--sure", "0.5", "--model", "fast"]]) == 1
    assert "is a link; name the file that it leads to" in capsys.readouterr().err
    assert secret.read_text() == "He go to the school yesterday.\n"


def test_the_unchanged_model_scores(given: Path) -> None:
    """The unchanged model scores, so the other tests refuse models because of their changes."""
    assert np.isfinite(load_model(given).score(TEXTS).naturalness).all()
