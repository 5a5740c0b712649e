"""`naturalness lm`: whole outputs, exit codes and errors."""

from __future__ import annotations

import gzip
import json
import math
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from naturalness.models.language.arpa import read_arpa
from tests.support.commands import Cli, run_line
from tests.support.language_models import HARBOUR, train
from tests.support.reference_models import token_logprobs

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that commands run in; KenLM's tools are not on the PATH."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    (tmp_path / "harbour.txt").write_text("\n".join(HARBOUR) + "\n")
    return tmp_path


def test_a_model_is_made(home: Path, capfd: Captured) -> None:
    """The summary on standard output; stages on standard error."""
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
    """Compressed, a column by name, rows without a text; figures as JSON."""
    rows = ["id,said", *(f'{i},"{text}"' for i, text in enumerate(HARBOUR)), "9", "10,"]
    (home / "t.csv.gz").write_bytes(gzip.compress("\n".join(rows).encode()))
    options = "--text-column said -o m --order 2 --least 1 --format json --name boats"
    out, err = cli(0, f"lm train t.csv.gz {options}")
    summary = json.loads(out)
    assert (summary["texts"], summary["sentences"], summary["tokens"]) == (8, 7, 50)
    assert "1 rows without a readable text were skipped\n" in err
    manifest = json.loads((home / "m" / "manifest.json").read_text())
    assert (manifest["name"], manifest["training"]) == ("boats", summary)


def test_pieces_and_tags(home: Path, cli: Cli) -> None:
    """Pieces, and tags, which score texts that the tagger has seen."""
    assert run_line("lm train harbour.txt -o p --units pieces") == 0
    out = cli(0, "lm train harbour.txt -o t --units tags").out
    assert ("pieces" in out.splitlines()[0], "tags" in out.splitlines()[3]) == (True, True)
    head, row = cli(0, "lm score t 'The boat left.' --format csv").out.splitlines()
    assert head == "text,logprob,perplexity,slor,unknown,reason"
    assert row.startswith("The boat left.,-") and row.endswith(",0,")


def test_texts_are_scored(home: Path, capfd: Captured) -> None:
    """A line each, with the numbers of the back-off rule; two units and an end."""
    train(home / "m", ["a b", "a b", "a c"] * 2, order=2)
    capfd.readouterr()
    assert run_line("lm score m 'a b' 'b z' ...") == 1
    out, err = capfd.readouterr()
    lines = out.splitlines()
    assert lines[0] == "    logprob perplexity       SLOR    unknown  text"
    logprob = sum(token_logprobs(read_arpa(home / "m" / "model.arpa"), ["a", "b"])) * math.log(10)
    frequencies = math.log((6 / 19) * (4 / 19) * (6 / 19))  # with one unit for all that is unknown
    assert lines[1] == (
        f"{logprob:11.2f}{math.exp(-logprob / 3):11.5g}{(logprob - frequencies) / 3:11.3f}       0.0%  a b"
    )
    assert lines[2].endswith("      50.0%  b z")
    assert lines[3] == "                                  (no words)  ..."
    assert err.startswith("perplexity ")
    assert err.splitlines()[0].endswith(" over 6 units of 2 texts, ends of sentences included; 25.0% unknown")


def test_the_columns_fit_together(home: Path, capfd: Captured) -> None:
    """Perplexity is that of logprob and units; the total that of the sums."""
    train(home / "m", HARBOUR)
    (home / "t.jsonl").write_text('{"n": 1, "text": "The boat left."}\n{"text": 5}\n')
    assert run_line("lm score m t.jsonl -o out.jsonl") == 1
    first, second = [json.loads(line) for line in (home / "out.jsonl").read_text().splitlines()]
    assert list(first) == ["n", "text", "logprob", "perplexity", "slor", "unknown", "reason"]
    assert first["perplexity"] == pytest.approx(math.exp(-first["logprob"] / 5), rel=1e-4)
    assert second["logprob"] is None
    assert second["reason"] == "column 'text' holds int, not text"
    assert capfd.readouterr().err.splitlines() == [
        "2 rows written to 'out.jsonl'",
        "1 rows without values; column 'reason' says why",
        f"perplexity {first['perplexity']:.6g} over 5 units of 1 texts, ends of sentences included; 0.0% unknown",
    ]


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
        (["score", "m", "A text."], "error: no language model 'm'; expected words, pieces, "),
    ],
)
def test_errors_say_what_to_do(home: Path, cli: Cli, command: list[str], message: str) -> None:
    """The last line on standard error is the message; the exit code is 2, and nothing is written."""
    out, err = cli(2, "lm", *command)
    assert not out and err.splitlines(keepends=True)[-1].startswith(message)
    assert [path.name for path in home.iterdir()] == ["harbour.txt"]


def test_unreadable_rows_are_counted_if_a_run_fails(home: Path, cli: Cli) -> None:
    """They may be why it fails."""
    (home / "t.jsonl").write_text('{"text": 5}\n{"text": "..."}\n{"text": 6}\n')
    _, notice, error = cli(2, "lm train t.jsonl -o m").err.splitlines()
    assert notice == "2 rows without a readable text were skipped"
    assert error.startswith("error: none of 1 texts has a word; expected a sentence in each")


def test_a_perplexity_too_large_for_a_number(home: Path, cli: Cli) -> None:
    """It is infinite; an ARPA file may hold any logarithms."""
    text = (
        "\\data\\\nngram 1=4\nngram 2=1\n\n\\1-grams:\n-400\t<unk>\n-99\t<s>\t0\n-400\t</s>\n"
        "-400\ta\t0\n\n\\2-grams:\n-400\ta a\n\n\\end\\\n"
    )
    (home / "low.arpa").write_text(text)
    out, err = cli(0, "lm score low.arpa 'a a'")
    assert out.splitlines()[1].split()[1] == "inf"
    assert err.splitlines()[-1].startswith("perplexity inf over 3 units of 1 texts")
