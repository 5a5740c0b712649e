"""`explain`: complete output of a handmade model, and consistent numbers of the fast one."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest

from naturalness.explaining.explanation import Repair
from tests.support.commands import Captured, Cli, run_line
from tests.support.explained import BAD, FINE, TEXT, HandMade, without

SHOWN = """\
0.113  unnatural: verb forms  (95 %: 0.05 to 0.19)
He go to school 語 yesterday.
   ^^    ^      ^^

The score means little, as the text is unlike the training texts: 30% of its
words are unknown.

Findings
  “go”: after 'He' the verb ends in -s: 'goes'
  “語”: this is not a word → leave it out
  “school”: a word seems to be missing before this

Why (in log-odds)
  typical sound text                 +0.20
  verb forms                         −1.75
    suspected verb errors: higher than in 97 % of reference texts
  articles, prepositions, pronouns   −0.60
    soundness of the sentences: lower than in over 99 % of reference texts
  length and readability             +0.09
  together                           −2.06  that is 0.113
"""
EDITS = """
Small edits
  +0.400  to 0.513: “go” → “goes”
    He goes to school 語 yesterday.
"""


@pytest.fixture
def handmade(monkeypatch: pytest.MonkeyPatch) -> HandMade:
    """Return a handmade model in place of any model."""
    model = HandMade([BAD, without("...", "no words")])
    monkeypatch.setattr("naturalness.pipelines.scorer.load_model", lambda *_, **__: model)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    return model


def test_complete_output(handmade: HandMade, cli: Cli) -> None:
    """The output has score, marks, warning, findings and causes that add up; edits appear on request."""
    assert cli(0, "explain", TEXT).out == SHOWN
    assert cli(0, "explain", TEXT, "--edits").out == SHOWN + EDITS
    assert cli(0, "explain", FINE, "--edits").out.endswith("\n\nNo edit is likely enough to be suggested.\n")
    assert cli(1, "explain ...", TEXT, "--edits", "2").out == f"–  no score: no words\n...\n\n\n{SHOWN}{EDITS}"


def test_a_refused_text_is_not_printed(tmp_path: Path, cli: Cli) -> None:
    """Only the beginning of a refused text is printed, on one line."""
    source = tmp_path / "long.txt"
    source.write_text("The old man gave his book to the girl. " * 2000)
    reason, text = cli(1, "explain", source, "--fast").out.splitlines()
    assert reason == "–  no score: longer than 50000 characters"
    assert text.startswith("The old man gave his book") and text.endswith("…") and len(text) <= 100


def test_a_repair_is_shown_first(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """The repair precedes the findings, and each edit has its probability and reason."""
    fixed = TEXT.replace("go", "went")
    step = replace(BAD.edits[0], after="went", text=fixed, probability=0.9, reason="the time is in the past")
    model = HandMade([replace(BAD, repair=Repair(fixed, 0.6, 0.487, (step,)))])
    monkeypatch.setattr("naturalness.pipelines.scorer.load_model", lambda *_, **__: model)
    assert run_line("explain", TEXT, "--edits") == 0
    edit = "“go” → “went” (90 %): the time is in the past"
    said = f"Repair\n  +0.487  to 0.600 (90 %)\n    {fixed}\n    {edit}\n\nFindings\n"
    assert said in capsys.readouterr().out


def test_colour(handmade: HandMade, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """With colour, marks are inside the line; NO_COLOR removes all colour."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    out = cli(0, "explain", TEXT, "--edits").out.splitlines()
    assert out[:2] == [
        "\x1b[31m0.113  unnatural: verb forms\x1b[0m  (95 %: 0.05 to 0.19)",
        "He \x1b[4;31mgo\x1b[0m to \x1b[4;33ms\x1b[0mchool \x1b[4;33m語\x1b[0m yesterday.",
    ]
    assert "  \x1b[4;31m“go”\x1b[0m: after 'He' the verb ends in -s: 'goes'" in out
    assert "    He \x1b[32mgoes\x1b[0m to school 語 yesterday." in out
    assert not any("^" in line for line in out)
    monkeypatch.setenv("NO_COLOR", "1")
    assert cli(0, "explain", TEXT).out == SHOWN


def test_colours_depend_on_the_models_threshold(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Scores at or above the model's threshold are green."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    generous = HandMade([replace(BAD, threshold=0.1)])
    monkeypatch.setattr("naturalness.pipelines.scorer.load_model", lambda *_, **__: generous)
    assert cli(0, "explain", TEXT).out.startswith("\x1b[32m0.113  unnatural\x1b[0m")


def test_json(handmade: HandMade, cli: Cli) -> None:
    """JSON has all fields, offsets in characters, and null for undefined values."""
    first, second = json.loads(cli(1, "explain", TEXT, "...", "--format", "json").out)
    assert list(first)[:8] == ["text", "naturalness", "voice", "low", "high", "label", "cause", "reason"]
    assert first["cause"] == "verbs" and first["findings"][0]["suggestions"] == ["goes"]
    assert TEXT[slice(first["findings"][0]["start"], first["findings"][0]["end"])] == "go"
    assert first["contributions"][0]["features"][1]["share"] == 0.974
    assert second["naturalness"] is None and second["reason"] == "no words"


def test_files(handmade: HandMade, tmp_path: Path, cli: Cli) -> None:
    """The file name selects a page or JSON; an existing file is kept unless --force is given."""
    page, data = tmp_path / "a.html", tmp_path / "a.json"
    assert run_line("explain", TEXT, "-o", page) == 0
    assert cli(0, "explain", TEXT, "-o", data).out == f"written: {page}\nwritten: {data}\n"
    assert "<article" in page.read_text(encoding="utf-8")
    assert json.loads(data.read_text(encoding="utf-8"))[0]["naturalness"] == 0.113
    assert "exists; choose another name or add --force" in cli(2, "explain", TEXT, "-o", page).err
    table = tmp_path / "in.jsonl"
    table.write_text(f'{{"text": "{TEXT}"}}\n{{"text": 5}}\n{{"text": "{FINE}"}}\n')
    assert run_line(f"explain {table} -o {page} --force") == 1
    assert page.read_text(encoding="utf-8").count("<article") == 3
    assert json.loads(cli(1, f"explain {table} --format json").out.partition("\n")[2])[1]["reason"] == (
        "column 'text' holds int, not text"
    )


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["-o", "x.txt"], "expected a name that ends in .html or .json"),
        (["-o", "x.html", "--format", "json"], "the file name implies the format of a file"),
        (["-o", "nowhere/x.html"], "no folder 'nowhere'; create it first"),
    ],
)
def test_wrong_usage(options: list[str], expected: str, cli: Cli) -> None:
    """Wrong usage is reported before a model is opened."""
    assert expected in cli(2, "explain", TEXT, *options).err


def test_the_fast_model_explains(cli: Cli) -> None:
    """The shown values add up and fit the width, the cause is named, and scores equal those of `score`."""
    bad = "She depends of him and they was late for for dinner."
    out = cli(0, "explain", bad, FINE, "--fast").out
    assert max(map(len, out.splitlines())) <= 80
    assert "“depends of”: 'depends' does not take 'of'; write 'depends on'" in out
    first, second = json.loads(cli(0, "explain", bad, FINE, "--fast", "--format", "json").out)
    total = first["base"] + math.fsum(one["value"] for one in first["contributions"])
    assert total == pytest.approx(first["total"], abs=1e-4)
    rows = json.loads(cli(0, "score", bad, FINE, "--fast", "--format", "json").out)
    assert [row["naturalness"] for row in rows] == [first["naturalness"], second["naturalness"]]
