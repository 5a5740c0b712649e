"""`score` and `label` with the shipped model, on whole output."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from naturalness.cli import run

GOOD = "The old man gave his book to the girl."
BAD = "The old man gave gave his book to to girl the"
NASTY = ["", "   ", "Yes", "\0abc\0", "😀😀", "word " * 5000, "مرحبا بالعالم", "a\r\nb",
         "<script>alert(1)</script>", GOOD, "。。。", "\u202e reversed \u202c text here.",
         "." * 3000, "Ünïcödé wörds äre fïne."]  # fmt: skip


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


def test_label_keeps_every_row_and_column(tmp_path: Path) -> None:
    """Nasty rows too; the exit code tells that some have no score."""
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    rows = [{"id": i, "text": text, "more": [i]} for i, text in enumerate(NASTY)]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert run(["label", str(source), str(target), "--quiet"]) == 1
    found = [json.loads(line) for line in target.read_text().splitlines()]
    assert [{k: row[k] for k in ("id", "text", "more")} for row in found] == rows
    # What a score was made without is a reason too: five thousand words have no tree.
    assert found[5]["reason"].startswith("no values of constituency")
    for row in found:
        assert (row["naturalness"] is None) == bool(row["reason"]) or row is found[5]
    assert found[5]["naturalness"] is not None
    assert found[0]["reason"] == "empty text"
    assert found[9]["label"] == "natural"


def test_label_does_not_depend_on_batches_or_workers(tmp_path: Path) -> None:
    """The same bytes."""
    source = tmp_path / "in.csv"
    texts = [
        f"The {word} {i} times saw the the old river." for i in range(8) for word in ("ab", "c")
    ]
    source.write_text("\n".join(["id,text", *(f"{i},{t}" for i, t in enumerate(texts))]) + "\n")
    outputs = []
    for batch, workers in [("1", "1"), ("7", "2"), ("64", "1")]:
        target = tmp_path / f"out-{batch}.csv"
        assert run([
            "label", str(source), str(target), "--batch-size", batch, "--workers", workers,
            "--quiet",
        ]) == 0  # fmt: skip
        outputs.append(target.read_bytes())
    assert len(set(outputs)) == 1
    assert outputs[0].splitlines()[0] == b"id,text,naturalness,label,reason"


def test_a_column_of_the_same_name_is_not_overwritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An error that says so; a prefix for the new columns solves it."""
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text(f"text,label\n{GOOD},fine\n")
    assert run(["label", str(source), str(target), "--quiet"]) == 2
    assert "a column 'label' already" in capsys.readouterr().err
    assert not target.exists()
    assert run(["label", str(source), str(target), "--prefix", "model_", "--quiet"]) == 0
    row = next(csv.DictReader(target.open()))
    assert row["label"] == "fine"
    assert row["model_label"] == "natural"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["score"], "nothing to read"),
        (["score", "absent.csv"], "no file"),
        (["score", GOOD, "--model", "nowhere"], "no model at 'nowhere'"),
        (["label", "absent.jsonl", "out.jsonl"], "no file"),
        (["label", "-", "out.docx"], "cannot tell the format"),
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
