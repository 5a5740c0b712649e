"""Options: what the files declare, and commands that store what they measured."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest

from naturalness.cli import build_parser, run
from naturalness.cli.options import open_store
from naturalness.data.formats import FORMATS
from naturalness.data.labels import RULES
from naturalness.data.raters import SCALINGS
from naturalness.models.learners.table import AUTO, LEARNERS
from naturalness.pages.output import write_pages
from naturalness.pipelines.planning import THRESHOLD_METRICS
from naturalness.statistics.measures import THRESHOLDS
from tests.support.commands import Cli
from tests.support.rated import write_table

Captured = pytest.CaptureFixture[str]
QUICK = ["--learner", "logistic-l2", "--features", "surface,lexical", "--repeats", "2", "--jobs", "1"]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a rated table and a model trained on it without a store."""
    home = tmp_path_factory.mktemp("stored")
    write_table(home / "rated.csv", 60)
    arguments = ["train", str(home / "rated.csv"), "-o", str(home / "plain"), *QUICK]
    assert run(arguments) == 0
    return home


def no_parsing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make reading a text an error."""

    def refuse(*texts: Any, **how: Any) -> Any:
        raise AssertionError("a text was read")

    monkeypatch.setattr("naturalness.features.measuring.read_docs", refuse)


def files(folder: Path) -> dict[str, bytes]:
    """The files of a model."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_second_training_parses_nothing(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli, capsys: Captured
) -> None:
    """All texts are known, and the model has the bytes of one that was trained without a store."""
    store = f"--store {tmp_path}/store".split()
    arguments = ["train", str(home / "rated.csv"), *QUICK, *store, "-o"]
    assert "had been measured" not in cli(0, [*arguments, str(tmp_path / "first")]).err
    no_parsing(monkeypatch)
    assert run([*arguments, str(tmp_path / "second")]) == 0
    line = f"60 of 60 texts had been measured before: {tmp_path / 'store'}\n"
    assert capsys.readouterr().err.count(line) == 1
    assert files(tmp_path / "first") == files(tmp_path / "second") == files(home / "plain")
    evaluate = ["evaluate", str(home / "rated.csv"), "--model", str(home / "plain"), "--jobs", "1", *store]
    messages = cli(0, evaluate).err
    assert line in messages and "the same figures as in" in messages


def test_a_named_folder_that_cannot_be_used_is_an_error(home: Path, tmp_path: Path, cli: Cli) -> None:
    """One line, before anything is parsed; no model is written."""
    path = str(home / "rated.csv")
    arguments = ["train", path, "-o", str(tmp_path / "m"), *QUICK, "--store", path]
    messages = cli(2, arguments).err
    assert "rated.csv' cannot store measurements (" in messages and messages.count("\n") == 1
    assert not (tmp_path / "m").exists()


def test_the_usual_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable, else the user's cache folder; none turns it off, and an option goes first."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def store_folder(named: str | None = None) -> Path | None:
        store = open_store(named)
        return None if store is None else store.folder

    assert store_folder() is None  # as the tests have it
    assert store_folder(str(tmp_path / "named")) == tmp_path / "named"
    monkeypatch.setenv("NATURALNESS_STORE", str(tmp_path / "told"))
    assert store_folder() == tmp_path / "told"
    assert store_folder("none") is None
    for unset in ("", None):
        if unset is None:
            monkeypatch.delenv("NATURALNESS_STORE")
        else:
            monkeypatch.setenv("NATURALNESS_STORE", unset)
        assert store_folder() == tmp_path / "cache" / "naturalness" / "features"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert store_folder() == tmp_path / "home" / ".cache" / "naturalness" / "features"


@pytest.mark.usefixtures("full_disk")
@pytest.mark.parametrize("name", ["a.html", "a.json"])
def test_a_page_is_whole_or_the_old_one(tmp_path: Path, name: str) -> None:
    """On a full disk, the old file stays, and no other."""
    path = tmp_path / name
    path.write_text("old")
    with pytest.raises(OSError, match="No space left"):
        write_pages([str(path)], lambda: "new", lambda: ["new"])
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


def test_pages_are_for_everybody(tmp_path: Path) -> None:
    """Everyone may read the files; a lone surrogate becomes a question mark."""
    paths = [tmp_path / "a.html", tmp_path / "a.json"]
    write_pages(list(map(str, paths)), lambda: "é\ud800", lambda: ["é"])
    assert [path.read_text("utf-8") for path in paths] == ["é?", '[\n "é"\n]\n']
    assert {path.stat().st_mode & 0o777 for path in paths} == {0o644}


@pytest.mark.parametrize(
    ("command", "name", "table"),
    [
        ("score", "input_format", FORMATS),
        ("train", "learner", (AUTO, *LEARNERS)),
        ("train", "rater_scale", ("none", *SCALINGS)),
    ],
)
def test_declared_choices_are_those_of_the_tables(command: str, name: str, table: Collection[str]) -> None:
    """They are written twice, so that the command line starts quickly."""
    (commands,) = [action for action in build_parser(command)._actions if action.dest == "command"]
    (option,) = [action for action in commands.choices[command]._actions if action.dest == name and action.choices]  # type: ignore[index,call-overload]
    assert list(option.choices) == list(table)


def test_the_help_names_all_published_rules() -> None:
    """A rule is a name or its bounds, so argparse does not know the names."""
    text = build_parser("train")._actions[-1].choices["train"].format_help()  # type: ignore[index,union-attr,call-overload]
    assert all(name in " ".join(text.split()) for name in RULES)
    assert set(THRESHOLD_METRICS) == set(THRESHOLDS)
