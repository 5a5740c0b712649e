"""Hundreds of malformed files: each leads to rows with a reason or to a one-line error, never to a traceback."""

from __future__ import annotations

import csv
import functools
import io
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from naturalness.cli import run
from naturalness.data import limits, open_writer, read_batches
from naturalness.data.formats import location
from naturalness.errors import NaturalnessError
from naturalness.pipelines import scorer
from tests.support.bad_inputs import LIMITS, bad_files
from tests.support.commands import printed

FILES = list(bad_files())
Captured = pytest.CaptureFixture[bytes]


@pytest.fixture
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set limits that small files exceed."""
    for name, value in LIMITS.items():
        monkeypatch.setattr(limits, name, value)


def judged(command: list[str], path: Path, captured: Captured) -> tuple[int, bytes, str]:
    """Run a command on a file, check what it prints, and return its exit code and output. An error is a single
    printable line."""
    code = run([*command[:1], str(path), *command[1:]])
    out, err = captured.readouterr()
    lines = err.decode().splitlines()
    assert code in (0, 1, 2), path.name
    assert all(line.isprintable() for line in lines), path.name
    if code == 2:
        assert lines[-1].startswith("error: "), path.name
        assert len(lines[-1]) < 1200, path.name
    assert out or err or (code == 0 and "-o" in command), path.name
    return code, out, err.decode()


@pytest.mark.slow
def test_every_row_has_a_score_or_a_reason(
    small: str, tmp_path: Path, capsysbinary: Captured, small_limits: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each output row has a score or a reason; if there are no rows, the command says so."""
    # Opened once: five hundred times takes longer than everything else.
    monkeypatch.setattr(scorer, "load_model", functools.cache(scorer.load_model))
    for name, data in FILES:
        path = tmp_path / name
        path.write_bytes(data)
        code, out, err = judged(["score", "--model", small, "--format", "csv", "--prefix", "p_"], path, capsysbinary)
        if code == 2:
            continue
        text = out.decode("utf-8", "surrogateescape")
        csv.field_size_limit(len(text) + 1)  # reading a table lowers it; rows of Parquet may be longer
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
        assert rows or (code == 1 and "no rows in" in err), name
        assert all(row["p_naturalness"] or row["p_reason"] for row in rows), name
        # A row without a text has not failed.
        failed = [row for row in rows if not row["p_naturalness"] and row["p_reason"] != "empty text"]
        assert (code == 1) >= bool(failed), name


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl", "parquet"])
def test_readable_files_are_written(suffix: str, tmp_path: Path, small_limits: None) -> None:
    """Every readable file is written in each format with the same number of rows."""
    source, target = tmp_path / "in", tmp_path / f"out.{suffix}"
    for name, data in FILES:
        path = source.with_name(name)
        path.write_bytes(data)
        n_rows = 0
        try:
            with open_writer(location(str(target)), force=True) as writer:
                for batch in read_batches(location(str(path)), batch_size=3):
                    writer.write(batch, {"p_reason": batch.problems})
                    n_rows += len(batch.rows)
        except NaturalnessError:
            continue
        finally:
            path.unlink()
        written = read_batches(location(str(target)), text_column="p_reason")
        assert sum(len(batch.rows) for batch in written) == n_rows, name


COMMANDS = [
    ["label", "-o", "OUT", "--model", "MODEL", "--jobs", "1", "--prefix", "p_", "--force"],
    ["features", "--features", "surface", "-o", "OUT", "--force"],
    ["train", "-o", "OUT.model", "--features", "surface", "--learner", "logistic-l2"],
    ["compare", "--metrics", "length"],
    ["check", "--config", "none", "--model", "MODEL"],
    ["explain", "--model", "MODEL", "--format", "json"],
    ["evaluate", "--model", "MODEL"],
]
EVERY = {"label": 150, "train": 40, "compare": 25, "check": 20, "explain": 40, "features": 12, "evaluate": 50}
"""Of the files each so many-th: a command takes long, and reads as the others do."""


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS, ids=lambda c: c[0])
def test_other_commands_report_errors(
    command: list[str], small: str, tmp_path: Path, capsysbinary: Captured, small_limits: None
) -> None:
    """Other commands report one-line errors for a sample of the files."""
    target = {"OUT": str(tmp_path / "out.parquet"), "OUT.model": str(tmp_path / "m"), "MODEL": small}
    for name, data in FILES[:: EVERY[command[0]]]:
        path = tmp_path / name
        path.write_bytes(data)
        judged([target.get(word, word) for word in command], path, capsysbinary)


BOMBS = """
import re, sys, time
from pathlib import Path
from naturalness.data import read_batches
from naturalness.data.formats import location
from naturalness.errors import NaturalnessError
from naturalness.errors import TableError
for path in sys.argv[1:]:
    try:
        print(sum(len(batch.rows) for batch in read_batches(location(path), batch_size=256)))
    except TableError as error:
        print(error)
print(time.process_time())
print(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
"""
# Not `ru_maxrss`, which a process inherits from the one that started it.


def test_bombs_take_little_memory(tmp_path: Path) -> None:
    """At the real limits, huge lines and many megabyte values take less than 1 GB and a few seconds each."""
    line, growing = tmp_path / "line.txt", tmp_path / "growing.csv.zst"
    many, wide = tmp_path / "many.parquet", tmp_path / "wide.csv"
    line.write_bytes(b"One.\n" + b"ab " * 20_000_000 + b"\nTwo.\n")
    with pa.output_stream(str(growing), compression="zstd") as stream:
        for _ in range(2000):
            stream.write(b"a" * (1 << 20))
    values = pa.DictionaryArray.from_arrays(pa.array([0] * 3000, pa.int32()), pa.array(["a" * 1_000_000]))
    pq.write_table(pa.table({"text": values}), many)
    wide.write_bytes(b"text" + b"," * 1_000_000 + b"\nOne.\n")
    first, second, third, fourth, seconds, memory = printed(BOMBS, line, growing, many, wide).splitlines()
    assert float(seconds) < 60
    assert (first, third) == ("3", "3000")
    assert "a line of 2,097,152,000 bytes" in second
    assert "1,000,001 columns" in fourth
    assert int(memory) < 1_000_000  # kilobytes


def quotes(n: int) -> bytes:
    """Return rows whose quotation marks are never closed."""
    return b"text,n\n" + b'"Old boats float.,1\n' * n


def commas(n: int) -> bytes:
    """Return a single line of commas."""
    return b"text,n\n" + b"," * n * 20 + b"\n"


@pytest.mark.parametrize("content", [quotes, commas])
def test_time_grows_with_length_alone(content: Callable[[int], bytes], tmp_path: Path) -> None:
    """A file eight times as long takes less than 32 times as long to read, so time is not quadratic."""
    path = tmp_path / "t.csv"

    def seconds(n: int) -> float:
        path.write_bytes(content(n))
        begun = time.process_time()
        assert list(read_batches(location(str(path))))
        return time.process_time() - begun

    seconds(2000)
    short = min(seconds(2000) for _ in range(3))
    assert seconds(16_000) < 32 * max(short, 0.005)
