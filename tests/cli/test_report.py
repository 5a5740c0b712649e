"""`report` compares systems or two runs."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path

import pytest

from naturalness.cli import run
from tests.support.labelling import texts

Captured = pytest.CaptureFixture[str]
ODD = 'A <b>bold</b> & <script>alert("x")</script> claim {n}.'


def write(path: Path, rows: list[dict[str, str]]) -> str:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return str(path)


def scrambled(text: str) -> str:
    """Return the words of a text twice, in another order."""
    words = text.split() * 2
    random.Random(0).shuffle(words)
    return " ".join(words)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a table of two systems that answer the same twelve inputs, one badly, and of a row without a system."""
    rows = []
    for n, text in enumerate(texts(12)):
        rows.append({"system": "fine <i>", "id": str(n), "text": text})
        rows.append({"system": "poor", "id": str(n), "text": scrambled(text)})
    rows += [
        {"system": "poor", "id": "12", "text": ODD.format(n=0)},
        {"system": "poor", "id": "13", "text": ""},
        {"system": "", "id": "14", "text": "Nobody wrote this."},
    ]
    return write(tmp_path_factory.mktemp("systems") / "new.csv", rows)


def test_systems_side_by_side(small: str, table: str, tmp_path: Path, capsys: Captured) -> None:
    """Figures are printed, and written as a page and as JSON; repeated runs write the same bytes."""
    page, data = tmp_path / "report.html", tmp_path / "report.json"
    command = ["report", table, "--model", small, "-o", str(page), "-o", str(data)]
    assert run([*command]) == 0
    captured = capsys.readouterr()
    assert "sounds more natural than" in captured.out or "differ clearly" in captured.out
    assert "Texts with the same value in column 'id' answer the same input." in captured.out
    assert f"written: {page} and {data}" in captured.out
    html, report = page.read_text("utf-8"), json.loads(data.read_text("utf-8"))
    assert "<i>" not in html and html.count("<script") == 1 and "fine &lt;i&gt;" in html
    poor = next(one for one in report["standings"] if one["system"] == "poor")
    assert (poor["n_texts"], poor["n_scored"]) == (14, 12)
    assert poor["reasons"] == [["code", 1], ["empty text", 1]]
    assert report["n_inputs"] == 14
    assert report["notes"][-1] == "Left out without a system: 1 row."
    before = page.read_bytes(), data.read_bytes()
    assert run([*command, "--force"]) == 0
    assert (page.read_bytes(), data.read_bytes()) == before
    assert run(command) == 2
    assert "--force" in capsys.readouterr().err


def test_two_runs(small: str, tmp_path: Path, capsys: Captured) -> None:
    """A sentence and, on request, the exit code state that a run is worse."""
    good = [{"id": str(n), "text": text} for n, text in enumerate(texts(12))]
    bad = [{"id": row["id"], "text": scrambled(row["text"])} for row in good[::-1]]
    old, new = write(tmp_path / "old.csv", good), write(tmp_path / "new.csv", bad)
    target = tmp_path / "found.json"
    command = ["report", old, new, "--model", small, "--fail-if-worse"]
    code = run([*command, "-o", str(target)])
    data = json.loads(target.read_text("utf-8"))
    assert (data["n_inputs"], data["runs"]["n_paired"]) == (12, 12)
    assert code == int(data["pairs"][0]["difference"]["low"] > 0) == 1
    out = capsys.readouterr().out
    assert "old.csv sounds more natural than new.csv, by " in out
    assert "Of 12 texts with a score in both runs, " in out
    assert run(["report", old, old, "--model", small, "--fail-if-worse"]) == 0
    assert "before and now do not differ clearly in naturalness." in capsys.readouterr().out
    assert run(["report", old, new, "--system-column", "system"]) == 2
    assert "leave it out to compare two runs" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--fail-if-worse"], "name the newer table, too"),
        (["--system-column", "sytem"], "did you mean 'system'?"),
        (["-o", "report.txt"], "expected a name that ends in .html or .json"),
        (["-o", "report.htm"], "did you mean '.html'?"),
        (["nowhere.csv"], "no file 'nowhere.csv'"),
    ],
)
def test_mistakes_are_one_line(small: str, table: str, capsys: Captured, arguments: list[str], message: str) -> None:
    """Mistakes are reported in one line, before any text is read."""
    assert run(["report", *arguments, table, "--model", small]) == 2
    assert message in capsys.readouterr().err


def test_the_default_column_of_systems(small: str, tmp_path: Path, capsys: Captured) -> None:
    """The default column of systems is `system`."""
    table = write(tmp_path / "plain.csv", [{"id": "1", "text": "A plain sentence."}])
    assert run(["report", table, "--model", small]) == 2
    assert "no column 'system'" in capsys.readouterr().err
