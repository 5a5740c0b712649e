"""`label`: complete output, with every row and column, in any format and with any number of workers."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import sys
from pathlib import Path
from threading import Thread

import pyarrow.parquet as pq
import pytest

import naturalness
from naturalness import load_model
from naturalness.cli import run
from naturalness.features import LIGHT
from naturalness.judging.fields import ALWAYS, NO_VOICE, WITHIN
from tests.support.commands import printed
from tests.support.labelling import read_rows, texts, write_rows

pytestmark = pytest.mark.usefixtures("local_worker")
Captured = pytest.CaptureFixture[str]
GOOD = "The old man gave his book to the girl."
NASTY = [
    "",
    "   ",
    "Yes",
    "\0abc\0",
    "😀😀",
    "word " * 5000,
    "مرحبا بالعالم",
    "a\r\nb",
    "<script>alert(1)</script>",
    GOOD,
    "。。。",
    "\u202e reversed \u202c text here.",
    "." * 3000,
    "Ünïcödé wörds äre fïne.",
]


def label(source: str | Path, target: str | Path, *options: str) -> int:
    """Run the command with one worker unless the options say otherwise."""
    jobs = () if "--jobs" in options else ("--jobs", "1")
    return run(["label", str(source), "-o", str(target), *options, *jobs])


@pytest.mark.slow
def test_label_keeps_every_row_and_column(tmp_path: Path) -> None:
    """Malformed rows keep their position, and rows without a score lead to exit code 1."""
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    rows = [{"id": i, "text": text, "more": [i]} for i, text in enumerate(NASTY)]
    write_rows(source, rows)
    assert label(source, target) == 1
    labelled = read_rows(target)
    assert [{k: row[k] for k in ("id", "text", "more")} for row in labelled] == rows
    assert labelled[5]["reason"] == "the same words over and over"
    assert labelled[6]["reason"] == labelled[13]["reason"] == "not English"
    assert all((row["naturalness"] is None) == (row["reason"] not in ("", NO_VOICE)) for row in labelled)
    assert labelled[0]["reason"] == "empty text"
    assert labelled[9]["label"] == "natural"
    alone = load_model().score([text for text in NASTY if text.strip()])
    assert labelled[9]["naturalness"] == alone.naturalness[7]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.jsonl", "out.jsonl"]


@pytest.mark.parametrize("suffix", [".tsv.gz", ".parquet"])
def test_the_command_and_the_function_write_the_same_bytes(
    tmp_path: Path, small: str, suffix: str, capsys: Captured
) -> None:
    """The output does not depend on the number of workers, and both report the same totals."""
    source = tmp_path / "in.csv"
    source.write_text("\n".join(["id,text", *(f"{i},{t}" for i, t in enumerate([*texts(300), "Tea."]))]))
    first, second = tmp_path / f"first{suffix}", tmp_path / f"second{suffix}"
    options = ["--fields", "naturalness,low,lexical", "--metrics", "length", "--prefix", "m_"]
    code = run(["label", str(source), "-o", str(first), "--model", small, *options, "--jobs", "2"])
    said = capsys.readouterr().err
    totals = naturalness.label(
        source, second, model=small, fields=["naturalness", "low", "lexical"], metrics=["length"], prefix="m_", jobs=1
    )
    assert first.read_bytes() == second.read_bytes()
    assert said == f"{totals}\n".replace(str(second), str(first))
    assert (totals.rows, totals.failures, code) == (301, 0, int(totals.failed))


def test_a_table_needs_no_pyarrow(tmp_path: Path, small: str) -> None:
    """Rows are labelled, and unfinished work is stored, without the package of the extra `parquet`."""
    source, target = tmp_path / "in.csv.gz", tmp_path / "out.jsonl.gz"
    source.write_bytes(gzip.compress(f"text\n{GOOD}\n".encode()))
    command = ["label", str(source), "-o", str(target), "--model", small, "--jobs", "1"]
    code = f"import sys; sys.modules['pyarrow'] = None; from naturalness.cli import run; sys.exit(run({command}))"
    printed(code)
    (row,) = map(json.loads, gzip.decompress(target.read_bytes()).splitlines())
    assert row["text"] == GOOD and row["naturalness"] is not None


def test_requested_columns_are_written(tmp_path: Path, small: str) -> None:
    """Fields come in the requested order, then metrics, all with the prefix; failures count without a score column."""
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text(f"text,label\n{GOOD},fine\n,empty\n")
    options = ["--model", small, "--fields", "why,label,lexical", "--metrics", "length"]
    assert label(source, target, *options) == 2  # a column `label` is there already
    assert label(source, target, *options, "--prefix", "m_") == 0
    rows = list(csv.DictReader(target.open()))
    names = list(rows[0])
    assert names[:4] == ["text", "label", "m_why", "m_label"]
    assert all(name.startswith("m_lexical__") for name in names[4:-1])
    assert names[-1] == "m_length"
    assert rows[0]["label"] == "fine"
    assert rows[0]["m_label"] in {"natural", "unnatural", "True", "False"}
    assert rows[1]["m_label"] == rows[1]["m_why"] == rows[1][names[5]] == ""


def test_a_set_of_columns_as_a_field(tmp_path: Path, small: str) -> None:
    """All groups of the set are measured, and each of their columns is written."""
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text(f"text\n{GOOD}\n")
    assert label(source, target, "--model", small, "--fields", "naturalness,light") == 0
    (row,) = csv.DictReader(target.open())
    assert {name.partition("__")[0] for name in list(row)[2:]} == set(LIGHT)
    assert row["naturalness"] and row["word_lm__score"]


def test_a_table_without_rows_keeps_its_header(tmp_path: Path, small: str, capsys: Captured) -> None:
    """The header has the new columns (Parquet: with their types), a message says that there are no rows; the exit code
    is 1."""
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text("id,text\n")
    assert label(source, target, "--model", small, "--metrics", "length") == 1
    assert target.read_text() == "id,text,naturalness,voice,label,reason,length\n"
    assert capsys.readouterr().err == f"no rows in '{source}'\n"
    label(source, target.with_suffix(".parquet"), "--model", small, "--metrics", "length")
    types = list(map(str, pq.read_schema(target.with_suffix(".parquet")).types))
    assert types == ["string", "string", "double", "double", "string", "string", "double"]


def test_the_message_states_what_was_written(tmp_path: Path, small: str, capsys: Captured) -> None:
    """The message names the file, the number of rows and the number of rows without a score."""
    source, target = tmp_path / "in.txt", tmp_path / "out.csv"
    source.write_text(f"{GOOD}\n\n{GOOD}\n")
    command = ["label", str(source), "-o", str(target), "--model", small, "--force"]
    assert run(command) == 0
    assert capsys.readouterr().err == (
        f"3 rows written to '{target}'; 1 of them without a score: column 'reason' says why\n"
    )


@pytest.mark.parametrize(
    ("lines", "code"), [(f"\n{GOOD}\n \n", 0), (f"{GOOD}\n\n123\n", 1), ("\n \n", 1)], ids=["blank", "number", "none"]
)
@pytest.mark.parametrize("command", ["score", "label", "explain", "features"])
def test_blank_lines_are_not_failures(tmp_path: Path, small: str, command: str, lines: str, code: int) -> None:
    """Blank lines keep their rows and get a reason; the exit code is 1 if another row fails or all are blank."""
    source = tmp_path / "in.txt"
    source.write_text(lines)
    options = ["--features", "surface"] if command == "features" else ["--model", small]
    assert run([command, str(source), *options]) == code


def test_a_pipe_is_read_like_standard_input(tmp_path: Path, small: str) -> None:
    """The input may be a named pipe, such as ``<(...)`` of a shell."""
    pipe, target = tmp_path / "pipe.jsonl.gz", tmp_path / "out.csv"
    rows = b'{"text": "Old boats float.", "s": 1}\n{"text": "Boat boat the.", "s": 1}\n'
    os.mkfifo(pipe)
    writer = Thread(target=lambda: pipe.write_bytes(gzip.compress(rows)))
    writer.start()
    assert label(pipe, target, "--model", small) == 0
    writer.join()
    assert len(target.read_text().splitlines()) == 3


def test_nothing_is_written_into_a_pipe_or_a_device(tmp_path: Path, small: str, capsys: Captured) -> None:
    """The command refuses a pipe or a device as output, since it would replace it with a file."""
    pipe, source = tmp_path / "out.csv", tmp_path / "in.txt"
    os.mkfifo(pipe)
    source.write_text(GOOD)
    assert label(source, pipe, "--model", small, "--force") == 2
    assert "is a pipe or a device" in capsys.readouterr().err
    assert pipe.is_fifo()


@pytest.mark.slow
def test_streams(
    tmp_path: Path, small: str, capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows are read from standard input and written to standard output."""
    lines = "".join(json.dumps({"text": text, "k": k}) + "\n" for k, text in enumerate(["One more.", GOOD, GOOD]))

    class Standard:
        def __init__(self) -> None:
            self.buffer = io.BytesIO(lines.encode())

    options = ["--input-format", "jsonl", "--model", small]
    monkeypatch.setattr(sys, "stdin", Standard())
    assert label("-", "-", *options) == 0
    rows = [json.loads(line) for line in capsysbinary.readouterr().out.splitlines()]
    assert [row["k"] for row in rows] == [0, 1, 2]
    monkeypatch.setattr(sys, "stdin", Standard())
    assert label("-", "-", "--model", small) == 1  # rows of JSON are code
    said = "warning: standard input is read as one text per line; its first line looks like a row of a table; use "
    assert capsysbinary.readouterr().err.decode().startswith(said)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["absent.jsonl", "out.jsonl"], "no file 'absent.jsonl'"),
        (["-", "out.docx"], "cannot tell the format"),
        (["no", "out.csv"], "cannot tell the format of 'no' from its name"),
        ([".", "out.csv"], "'.' is a folder; give a table"),
        (["in.csv", "out.csv", "--fields", "nope"], "unknown field 'nope'"),
        (["in.csv", "out.csv", "--metrics", "bleu"], "needs references beside the text"),
        (["in.csv", "out.csv", "--text-column", "nope"], "has no column 'nope'"),
        (["in.csv", "no/out.csv"], "no folder 'no'"),
        (["-", "out.csv", "--resume"], "--resume needs files"),
        (["in.csv", "./in.csv"], "'in.csv' exists; choose another name or add --force"),
        (["s3://b/in.csv", "out.csv"], "'s3://b/in.csv' is a URL; expected a file"),
        (["in.csv", "s3://b/out.csv"], "'s3://b/out.csv' is a URL; expected a file"),
    ],
)
def test_mistakes_are_one_line(
    tmp_path: Path, arguments: list[str], said: str, small: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mistake is reported in one line with exit code 2, and no file is written."""
    monkeypatch.chdir(tmp_path)
    Path("in.csv").write_text(f"text\n{GOOD}\n")
    assert label(*arguments, "--model", small) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]


@pytest.mark.slow
def test_registers(tmp_path: Path, capsys: Captured) -> None:
    """Scores refer to the register of each text, and the columns of registers are added."""
    source, target = tmp_path / "in.txt", tmp_path / "out.jsonl"
    source.write_text(f"{GOOD}\nStorm Closes Three Airports in the North\nTable the of chair go runs.\n")
    command = f"label {source} -o {target} --fast --jobs 1 --register auto".split()
    assert run(command) == 0
    rows = read_rows(target)
    assert [list(row) for row in rows] == [["text", *ALWAYS, *WITHIN]] * 3
    assert [row["register"] for row in rows] == ["plain", "titles", "plain"]
    expected = load_model("fast").score([row["text"] for row in rows], register="auto")
    assert [row["naturalness"] for row in rows] == expected.naturalness.tolist()
    assert [row["percentile"] for row in rows] == [standing.percentile for standing in expected.standings]
    assert run([*command, "--force", "--fields", "low,naturalness,high"]) == 0
    assert all(row["low"] <= row["naturalness"] <= row["high"] for row in read_rows(target))
    capsys.readouterr()
    assert label(source, "-", "--fast", "--fields", "percentile") == 2
    assert capsys.readouterr().err == "error: field 'percentile' needs --register: a name, or auto\n"
