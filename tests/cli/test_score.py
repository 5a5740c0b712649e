"""`score` with the shipped model, on whole output."""

from __future__ import annotations

import csv
import json

import pytest

from naturalness.cli import run

GOOD = "The old man gave his book to the girl."
BAD = "The old man gave gave his book to to girl the"


def test_scores_are_a_line_per_text(capsys: pytest.CaptureFixture[str]) -> None:
    """Score, label and text; a good sentence above a bad one."""
    assert run(["score", GOOD, BAD]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.endswith(GOOD)
    assert first.split()[1] == "natural"
    assert float(first.split()[0]) > float(second.split()[0])


def test_fail_under(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 1 where a text falls below, 0 where none does."""
    assert run(["score", GOOD, "--fail-under", "0.01"]) == 0
    assert run(["score", GOOD, BAD, "--fail-under", "0.5"]) == 1
    capsys.readouterr()


def test_a_text_without_score_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    """A dash and the reason; the others keep their scores; exit code 1."""
    assert run(["score", "...", GOOD]) == 1
    first, second = capsys.readouterr().out.splitlines()
    assert first.split() == ["–", "(no", "words)", "..."]
    assert "natural" in second


def test_a_score_says_what_it_was_made_without(capsys: pytest.CaptureFixture[str]) -> None:
    """A sentence that is too long for the parser has a score, and a reason; that is no failure."""
    long = "We walked to the old house by the river " + "and we walked back " * 60 + "."
    assert run(["score", long, "--format", "json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert 0 <= row["naturalness"] <= 1
    assert row["reason"].startswith("no values of constituency: a sentence of ")
    assert run(["score", long]) == 0
    assert not capsys.readouterr().out.startswith("    –")


@pytest.mark.parametrize("style", ["csv", "tsv", "jsonl", "json"])
def test_formats(style: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Every format has text, naturalness, label and reason."""
    assert run(["score", GOOD, "--format", style]) == 0
    out = capsys.readouterr().out
    match style:
        case "json":
            row = json.loads(out)[0]
        case "jsonl":
            row = json.loads(out)
        case _:
            row = next(csv.DictReader(out.splitlines(), delimiter="," if style == "csv" else "\t"))
    assert list(row) == ["text", "naturalness", "label", "reason"]
    assert 0 < float(row["naturalness"]) < 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["score"], "nothing to read"),
        (["score", "absent.csv"], "no file"),
        (["score", GOOD, "--model", "nowhere"], "no model at 'nowhere'"),
    ],
)
def test_mistakes_are_one_line(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With exit code 2."""
    assert run(arguments) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1
