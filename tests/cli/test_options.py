"""Declared options, stored measurements, and output pages."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest

from naturalness.cli import build_parser, run
from naturalness.cli.options import open_store
from naturalness.data.formats import FORMATS
from naturalness.data.labels import RULES
from naturalness.data.rated_rows import SCALINGS
from naturalness.models.learners.table import AUTO, LEARNERS
from naturalness.pages.output import write_pages
from naturalness.pipelines.planning import THRESHOLD_METRICS
from naturalness.statistics.measures import THRESHOLDS
from tests.support.commands import Captured, Cli
from tests.support.rated import write_table

QUICK = ["--learner", "logistic-l2", "--features", "surface,lexical", "--repeats", "2", "--jobs", "1"]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a rated table and a model trained on it without a store."""
    home = tmp_path_factory.mktemp("stored")
    write_table(home / "rated.csv", 60)
    arguments = ["train", str(home / "rated.csv"), "-o", str(home / "plain"), *QUICK]
    assert run(arguments) == 0
    return home


def no_parsing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make any further parsing of texts fail."""

    def refuse(*texts: Any, **how: Any) -> Any:
        raise AssertionError("a text was read")

    monkeypatch.setattr("naturalness.features.measuring.read_docs", refuse)


def files(folder: Path) -> dict[str, bytes]:
    """Return the files of a model."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_second_training_parses_nothing(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli, capsys: Captured
) -> None:
    """A second training reads all values from the store, and its model equals one trained without a store."""
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


def test_an_unusable_store_is_an_error(home: Path, tmp_path: Path, cli: Cli) -> None:
    """An unusable --store is a one-line error before any text is parsed, and no model is written."""
    path = str(home / "rated.csv")
    arguments = ["train", path, "-o", str(tmp_path / "m"), *QUICK, "--store", path]
    messages = cli(2, arguments).err
    assert "rated.csv' cannot store measurements (" in messages and messages.count("\n") == 1
    assert not (tmp_path / "m").exists()


def test_where_measurements_are_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """--store overrides NATURALNESS_STORE, which overrides the cache folder; `none` disables it."""
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
def test_a_full_disk_keeps_the_old_page(tmp_path: Path, name: str) -> None:
    """If the disk is full, the old file is kept and no partial file remains."""
    path = tmp_path / name
    path.write_text("old")
    with pytest.raises(OSError, match="No space left"):
        write_pages([str(path)], lambda: "new", lambda: ["new"])
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


def test_pages_are_readable_by_everyone(tmp_path: Path) -> None:
    """Pages are readable by everyone, and a lone surrogate becomes a question mark."""
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
def test_declared_choices_match_the_tables(command: str, name: str, table: Collection[str]) -> None:
    """The choices in the TOML files equal those of the tables, which the command line does not import, so that it
    starts quickly."""
    (commands,) = [action for action in build_parser(command)._actions if action.dest == "command"]
    (option,) = [action for action in commands.choices[command]._actions if action.dest == name and action.choices]  # type: ignore[index,call-overload]
    assert list(option.choices) == list(table)


def test_the_help_names_all_published_rules() -> None:
    """The help of --rule lists every published rule, since argparse does not check rules."""
    text = build_parser("train")._actions[-1].choices["train"].format_help()  # type: ignore[index,union-attr,call-overload]
    assert all(name in " ".join(text.split()) for name in RULES)
    assert set(THRESHOLD_METRICS) == set(THRESHOLDS)
