"""`assets` lists the shipped assets and verifies them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from naturalness.errors import LARGE_MISSING, REINSTALLING
from naturalness.files import resources
from naturalness.files.resources import ASSETS_VARIABLE, load_manifest
from tests.support.commands import Cli, run_line
from tests.support.manifest import write_manifest


def test_assets_are_listed_and_verified(cli: Cli) -> None:
    """Each asset is listed with its licence, and verified as ok."""
    rows = json.loads(cli(0, "assets list --format json").out)
    assert {row["name"] for row in rows} == set(load_manifest())
    assert all(row["licence"] for row in rows)
    assert cli(0, "assets verify").out == "".join(f"{name}: ok\n" for name in load_manifest())
    assert "rebuilt by: python -m training.english" in cli(0, "assets list").out


def test_assets_of_the_large_model_lie_in_a_package_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli
) -> None:
    """The output names the package of the large model and the command that reinstalls it."""
    folders = {"en": ("words", "pipeline"), "large": ("large",)}
    for folder, names in folders.items():
        (tmp_path / folder).mkdir()
        for name in names:
            (tmp_path / folder / name).write_text("a")
        write_manifest(tmp_path / folder, **{name: name for name in names})
    monkeypatch.setenv(ASSETS_VARIABLE, str(tmp_path / "en"))
    monkeypatch.setattr(resources, "large_folder", lambda: tmp_path / "large")
    lines = cli(0, "assets list").out.splitlines()
    heads = [line.split()[0] for line in lines if line and not line.startswith(" ")]
    assert heads == [str(tmp_path / "en"), "words", "pipeline", str(tmp_path / "large"), "large"]
    (tmp_path / "large" / "large").write_text("b")
    assert cli(1, "assets verify").err == f"reinstall it: {LARGE_MISSING}\n"
    for name in folders["en"]:
        (tmp_path / "en" / name).unlink()
    assert cli(1, "assets verify").err == f"run: {REINSTALLING}\nreinstall it: {LARGE_MISSING}\n"


@pytest.mark.slow
def test_a_damaged_asset_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli) -> None:
    """`verify` names the file and the fault with exit code 1; a command that needs it stops with exit code 2."""
    (tmp_path / "a.txt").write_text("a")
    write_manifest(tmp_path, pipeline="a.txt")
    (tmp_path / "a.txt").unlink()
    monkeypatch.setenv(ASSETS_VARIABLE, str(tmp_path))
    assert cli(1, "assets verify").out == "pipeline: a.txt is missing\n"
    (tmp_path / "a.txt").write_text("ab")
    assert cli(1, "assets verify pipeline").out == "pipeline: a.txt has 2 bytes, expected 1\n"
    assert run_line("assets verify nothing") == 2
    assert "MISSING  pipeline" in cli(1, "doctor").out


@pytest.mark.parametrize(("name", "rows"), [("replies", 200), ("assistants", 20)])
def test_samples_are_written(name: str, rows: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli) -> None:
    """Samples are written under their own names unless others are given, and never overwrite a file."""
    monkeypatch.chdir(tmp_path)
    assert cli(0, "assets sample", name).err == f"{rows} rows written to '{name}.csv'\n"
    assert len(Path(f"{name}.csv").read_text(encoding="utf-8").splitlines()) == rows + 1
    assert f"'{name}.csv' exists" in cli(2, "assets sample", name).err
    assert run_line("assets sample", name, "-o", "other.csv") == run_line("assets sample", name, "--force") == 0
    assert Path("other.csv").read_bytes() == Path(f"{name}.csv").read_bytes()
