"""`report` on whole output: on the table of training, on others, and what is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from naturalness.cli import run
from tests.support.rated import sentences, write_table

Captured = pytest.CaptureFixture[str]
QUICK = [
    "--learner",
    "logistic-l2",
    "--features",
    "surface,lexical,repetition",
    "--repeats",
    "3",
    "--jobs",
    "1",
    "--folds",
    "3",
]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rated tables, and a model trained on one of them."""
    home = tmp_path_factory.mktemp("report")
    write_table(home / "rated.csv", 80)
    lines = ["text,rating,system,genre,id"]
    for i, (text, rating, _) in enumerate(sentences(70, seed=7)):
        lines.append(f"{text},{rating},{'one' if i % 2 else 'two'},{'news' if i % 3 else 'law'},{i}")
    lines += [f"{text},{rating},one,law,x" for text, rating, _ in sentences(8)]
    (home / "other.csv").write_text("\n".join(lines) + "\n")
    arguments = ["train", str(home / "rated.csv"), "-o", str(home / "model"), *QUICK]
    assert run([*arguments, "--source-column", "source", "--rule", "natural-from=4"]) == 0
    return home


def report(home: Path, table: str, *options: str) -> int:
    """The command on a table."""
    return run(["report", "raters", str(home / table), "--model", str(home / "model"), "--jobs", "1", *options])


@pytest.fixture(scope="module")
def training_report(home: Path) -> dict[str, Any]:
    """Of the table of training."""
    assert report(home, "rated.csv", "-o", str(home / "own.html"), "-o", str(home / "own.json"), "--show", "5") == 0
    document: dict[str, Any] = json.loads((home / "own.json").read_text())
    return document


@pytest.mark.slow
def test_on_its_own_table_judges_had_not_seen_it(training_report: dict[str, Any], home: Path) -> None:
    """All texts, out of fold, read as in training; the page has what the JSON has."""
    assert (training_report["how"], training_report["texts"], training_report["seen"]) == ("out of fold", 80, 0)
    assert training_report["sources"] == 40
    assert training_report["learning_curve"] is not None or training_report["no_learning_curve"]
    figures = {one["name"]: one["value"] for one in training_report["figures"]}
    assert 0.6 < figures["roc_auc"] < 1
    page = (home / "own.html").read_text()
    assert "models like <code>model</code>" in page
    for line in training_report["headline"]:
        assert line in page
    assert "natural from a mean rating of 4" in page
    assert str(home) not in page
    assert training_report["agreement"] is not None


def test_output_says_what_it_comes_to(home: Path, capsys: Captured) -> None:
    """Sentences on standard output, progress and notes on standard error; seen texts are out."""
    target = home / "other.html"
    assert report(home, "other.csv", "-o", str(target), "--by", "genre,id", "--force") == 2
    assert "'id' has 71 different values; --by accepts 60" in capsys.readouterr().err
    assert report(home, "other.csv", "-o", str(target), "--by", "genre") == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert re.match(r"On \d+ texts that the model had not seen, \d+% of predicted labels match the raters’", out)
    assert lines[-1] == f"written: {target}"
    assert err.splitlines()[0] == "reading texts (78)"
    assert "parsing" in err and "computing causes" in err
    page = target.read_text()
    assert "texts that it was trained on are left out" in page
    assert "Column “genre”" in page
    assert "Column “system”" in page


@pytest.mark.slow
def test_everything_as_json_alone_and_again(home: Path) -> None:
    """The same bytes, without a page."""
    for name in ("a.json", "b.json"):
        assert report(home, "other.csv", "-o", str(home / name), "--show", "3") == 0
    assert (home / "a.json").read_bytes() == (home / "b.json").read_bytes()
    document = json.loads((home / "a.json").read_text())
    assert document["seen"] >= 8
    assert len(document["too_low"]["cases"]) <= 3
    assert {row["dimension"] for row in document["rates"]} >= {"length", "system", "genre"}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "no output; name a page with -o report.html"),
        (["-o", "page.pdf"], "expected a name that ends in .html or .json"),
        (["-o", "{home}/own.html"], "--force"),
        (["-o", "{home}/new.html", "--by", "colour"], "no column 'colour'"),
        (["-o", "{home}/new.html", "--system-column", "who"], "no column 'who'"),
        (["-o", "{home}/new.html", "--rating-columns", "stars"], "no column 'stars'"),
        (["-o", "{home}/new.html", "--show", "0"], "above 0"),
    ],
)
def test_mistakes_are_one_line(
    home: Path, training_report: object, capsys: Captured, options: list[str], said: str
) -> None:
    """Before anything is measured, with exit code 2."""
    try:
        code = report(home, "rated.csv", *(option.format(home=home) for option in options))
    except SystemExit as stop:
        code = int(stop.code or 0)
    err = capsys.readouterr().err
    assert code == 2
    assert said in err
    assert sum(line.startswith("error: ") for line in err.splitlines()) == 1
    assert not (home / "new.html").exists()


def test_nothing_unseen(home: Path, capsys: Captured) -> None:
    """A part of the training table says nothing about new texts."""
    part = home / "part.csv"
    part.write_text("\n".join((home / "rated.csv").read_text().splitlines()[:21]))
    assert report(home, "part.csv", "-o", str(home / "part.html")) == 2
    assert "was trained on all 20 texts" in capsys.readouterr().err
    assert run(f"report raters - --fast -o {home}/part.html".split()) == 2
    assert "give a file, not standard input" in capsys.readouterr().err


def test_a_shipped_model_says_so_at_once(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    """Before anything is measured; what to do instead stands in the message."""
    from naturalness.pipelines.scorer import NaturalnessModel

    monkeypatch.setattr(NaturalnessModel, "knows", lambda model, text: True)
    assert run(f"report raters {home}/other.csv --fast -o {home}/part.html".split()) == 2
    err = capsys.readouterr().err
    assert "or a model trained on the table" in err
    assert "reading texts" not in err
