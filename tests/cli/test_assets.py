"""`assets` lists the shipped assets and writes samples; `doctor` verifies the assets."""

from __future__ import annotations

from pathlib import Path

import pytest

from naturalness.errors import REINSTALLING
from naturalness.files.resources import ASSETS_VARIABLE, load_manifest
from tests.support.commands import Cli, run_line
from tests.support.manifest import write_manifest


def test_assets_are_listed(cli: Cli) -> None:
    """Each asset is listed with its licence and the command that rebuilds it."""
    listed = cli(0, "assets list").out
    assert [block.split()[0] for block in listed.split("\n\n")[1:-1]] == list(load_manifest())
    assert listed.count("\n  licence: ") == listed.count("\n  rebuilt by: python -m training.") == len(load_manifest())


def test_the_folder_of_assets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli) -> None:
    """The list names the folder; for a missing or damaged file, `doctor` gives the command that restores it."""
    names = ("words", "pipeline")
    for name in names:
        (tmp_path / name).write_text("a")
    write_manifest(tmp_path, **{name: name for name in names})
    monkeypatch.setenv(ASSETS_VARIABLE, str(tmp_path))
    lines = cli(0, "assets list").out.splitlines()
    heads = [line.split()[0] for line in lines if line and not line.startswith(" ")]
    assert heads == [str(tmp_path), *names]
    (tmp_path / "words").write_text("bc")
    (tmp_path / "pipeline").unlink()
    said = cli(1, "doctor").out
    assert f"words has 2 bytes, expected 1; run: {REINSTALLING}\n" in said
    assert f"pipeline is missing; run: {REINSTALLING}\n" in said


@pytest.mark.parametrize(("name", "rows"), [("replies", 200), ("assistants", 20)])
def test_samples_are_written(name: str, rows: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli) -> None:
    """A sample is written to NAME.csv unless -o names another file, and overwrites a file only with --force."""
    monkeypatch.chdir(tmp_path)
    assert cli(0, "assets sample", name).err == f"{rows} rows written to '{name}.csv'\n"
    assert len(Path(f"{name}.csv").read_text(encoding="utf-8").splitlines()) == rows + 1
    assert f"'{name}.csv' exists" in cli(2, "assets sample", name).err
    assert run_line("assets sample", name, "-o", "other.csv") == run_line("assets sample", name, "--force") == 0
    assert Path("other.csv").read_bytes() == Path(f"{name}.csv").read_bytes()
