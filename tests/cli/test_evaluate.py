"""`evaluate` judges a model on its training table and on other tables, and writes reports."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from naturalness.cli import run
from naturalness.errors import UnknownName
from naturalness.reports.evaluation import evaluate
from tests.support.rated import sentences, write_table

Captured = pytest.CaptureFixture[str]


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
    quick = "--learner logistic-l2 --features surface,lexical,repetition --repeats 3 --jobs 1 --folds 3"
    columns = ["--source-column", "source", "--rule", "natural-from=4"]
    assert run(["train", str(home / "rated.csv"), "-o", str(home / "model"), *quick.split(), *columns]) == 0
    return home


def command(home: Path, table: str, *options: str) -> int:
    """Run the command on a table."""
    return run(["evaluate", str(home / table), "--model", str(home / "model"), "--jobs", "1", *options])


@pytest.fixture(scope="module")
def training_report(home: Path) -> dict[str, Any]:
    """Return the data of the report on the training table."""
    assert command(home, "rated.csv", "-o", str(home / "own.html"), "-o", str(home / "own.json")) == 0
    document: dict[str, Any] = json.loads((home / "own.json").read_text())
    return document


@pytest.mark.slow
def test_training_table_is_judged_out_of_fold(training_report: dict[str, Any], home: Path) -> None:
    """The table is read as in training, and the page has the numbers of the JSON."""
    assert (training_report["how"], training_report["texts"], training_report["seen"]) == ("out of fold", 80, 0)
    assert training_report["sources"] == 40
    assert training_report["learning_curve"] is not None or training_report["no_learning_curve"]
    assert 0.6 < training_report["figures"]["roc_auc"]["value"] < 1
    page = (home / "own.html").read_text()
    assert "models like <code>model</code>" in page
    for line in training_report["headline"]:
        assert line in page
    assert "natural from a mean rating of 4" in page
    assert str(home) not in page
    assert training_report["agreement"] is not None


def test_figures_and_report(home: Path, capsys: Captured) -> None:
    """Figures and conclusions go to standard output, progress and notes to standard error; training texts are left
    out.
    """
    target = home / "other.html"
    assert command(home, "other.csv", "-o", str(target), "--by", "genre") == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert "8 texts left out: the model was trained on them" in lines
    assert re.search(r"\nOn 70 texts that the model had not seen, \d+% of predicted labels match the raters’", out)
    assert lines[-1] == f"written: {target}"
    assert err.splitlines()[0] == "reading texts (78)"
    assert "parsing" in err and "explaining" in err
    page = target.read_text()
    assert "texts that it was trained on are left out" in page
    assert "Column “genre”" in page and "Column “system”" in page


@pytest.mark.slow
def test_python_function_does_the_same(home: Path) -> None:
    """The function writes the same bytes as the command and returns the same figures; unknown options are errors."""
    model = home / "model"
    assert command(home, "other.csv", "-o", str(home / "a.json")) == 0
    result = evaluate(home / "other.csv", model, output=[str(home / "b.json")])
    assert (home / "a.json").read_bytes() == (home / "b.json").read_bytes()
    assert result.report is not None and result.seen == 8
    frame = result.to_pandas().set_index("name")
    assert frame.loc["accuracy", "value"] == result.report.figures["accuracy"].value
    document = json.loads((home / "a.json").read_text())
    assert {row["dimension"] for row in document["rates"]} >= {"length", "system", "genre"}
    with pytest.raises(UnknownName, match="did you mean 'rating_columns'"):
        evaluate(home / "other.csv", model, rating_column=["rating"])


@pytest.mark.slow
def test_data_frame_of_the_training_table(home: Path) -> None:
    """Its rows are the means over the splits that the model's folder records, without intervals."""
    frame = evaluate(home / "rated.csv", home / "model", jobs=1).to_pandas().set_index("name")
    (learner,) = json.loads((home / "model" / "metrics.json").read_text())["learners"].values()
    assert {"roc_auc", "spearman"} <= set(frame.index)
    assert frame["value"].to_dict() == {name: learner[name]["mean"] for name in frame.index}
    assert frame[["low", "high"]].isna().all(axis=None)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--by", "genre"], "--by is for a report; name one with -o"),
        (["-o", "page.pdf"], "expected a name that ends in .html or .json"),
        (["-o", "{home}/own.html"], "--force"),
        (["-o", "{home}/new.html", "--by", "colour"], "no column 'colour'"),
        (["-o", "{home}/new.html", "--by", "id"], "'id' has 71 different values; --by accepts 60"),
        (["-o", "{home}/new.html", "--rating-columns", "stars"], "no column 'stars'"),
    ],
)
def test_mistakes_are_one_line(home: Path, capsys: Captured, options: list[str], message: str) -> None:
    """Mistakes are reported before anything is measured, with exit code 2."""
    (home / "own.html").touch()
    assert command(home, "other.csv", *(option.format(home=home) for option in options)) == 2
    err = capsys.readouterr().err
    assert message in err and err.count("\n") == 1
    assert not (home / "new.html").exists()


def test_tables_without_unseen_texts(home: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table without unseen texts is an error before any text is measured; so is a report on standard input."""
    part = home / "part.csv"
    part.write_text("\n".join((home / "rated.csv").read_text().splitlines()[:21]))
    assert command(home, "part.csv") == 2
    err = capsys.readouterr().err
    assert "was trained on all 20 texts" in err and "or a model trained on the table" in err
