"""`generate`, `assets` and `doctor`: whole outputs and errors."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from naturalness import __version__
from naturalness.cli import run
from naturalness.cli.doctor import CORE, EXTRAS
from naturalness.files.resources import ASSETS_VARIABLE, load_manifest

Captured = pytest.CaptureFixture[str]
SENTENCES = [
    "The teacher was reading a long letter in the quiet garden.",
    "My brother often walks to the station with his two dogs.",
    "She said that the children have seen these old films at school.",
]


@pytest.fixture
def corpus(tmp_path: Path) -> str:
    """A text file of three sentences."""
    path = tmp_path / "corpus.txt"
    path.write_text("\n".join(SENTENCES) + "\n")
    return str(path)


def test_errors_are_generated_and_recorded(corpus: str, capfd: Captured) -> None:
    """One JSON object per text, places included; the same seed gives the same bytes."""
    arguments = ["generate", corpus, "--method", "errors", "-n", "3", "--kinds", "drop"]
    assert run(arguments) == 0
    out = capfd.readouterr().out
    rows = [json.loads(line) for line in out.splitlines()]
    assert [row["original"] for row in rows] == SENTENCES
    for row in rows:
        (damage,) = row["damages"]
        assert list(row) == ["text", "original", "method", "kinds", "n_damages", "amount", "damages"]
        assert (row["kinds"], row["n_damages"], damage["kind"]) == ("drop", 1, "drop")
        assert len(row["text"].split()) == len(row["original"].split()) - 1
        assert damage["before"].lower() in row["original"].lower()
        assert damage["start"] == damage["end"]
    assert run(arguments) == 0
    assert capfd.readouterr().out == out
    assert run([*arguments, "--seed", "1"]) == 0
    assert capfd.readouterr().out != out


def test_sequences_are_generated_for_each_size(corpus: str, tmp_path: Path) -> None:
    """Two texts for each of two sizes, as CSV."""
    out = tmp_path / "out.csv"
    assert (
        run(["generate", corpus, "--method", "sequence", "-n", "2", "--sizes", "1,4", "--length", "8", "-o", str(out)])
        == 0
    )
    lines = out.read_text().splitlines()
    assert lines[0] == "text,original,method,kinds,n_damages,amount,damages,size"
    assert [line.rsplit(",", 1)[1] for line in lines[1:]] == ["1", "1", "4", "4"]


ERRORS = [
    (
        ["-n", "9", "--method", "errors"],
        "only 3 of 9 texts were made: the corpus has 3 texts of four words or more, and not all can "
        "be damaged as asked; add text, ask for fewer, or for more kinds",
    ),
    (["-n", "1", "--method", "errors", "--kinds", "drp"], "unknown kind of damage 'drp'; did you mean 'drop'?"),
    (
        ["-n", "1", "--method", "sequence", "--sizes", "5"],
        "size 5 does not divide the length 24; choose one of [1, 2, 3, 4, 6, 8, 12, 24]",
    ),
]


@pytest.mark.parametrize(("arguments", "message"), ERRORS)
def test_errors_say_what_to_do(arguments: list[str], message: str, corpus: str, capfd: Captured) -> None:
    """Exit 2 and one line."""
    assert run(["generate", corpus, *arguments]) == 2
    assert capfd.readouterr().err == f"error: {message}\n"


def test_a_range_of_damages_is_checked(corpus: str, capfd: Captured) -> None:
    """A range that runs backwards is wrong usage."""
    with pytest.raises(SystemExit):
        run(["generate", corpus, "--method", "errors", "--damages", "4-1"])
    assert "expected a number or a range like 1-4, found '4-1'" in capfd.readouterr().err


def test_assets_are_listed_and_verified(capfd: Captured) -> None:
    """Each asset with its licence, and ok."""
    assert run(["assets", "list", "--format", "json"]) == 0
    rows = json.loads(capfd.readouterr().out)
    assert {row["name"] for row in rows} == set(load_manifest())
    assert all(row["licence"] for row in rows)
    assert run(["assets", "verify"]) == 0
    assert capfd.readouterr().out == "".join(f"{name}: ok\n" for name in load_manifest())
    assert run(["assets", "list"]) == 0
    assert "rebuilt by: python -m training.english" in capfd.readouterr().out


def test_a_damaged_asset_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Captured) -> None:
    """Exit 1, the file and the fault; a command that needs it stops with exit 2."""
    entry = {
        "name": "pipeline",
        "kind": "table",
        "description": "",
        "licence": "CC0",
        "sources": [],
        "command": "make",
        "date": "2026-01-01",
        "files": [{"path": "a.txt", "bytes": 1, "sha256": "0"}],
    }
    (tmp_path / "manifest.json").write_text(json.dumps({"manifest_version": 1, "assets": [entry]}))
    monkeypatch.setenv(ASSETS_VARIABLE, str(tmp_path))
    assert run(["assets", "verify"]) == 1
    assert capfd.readouterr().out == "pipeline: a.txt is missing\n"
    (tmp_path / "a.txt").write_text("ab")
    assert run(["assets", "verify", "pipeline"]) == 1
    assert capfd.readouterr().out == "pipeline: a.txt has 2 bytes, expected 1\n"
    assert run(["assets", "verify", "nothing"]) == 2
    assert run(["doctor"]) == 1
    assert "MISSING  pipeline" in capfd.readouterr().out


def test_the_doctor_finds_all_that_is_needed(capfd: Captured) -> None:
    """Packages, assets, models, speed, programs, extras; exit 0 where the core is here."""
    assert run(["doctor"]) == 0
    out = capfd.readouterr().out
    assert out.startswith(f"naturalness {__version__}, Python 3.")
    assert re.search(r"fast {21}(unchanged since its training|scores, though trained with rules \w+ .*)\n", out)
    for heading in ("packages", "assets", "models", "speed", "programs", "extras"):
        assert f"\n{heading}" in out
    assert "words a second on one core" in out
    assert out.endswith("all that is needed is here\n")


def test_the_version_is_printed(capfd: Captured) -> None:
    """On standard output, exit 0."""
    with pytest.raises(SystemExit) as stop:
        run(["--version"])
    assert stop.value.code == 0
    assert capfd.readouterr().out == f"naturalness {__version__}\n"


def test_the_doctor_knows_every_package_and_extra() -> None:
    """Those of pyproject.toml, but for the extra that installs nothing."""
    with (Path(__file__).parents[2] / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    needed = {re.split(r"[<>=;\[]", one)[0] for one in project["dependencies"]} - {"xgboost"}
    assert {distribution for _, distribution, _ in CORE} == needed
    extras = {name for name, packages in project["optional-dependencies"].items() if packages}
    assert {extra for _, extra, _ in EXTRAS} == extras
