"""Completion of commands in a shell, by argcomplete."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from naturalness.cli import COMMANDS

pytest.importorskip("argcomplete", reason="needs the extra completion")

LINES = {
    "naturalness sc": {"score"},
    "naturalness ": {*COMMANDS},
    "naturalness evaluate rated.csv --mo": {"--model"},
    "naturalness --debug sc": {"score"},
    "naturalness score x --model my": {"my-model/"},
    "naturalness score x --format j": {"json", "jsonl"},
    "naturalness score tex": {"texts.csv"},
    "naturalness train texts.csv -o my": {"my-model/"},
    "naturalness lm ": {"train"},
}


@pytest.mark.parametrize("line", LINES)
def test_words_are_completed(line: str, tmp_path: Path) -> None:
    """Commands, options, choices, files and folders are completed."""
    (tmp_path / "my-model").mkdir()
    (tmp_path / "texts.csv").touch()
    asked = {
        "_ARGCOMPLETE": "1",
        "_ARGCOMPLETE_STDOUT_FILENAME": str(tmp_path / "out"),
        "_ARGCOMPLETE_SUPPRESS_SPACE": "1",
        "_ARGCOMPLETE_IFS": "\n",
        "COMP_LINE": line,
        "COMP_POINT": str(len(line)),
    }
    command = [sys.executable, "-m", "naturalness"]
    subprocess.run(command, env={**os.environ, **asked}, cwd=tmp_path, check=True)
    words = {word.strip() for word in (tmp_path / "out").read_text(encoding="utf-8").split("\n")}
    assert words - ({"-h", "--help", "--version", "--debug", "out"} if line[-1] == " " else set()) == LINES[line]
