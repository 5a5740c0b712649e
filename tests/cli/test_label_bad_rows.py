"""Malformed rows, files and bytes do not affect other rows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from naturalness.judging.fields import NO_VOICE
from naturalness.labelling import pool
from tests.support.commands import Cli, run_line
from tests.support.labelling import DEADLY, deadly_environment, read_rows, write_rows

GOOD = "The old man gave his book to the girl."


@pytest.mark.slow
def test_a_deadly_text(small: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The row of a text that kills its worker gets a reason; the other rows get scores."""
    monkeypatch.setenv("PYTHONPATH", deadly_environment(tmp_path / "site")["PYTHONPATH"])
    monkeypatch.setattr(pool, "MAX_TRIES", 1)
    rows = [{"text": t} for t in [GOOD, f"A {DEADLY} text.", "Another plain sentence."]]
    source, target = write_rows(tmp_path / "in.jsonl", rows), tmp_path / "out.jsonl"
    assert run_line("label", source, "-o", target, "--model", small, "--jobs", "1") == 1
    labelled = read_rows(target)
    died = "no score: a worker process died over this text"
    assert [row["reason"] for row in labelled] == [NO_VOICE, died, NO_VOICE]
    assert labelled[0]["naturalness"] is not None


def test_nul_bytes_huge_rows_and_invalid_bytes(small: str, tmp_path: Path) -> None:
    """Each malformed row has a score or a reason, and its bytes are written unchanged."""
    huge = "word " * 1_000_000
    lines = [
        b'{"text": "The old\\u0000 man saw us."}',
        json.dumps({"text": huge}).encode(),
        '{"text": "Caf\u00e9 au lait is fine."}'.encode("latin-1"),
        b"\x00\x00\x00",
        f'{{"text": "{GOOD}"}}'.encode(),
    ]
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_bytes(b"\n".join(lines) + b"\n")
    assert run_line("label", source, "-o", target, "--model", small) == 1
    out = target.read_bytes().splitlines()
    labelled = [json.loads(line.decode("utf-8", "surrogateescape")) for line in out]
    assert [row["reason"][:24] for row in labelled] == [
        NO_VOICE[:24],
        "longer than 50000 charac",
        "not valid UTF-8",
        "not JSON: Expecting valu",
        NO_VOICE[:24],
    ]
    assert labelled[0]["naturalness"] is not None
    assert labelled[1]["text"] == huge
    assert b"Caf\xe9" in out[2]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("suffix", ["csv", "jsonl", "txt"])
def test_another_encoding_is_named(small: str, tmp_path: Path, cli: Cli, encoding: str, suffix: str) -> None:
    """A file in another encoding is refused with the command that converts it."""
    source, target = tmp_path / f"in.{suffix}", tmp_path / "out.csv"
    source.write_bytes(f"text\n{GOOD}\n".encode(encoding))
    assert "iconv" in cli(2, "label", source, "-o", target, "--model", small).err
    assert not target.exists()
