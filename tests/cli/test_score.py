"""`score` with the shipped model, on whole output."""

from __future__ import annotations

import csv
import json
from pathlib import Path

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


def test_fast_is_the_fast_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By either name, from `score` and `label`; its numbers are not the default model's."""
    outputs = {}
    for options in (("--fast",), ("--model", "fast"), ()):
        assert run(["score", GOOD, BAD, "--format", "json", *options]) == 0
        outputs[options] = capsys.readouterr().out
    assert outputs["--fast",] == outputs["--model", "fast"] != outputs[()]
    good, bad = json.loads(outputs["--fast",])
    assert good["naturalness"] > bad["naturalness"]
    source, target = tmp_path / "in.txt", tmp_path / "out.jsonl"
    source.write_text(f"{GOOD}\n{BAD}\n")
    assert run(["label", str(source), str(target), "--fast", "--workers", "2", "--quiet"]) == 0
    assert [json.loads(line) for line in target.read_text().splitlines()] == [good, bad]


@pytest.mark.parametrize("command", [["score", GOOD], ["label", "in.txt", "out.csv"]])
def test_one_model_at_a_time(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """--fast and --model exclude each other."""
    with pytest.raises(SystemExit) as stop:
        run([*command, "--fast", "--model", "mine"])
    assert stop.value.code == 2
    assert "argument --model: not allowed with argument --fast" in capsys.readouterr().err


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
