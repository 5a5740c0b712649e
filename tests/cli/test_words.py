"""`naturalness words`, whole output."""

from __future__ import annotations

import json

import pytest

from naturalness.cli import run
from naturalness.cli.words import as_text
from naturalness.models.marks import Mark

Captured = pytest.CaptureFixture[str]
NAN = float("nan")
DRAWN = """\
He go .
surprisal                        damage  word
     3.00  ████                    0.10  He
    30.00  ████████████████████    0.97  go  ← agreement
        –                             –  .

"""


def test_words_are_drawn() -> None:
    """A bar is as long as a word is surprising, and no longer than it can be."""
    marks = [Mark(0, 2, "He", 3.0, 0.1, ""), Mark(3, 5, "go", 30.0, 0.97, "agreement"), Mark(6, 7, ".", NAN, NAN, "")]
    assert as_text("He  go .", marks, "") == DRAWN


def test_words_as_data(capsys: Captured) -> None:
    """Offsets, and a reason for a text without words; it fails because of that."""
    assert run(["words", "--format", "json", "It rained.", " "]) == 1
    rained, blank = json.loads(capsys.readouterr().out)
    assert [(word["start"], word["end"]) for word in rained["words"]] == [(0, 2), (3, 9), (9, 10)]
    assert set(rained["words"][0]) == {"start", "end", "text", "surprisal", "damage", "kind"}
    assert rained["reason"] == "" and blank["words"] == [] and blank["reason"]


def test_words_in_lines(capsys: Captured) -> None:
    """A line each below the text."""
    assert run(["words", "It rained."]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "It rained." and [line.split()[-1] for line in lines[2:5]] == ["It", "rained", "."]
