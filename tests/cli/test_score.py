"""`score` with the shipped model: complete output."""

from __future__ import annotations

import csv
import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from naturalness.cli import run
from tests.support.labelling import small_model
from tests.support.language_models import train

Captured = pytest.CaptureFixture[str]
GOOD = "The old man gave his book to the girl."
BAD = "The old man gave gave his book to to girl the"


def test_scores_are_a_line_per_text(capsys: Captured) -> None:
    """Each line has the score, the label and the text; a good sentence scores higher than a bad one."""
    assert run(["score", GOOD, BAD]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.endswith(GOOD)
    assert first.split()[1] == "natural"
    assert float(first.split()[0]) > float(second.split()[0])


def test_min_score(capsys: Captured) -> None:
    """The exit code is 1 if a text scores below the minimum, and otherwise 0."""
    assert run(["score", GOOD, "--min-score", "0.01"]) == 0
    assert run(["score", GOOD, BAD, "--min-score", "0.5"]) == 1
    capsys.readouterr()


FRESH = "The sea was the colour of slate, and about as welcoming, so we went home and ate the pie."
STALE = "In today's world, this vibrant garden stands as a testament to the power of thoughtful, patient care."


def test_voice_beside_the_score(small: str, capsys: Captured) -> None:
    """Voice is a number, or a dash for fewer than ten words; only a text below the minimum of voice fails."""
    assert run(["score", FRESH, STALE, GOOD, "", "--model", small]) == 1
    fresh, stale, short, empty = capsys.readouterr().out.splitlines()
    assert " voice 0.7" in fresh and " voice 0.0" in stale and " voice –  " in short and "voice" not in empty
    assert run(["score", FRESH, GOOD, "--model", small, "--min-voice", "0.5"]) == 0
    assert run(["score", STALE, "--model", small, "--min-voice", "0.5"]) == 1
    assert run(["score", FRESH, "--model", small, "--metrics", "voice"]) == 2
    assert "the column 'voice' was requested twice" in capsys.readouterr().err


def test_fast_is_the_fast_model(tmp_path: Path, capsys: Captured) -> None:
    """`--fast` and `--model fast` give the same scores in `score` and `label`; those of the default model differ."""
    outputs = {}
    for options in (("--fast",), ("--model", "fast"), ()):
        assert run(["score", GOOD, BAD, "--format", "json", *options]) == 0
        outputs[options] = capsys.readouterr().out
    assert outputs["--fast",] == outputs["--model", "fast"] != outputs[()]
    good, bad = json.loads(outputs["--fast",])
    assert good["naturalness"] > bad["naturalness"]
    source, target = tmp_path / "in.txt", tmp_path / "out.jsonl"
    source.write_text(f"{GOOD}\n{BAD}\n")
    assert run(f"label {source} -o {target} --fast --jobs 2".split()) == 0
    assert [json.loads(line) for line in target.read_text().splitlines()] == [good, bad]


def test_metrics_beside_scores(tmp_path: Path, capsys: Captured) -> None:
    """Metrics are the last columns, as in `label`, or a line below each text."""
    small = ["--model", str(small_model(tmp_path / "model"))]
    metrics = ["--metrics", f"ppl:lm:{train(tmp_path / 'lm')},length"]
    assert run(["score", GOOD, "", *small, *metrics, "--format", "json"]) == 1
    good, empty = json.loads(capsys.readouterr().out)
    assert list(good)[-2:] == [f"ppl:lm:{tmp_path / 'lm'}", "length"]
    assert good["length"] == 9
    assert empty["length"] is None
    source, target = tmp_path / "in.txt", tmp_path / "out.jsonl"
    source.write_text(f"{GOOD}\n")
    assert run(["label", str(source), "-o", str(target), *small, *metrics]) == 0
    assert json.loads(target.read_text()) == good
    capsys.readouterr()
    assert run(["score", GOOD, *small, *metrics]) == 0
    line, below = capsys.readouterr().out.splitlines()
    assert line.endswith(GOOD)
    assert below.split("; ")[1] == "length 9"
    assert run(["score", GOOD, *small, "--metrics", "slor:lm:nowhere"]) == 2
    assert "no language model 'nowhere'" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["score", GOOD], ["label", "in.txt", "-o", "out.csv"]])
def test_one_model_at_a_time(command: list[str], capsys: Captured) -> None:
    """--fast and --model exclude each other."""
    with pytest.raises(SystemExit) as stop:
        run([*command, "--fast", "--model", "mine"])
    assert stop.value.code == 2
    assert "argument --model: not allowed with argument --fast" in capsys.readouterr().err


def test_a_text_without_a_score_has_a_reason(capsys: Captured) -> None:
    """The line of the text has a dash and the reason, other texts keep their scores, and the exit code is 1."""
    assert run(["score", "...", GOOD]) == 1
    first, second = capsys.readouterr().out.splitlines()
    assert first.split() == ["–", "(no", "words)", "..."]
    assert "natural" in second


def test_a_score_without_some_features_has_a_reason(capsys: Captured) -> None:
    """A sentence that is too long for the detector has a score and a reason, and does not fail."""
    long = "We walked to the old house by the river " + " ".join(f"and counted {i} boats" for i in range(400)) + "."
    assert run(["score", long, "--format", "json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert 0 <= row["naturalness"] <= 1
    assert "no values of damage: a sentence of " in row["reason"]
    assert run(["score", long]) == 0
    score, reason = capsys.readouterr().out.splitlines()
    assert not score.startswith("    –")
    assert reason.startswith("       ") and "no values of damage: " in reason


def test_texts_that_are_not_english_prose_have_no_score(capsys: Captured) -> None:
    """The line shows the reason in place of the score, and the exit code is 1."""
    texts = [GOOD, "Je ne sais pas encore", "我喜欢吃苹果。", "def foo(x): return x + 1", "nofile.pdf"]
    assert run(["score", *texts, "--fast"]) == 1
    first, *others = capsys.readouterr().out.splitlines()
    assert "  natural  " in first
    reasons = ["not English", "not English", "code", "an address or a file name"]
    for line, reason, text in zip(others, reasons, texts[1:], strict=True):
        assert line.startswith(f"    –  ({reason})") and line.endswith(text)
    assert run(["explain", texts[1], "--fast"]) == 1
    assert capsys.readouterr().out == f"–  no score: not English\n{texts[1]}\n"


def test_another_language_is_scored_on_request(capsys: Captured) -> None:
    """The reason appears once, below the line of the text, and there is no label."""
    french = "La petite fille lit un livre."
    assert run(["score", GOOD, french, "--fast", "--score-anyway"]) == 0
    out = capsys.readouterr().out
    assert out.count("not English") == 1 and "no label" in out
    assert out.index("not English") > out.index(french)
    assert run(["explain", french, "--fast", "--score-anyway"]) == 0
    assert capsys.readouterr().out.count("not English") == 1


@pytest.mark.parametrize("style", ["csv", "tsv", "jsonl", "json"])
def test_formats(style: str, capsys: Captured) -> None:
    """Every format has text, naturalness, voice, label and reason."""
    assert run(["score", GOOD, "--format", style]) == 0
    out = capsys.readouterr().out
    match style:
        case "json":
            row = json.loads(out)[0]
        case "jsonl":
            row = json.loads(out)
        case _:
            row = next(csv.DictReader(out.splitlines(), delimiter="," if style == "csv" else "\t"))
    assert list(row) == ["text", "naturalness", "voice", "label", "reason"]
    assert 0 < float(row["naturalness"]) < 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["score", "absent.csv"], "no file"), (["score", GOOD, "--model", "nowhere"], "no model at 'nowhere'")],
)
def test_mistakes_are_one_line(arguments: list[str], said: str, capsys: Captured) -> None:
    """A mistake is reported in one line, with exit code 2."""
    assert run(arguments) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("command", ["score", "explain", "features"])
def test_a_folder_is_not_a_text(command: str, small: str, capsys: Captured) -> None:
    """The error says how to score a text that is also the name of a folder."""
    assert run([command, small]) == 2
    assert "is a folder; give a table or, if you mean the word, pipe it in (-)" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["t.txt", "t.jsonl", "t.csv", "t.txt.gz", "t.parquet"])
def test_a_table_without_rows_is_a_failure(name: str, small: str, tmp_path: Path, capsys: Captured) -> None:
    """The message says that there are no rows, and the exit code is 1."""
    path = tmp_path / name
    content = b"text\n" if name == "t.csv" else b""
    path.write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    if name == "t.parquet":
        pq.write_table(pa.table({"text": pa.array([], pa.string())}), path)
    for style in ("text", "json", "csv"):
        assert run(["score", str(path), "--model", small, "--format", style]) == 1
        assert capsys.readouterr().err == f"no rows in '{path}'\n"


def test_a_pipe_is_a_table(small: str, tmp_path: Path, capsys: Captured) -> None:
    """A pipe is read as lines of text, unless its name implies another format."""
    pipe = tmp_path / "63"
    os.mkfifo(pipe)
    writer = Thread(target=lambda: pipe.write_text(f"{GOOD}\n{BAD}\n"))
    writer.start()
    assert run(["score", str(pipe), "--model", small]) == 0
    writer.join()
    assert [line.split(maxsplit=4)[4] for line in capsys.readouterr().out.splitlines()] == [GOOD, BAD]


def test_the_package_is_the_command() -> None:
    """`python -m naturalness` runs the command."""
    command = [sys.executable, "-m", "naturalness", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("naturalness ")


def test_contents_of_files_are_printed_on_one_line(small: str, tmp_path: Path, capsys: Captured) -> None:
    """Lines are printable even if the file is compressed twice or has control characters in its header or rows."""
    twice = tmp_path / "t.csv.gz"
    twice.write_bytes(gzip.compress(gzip.compress(b"text\n" + os.urandom(999))))
    odd = tmp_path / "odd.csv"
    odd.write_bytes(b"\x1b[31mred\x07,\x85\xe2\x80\xae," + b"n" * 500 + b"\nx,y,z\n")
    many = tmp_path / "many.csv"
    many.write_text(",".join(f"column{i}" for i in range(2000)) + "\n")
    for path in (twice, odd, many):
        assert run(["score", str(path), "--model", small]) == 2
        err = capsys.readouterr().err
        assert err.endswith("\n")
        assert err[:-1].isprintable()
        assert len(err) < 800
    lines = tmp_path / "t.txt"
    lines.write_bytes(b"The \x1b[2J door \x07 is open.\n")
    run(["score", str(lines), "--model", small])
    assert capsys.readouterr().out[:-1].isprintable()


def test_scores_are_written_to_a_file(small: str, tmp_path: Path, capsys: Captured) -> None:
    """The file has the rows that `--format csv` prints; an existing file is replaced only with `--force`."""
    source, target = tmp_path / "in.txt", tmp_path / "out.csv"
    source.write_text(f"{GOOD}\n{BAD}\n")
    command = ["score", str(source), "--model", small]
    assert run([*command, "--format", "csv"]) == 0
    printed = capsys.readouterr().out
    assert run([*command, "-o", str(target)]) == 0
    assert capsys.readouterr() == ("", f"2 rows written to {str(target)!r}\n")
    assert target.read_text().splitlines() == printed.splitlines()
    assert run([*command, "-o", str(target)]) == 2
    assert "--force" in capsys.readouterr().err
    assert run([*command, "-o", str(target), "--format", "csv"]) == 2
    assert "--format is for standard output" in capsys.readouterr().err
    assert run([*command, "-o", str(target), "--force"]) == 0
