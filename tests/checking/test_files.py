"""Checking files from Python gives the same results as the command."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from naturalness import check
from naturalness.checking.formats import as_object
from naturalness.cli import run
from naturalness.data.cells import finite
from naturalness.errors import NaturalnessWarning, UnknownName
from tests.support.explained import FINE, REPAIRED, SURE, TEXT, WAS, WERE, HandMade


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two files, and a model made by hand."""
    monkeypatch.setattr("naturalness.pipelines.scorer.load_model", lambda *_, **__: HandMade([REPAIRED, SURE]))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.md").write_text(f"# Title\n\n- {TEXT}\n\n{FINE}\n", encoding="utf-8")
    (tmp_path / "b.txt").write_text(f"{WAS}\n", encoding="utf-8")
    return tmp_path


def test_the_function_finds_the_flaws_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    """`check` returns the flaws and the counts that the command prints."""
    assert run(["check", ".", "--off", "length", "--edits", "--format", "json"]) == 1
    captured = capsys.readouterr()
    result = check(".", off=["length"], edits=1)
    assert finite(as_object(result.checked)) == json.loads(captured.out)
    assert f"{result.summary}\n" == captured.err
    assert result.flaws[0].code == "he-go"


def test_repairs_are_written_or_returned_as_a_difference(folder: Path) -> None:
    """`fix` writes the fixed file; `diff` writes nothing and returns the difference."""
    assert WERE in check("b.txt", diff=True, sure=0.5).difference
    result = check("b.txt", fix=True, sure=0.5)
    assert (folder / "b.txt").read_text(encoding="utf-8") == f"{WERE}\n"
    assert [fix.new for fix in result.fixes] and not result.flaws


def test_standard_input_is_apart_from_a_file_of_the_same_name(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The changes of standard input are not made to a file with the name given to it."""
    (folder / "b.txt").write_text(f"{FINE}\n\n{WAS}\n", encoding="utf-8")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(f"{WAS}\n".encode())))
    result = check(["-", "b.txt"], diff=True, sure=0.5, standard_name="b.txt")
    assert result.difference.count(f"-{WAS}\n+{WERE}\n") == result.difference.count("+++ b.txt") == 2


@pytest.mark.parametrize(("name", "before"), [("c.py", ""), ("script", "#!/bin/sh\n\n")])
def test_source_code_is_not_fixed(folder: Path, name: str, before: str) -> None:
    """A file that may be source code is read, but not fixed."""
    (folder / name).write_text(f"{before}{WAS}\n", encoding="utf-8")
    with pytest.warns(NaturalnessWarning, match=rf"not fixed: {name} may be source code"):
        assert not check(name, fix=True, sure=0.5).fixes


def test_an_unknown_setting_is_refused() -> None:
    """An unknown setting raises an error that suggests a known one."""
    with pytest.raises(UnknownName, match="unknown setting 'of'; did you mean 'off'"):
        check("a.md", of=["length"])
