"""`naturalness lm`: complete output, exit codes and errors."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from tests.support.commands import Captured, Cli, run_line
from tests.support.language_models import HARBOUR


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that commands run in; KenLM's tools are not on the PATH."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    (tmp_path / "harbour.txt").write_text("\n".join(HARBOUR) + "\n")
    return tmp_path


def test_a_model_is_trained(home: Path, capfd: Captured) -> None:
    """The summary is on standard output, and the stages are on standard error."""
    assert run_line("lm train harbour.txt -o m --order 3") == 0
    rows = [["<s>", *text.replace(".", " .").split(), "</s>"] for text in HARBOUR]
    counts = Counter(word for row in rows for word in row)
    known = [[word if counts[word] > 1 else "<oov>" for word in row] for row in rows]
    pairs = len({pair for row in known for pair in pairwise(row)})
    triples = len({three for row in known for three in zip(row, row[1:], row[2:], strict=False)})
    out, err = capfd.readouterr()
    assert out == (
        "7 sentences, 50 words, 11 different that occur 2 times or more\n"
        f"n-grams by length: 15, {pairs}, {triples}\n"
        "saved in m\n"
    )
    assert err.splitlines() == [
        "tokenise (7)",
        "estimate (7)",
        "write",
        *(f"discounts of {n}-grams cannot be computed from this text; took 0.5, 1.0, 1.5 instead" for n in (2, 3)),
    ]


def test_tables_with_columns(home: Path, cli: Cli) -> None:
    """A compressed table with a text column is read, rows without a text are skipped, and figures are JSON."""
    rows = ["id,said", *(f'{i},"{text}"' for i, text in enumerate(HARBOUR)), "9", "10,"]
    (home / "t.csv.gz").write_bytes(gzip.compress("\n".join(rows).encode()))
    options = "--text-column said -o m --order 2 --least 1 --format json"
    out, err = cli(0, f"lm train t.csv.gz {options}")
    summary = json.loads(out)
    assert (summary["texts"], summary["sentences"], summary["tokens"]) == (8, 7, 50)
    assert "skipped: 1 row without a readable text\n" in err
    manifest = json.loads((home / "m" / "manifest.json").read_text())
    assert (manifest["name"], manifest["training"]) == ("m", summary)


def test_pieces_and_tags(home: Path, cli: Cli) -> None:
    """The summary names the units, and a model of tags can measure texts."""
    assert "pieces" in cli(0, "lm train harbour.txt -o p --units pieces").out.splitlines()[0]
    assert "tags" in cli(0, "lm train harbour.txt -o t --units tags").out.splitlines()[0]
    row = cli(0, "features 'The boat left.' --features lm:t --format csv").out.splitlines()[1]
    assert row.startswith("The boat left.,-")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["train", "none.txt", "-o", "m"], "error: no file 'none.txt'; check the path\n"),
        (["train", "A text.", "-o", "m"], "error: no file 'A text.'; expected a table of texts, one sentence each\n"),
        (["train", "harbour.txt", "-o", "m", "--order", "9"], "error: order is 9; expected 2 to 6\n"),
        (
            ["train", "harbour.txt", "-o", "m", "--least", "90"],
            "error: none of 24 different words occurs 90 times or more; give more text, or a smaller --least\n",
        ),
        (["train", "harbour.txt", "-o", "no/such/m"], "error: no folder "),
    ],
)
def test_errors_say_what_to_do(home: Path, cli: Cli, command: list[str], message: str) -> None:
    """The last line on standard error is the message; the exit code is 2, and nothing is written."""
    out, err = cli(2, "lm", *command)
    assert not out and err.splitlines(keepends=True)[-1].startswith(message)
    assert [path.name for path in home.iterdir()] == ["harbour.txt"]


def test_unreadable_rows_are_counted_if_a_run_fails(home: Path, cli: Cli) -> None:
    """A failed run reports how many rows had no readable text, since they may be the cause."""
    (home / "t.jsonl").write_text('{"text": 5}\n{"text": "..."}\n{"text": 6}\n')
    _, notice, error = cli(2, "lm train t.jsonl -o m").err.splitlines()
    assert notice == "skipped: 2 rows without a readable text"
    assert error.startswith("error: none of 1 texts has a word; expected a sentence in each")
