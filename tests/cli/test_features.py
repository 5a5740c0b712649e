"""`naturalness features`: complete output, exit codes and errors."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from naturalness.features import column_names, resolve
from tests.support.commands import Captured, Cli, run_line

NASTY = [
    "",
    "   ",
    "Yes",
    "\u0000abc\u0000",
    "😀😀",
    "word " * 5000,
    "مرحبا بالعالم كيف حالك",
    "a\r\nb",
    "<script>alert(1)</script>",
    "The cat sat on the mat.",
    "。。。",
    "\u202e reversed \u202c text.",
    "." * 3000,
    "Ünïcödé wörds äre fïne.",
]
NO_VALUES = {0: "empty text", 1: "empty text", 4: "no words", 10: "no words", 12: "a run of 500 symbols or more"}


def test_texts_are_shown_with_their_features(cli: Cli) -> None:
    """Each text is followed by a line for each feature: its value, and what a higher value means."""
    assert cli(1, ["features", "Stop it", "", "--features", "lexical__mtld,repetition__distinct_share"]).out == (
        "[1] Stop it\n"
        "    lexical__mtld                       –  more varied\n"
        "    repetition__distinct_share          1  fewer repeats\n"
        "[2] (empty)\n"
        "    no values: empty text\n"
        "    lexical__mtld                       –  more varied\n"
        "    repetition__distinct_share          –  fewer repeats\n"
    )


def test_output_keeps_the_columns_of_the_table(tmp_path: Path, cli: Cli) -> None:
    """CSV has the table's columns, the features and a reason; a row without a text has a reason but does not fail."""
    (tmp_path / "t.csv").write_text('id,text,n\n007,"No no, stop.",1.50\n008,,\n')
    out, err = cli(0, f"features {tmp_path}/t.csv --features repetition")
    assert out == (
        "id,text,n,repetition__distinct_share,repetition__neighbour_share,repetition__bigram_share,"
        "repetition__trigram_share,repetition__lemma_share,repetition__near_content_share,"
        "repetition__longest_repeat_share,reason\n"
        '007,"No no, stop.",1.50,0.666667,0.5,0,0,0.333333,0,0.333333,\n'
        "008,,,,,,,,,,empty text\n"
    )
    assert err == "1 row without values; column 'reason' says why\n"


def test_json_has_null_for_undefined(cli: Cli) -> None:
    """JSON has one object per text, with null for undefined values."""
    (row,) = json.loads(cli(0, "features 'Stop it' --features surface --format json").out)
    assert row == {
        "text": "Stop it",
        "surface__n_characters": 7,
        "surface__n_sentences": 1,
        "surface__sentence_length_mean": 2,
        "surface__sentence_length_max": 2,
        "surface__word_length_mean": 3,
        "surface__word_length_std": 1,
        "surface__word_length_max": 4,
        "surface__punctuation_share": 0,
        "reason": "",
    }


def test_malformed_rows_keep_their_position(tmp_path: Path, capfd: Captured) -> None:
    """Fourteen rows lead to fourteen rows; unusable ones have a reason, and the exit code is 1."""
    rows = [json.dumps({"id": i, "text": text}) for i, text in enumerate(NASTY)]
    (tmp_path / "in.jsonl").write_text("\n".join([*rows, "{malformed"]))
    out = tmp_path / "out.parquet"
    assert run_line(f"features {tmp_path}/in.jsonl -o {out}") == 1
    table = pq.read_table(out).to_pylist()
    assert [row["id"] for row in table] == [*range(14), None]
    reasons = {i: row["reason"] for i, row in enumerate(table) if row["reason"]}
    assert reasons.pop(14).startswith("not JSON")
    # Only one group has no values for a sentence of five thousand words; that is no failure.
    assert reasons.pop(5).startswith("no values of constituency: a sentence of 5000 tokens")
    assert reasons == NO_VALUES
    names = column_names(resolve())
    for i, row in enumerate(table):
        empty = all(row[name] is None for name in names)
        assert empty == (i in NO_VALUES or i == 14)
    assert "Traceback" not in capfd.readouterr().err


ERRORS = [
    (["features", "missing.csv"], "no file 'missing.csv'; check the path"),
    (["features", "a", "--nlp", "no_such"], "cannot open spaCy pipeline 'no_such'"),
    (
        ["features", "a", "-o", "out.csv", "--format", "tsv"],
        "--format is for standard output; the file name implies the format of a file",
    ),
    (["features", "a", "-o", "."], "'.' is a folder"),
    (["features", "a", "-o", "none/out.csv"], "no folder 'none'; create it first"),
]


@pytest.mark.parametrize(("arguments", "message"), ERRORS)
def test_errors_are_one_line(
    arguments: list[str], message: str, tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error is one line that says what to do, with exit code 2 and nothing on standard output."""
    monkeypatch.chdir(tmp_path)
    out, err = cli(2, arguments)
    assert out == ""
    assert err.startswith(f"error: {message}")
    assert err.count("\n") == 1


def test_an_empty_text_and_a_lone_surrogate_have_reasons(capfd: Captured) -> None:
    """Neither an empty text nor a lone surrogate is taken for a file name; the exit code is 1."""
    assert run_line(["features", "", "caf\udce9 here", "--features", "pos", "--format", "csv"]) == 1
    lines = capfd.readouterr().out.splitlines()
    assert [line.rsplit(",", 1)[1] for line in lines[1:]] == ["empty text", "not valid UTF-8"]


def test_numbering_continues_across_batches(monkeypatch: pytest.MonkeyPatch, cli: Cli) -> None:
    """The numbering of texts does not restart at [1] in the second batch."""
    monkeypatch.setattr("naturalness.cli.inputs.BATCH_TEXTS", 1)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"Stop it\nGo on\n")))
    out = cli(0, "features - --features pos --format text").out
    assert "[1] Stop it" in out
    assert "[2] Go on" in out


def test_an_output_is_not_overwritten(tmp_path: Path, cli: Cli) -> None:
    """An existing output is overwritten only with --force."""
    out = tmp_path / "out.csv"
    assert cli(0, "features 'Stop it' -o", out).err == f"1 row written to {str(out)!r}\n"
    first = out.read_text()
    assert "add --force" in cli(2, "features 'Go on now' -o", out).err
    assert out.read_text() == first
    assert run_line("features 'Go on now' -o", out, "--force") == 0
    assert out.read_text() != first
