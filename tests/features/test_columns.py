"""Columns of a user's table as features: training, saving, scoring, explaining."""

from __future__ import annotations

import csv
import json
import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from naturalness import FeatureExtractor, NaturalnessRegressor, load_model
from naturalness.cli import run
from naturalness.errors import NaturalnessError
from naturalness.features.columns import NumberedText
from naturalness.pipelines.saving import save_estimator
from naturalness.text.parsing import parse
from tests.support.rated import sentences

FEATURES = ["surface", "columns:clicks,word count"]
ROWS = sentences(60)


def write(path: Path, cells: dict[str, list[Any]], rows: list[tuple[str, int, str]]) -> Path:
    """Write a table of rated texts with further columns."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["text", "rating", *cells])
        writer.writerows([text, rating, *row] for (text, rating, _), *row in zip(rows, *cells.values(), strict=True))
    return path


def clicks(rows: list[tuple[str, int, str]]) -> list[Any]:
    """Return numbers that predict the rating, with gaps and cells that are not numbers."""
    return [{3: "", 7: "many"}.get(i, rating * 10 + i % 3) for i, (_, rating, _) in enumerate(rows)]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with tables, and a model that reads a column beside the text."""
    home = tmp_path_factory.mktemp("columns")
    write(home / "rated.csv", {"clicks": clicks(ROWS)}, ROWS)
    other = sentences(40, seed=9)
    write(home / "other.csv", {"clicks": clicks(other), "id": list(range(40))}, other)
    write(home / "few.csv", {"clicks": clicks(other[:3])}, other[:3])
    write(home / "bare.csv", {"click": [1] * 40}, other)
    columns = ["--features", "surface,repetition", "--numeric-columns", "clicks", "--store", str(home / "kept")]
    quick = ["--learner", "logistic-l2", "--repeats", "2", "--jobs", "1", "--quiet"]
    assert run(["train", str(home / "rated.csv"), "-o", str(home / "model"), *columns, *quick]) == 0
    return home


def rows_of(out: str) -> list[dict[str, Any]]:
    """Parse the JSON of a command."""
    rows: list[dict[str, Any]] = json.loads(out)
    return rows


def test_the_model_names_its_columns(home: Path) -> None:
    """The manifest names the column, which contributes to the figures."""
    manifest = json.loads((home / "model" / "manifest.json").read_text())
    assert manifest["groups"] == ["surface", "repetition", "columns:clicks"]
    assert manifest["columns"][-1] == "columns__clicks"
    metrics = json.loads((home / "model" / "metrics.json").read_text())
    assert metrics["learners"]["logistic-l2"]["spearman"]["mean"] > 0.9


@pytest.mark.slow
def test_scores_follow_the_column(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The score changes with the column, alone and in a batch; gaps and bad cells are imputed alike."""
    text = ROWS[0][0]
    table = write(tmp_path / "t.csv", {"clicks": [10, 50, "", "x", 50]}, [(text, 0, "")] * 5)
    score = ["--model", str(home / "model"), "--format", "json"]
    assert run(["score", str(table), *score]) == 0
    scores = [row["naturalness"] for row in rows_of(capsys.readouterr().out)]
    assert scores[0] < scores[2] == scores[3] < scores[1] == scores[4]
    for i in range(3):
        alone = write(tmp_path / f"{i}.csv", {"clicks": [[10, 50, ""][i]]}, [(text, 0, "")])
        assert run(["score", str(alone), *score]) == 0
        assert rows_of(capsys.readouterr().out)[0]["naturalness"] == scores[i]
    out = tmp_path / "out.jsonl"
    assert run(["label", str(table), "-o", str(out), "--model", str(home / "model"), "--jobs", "1", "--quiet"]) == 0
    assert [json.loads(x)["naturalness"] for x in out.read_text().splitlines()] == scores


@pytest.mark.slow
def test_it_is_evaluated_and_reported_on(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Figures on the training table are reproduced with and without a store; another table and a report work."""
    model = str(home / "model")
    for store in "none", str(home / "kept"):
        assert run(["evaluate", str(home / "rated.csv"), "--model", model, "--jobs", "1", "--store", store]) == 0
        assert "the same figures as in" in capsys.readouterr().err
    assert run(["evaluate", str(home / "other.csv"), "--model", model, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["figures"]["spearman"]["value"] > 0.9
    page = ["-o", str(home / "r.json"), "--jobs", "1", "--quiet"]
    assert run(["report", "raters", str(home / "other.csv"), "--model", model, *page]) == 0
    assert "column clicks" in (home / "r.json").read_text()


@pytest.mark.slow
def test_explanations_name_the_column(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The column is a cause of its own; edits are tried with the same numbers."""
    table, model = str(home / "few.csv"), ["--model", str(home / "model")]
    assert run(["explain", table, *model, "--edits", "1", "--format", "json"]) == 0
    rows = rows_of(capsys.readouterr().out)
    titles = {one["title"] for row in rows for one in row["contributions"]}
    assert "column clicks" in titles
    assert run(["score", table, "--explain", *model]) == 0
    assert "column clicks" in capsys.readouterr().out
    why = ["-o", str(home / "why.jsonl"), "--fields", "why", "--jobs", "1", "--quiet"]
    assert run(["label", table, *model, *why]) == 0
    assert "column clicks" in (home / "why.jsonl").read_text()


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", "A plain sentence."],
        ["explain", "A plain sentence."],
        ["score", "{bare}"],
        ["explain", "{bare}"],
        ["label", "{bare}", "-o", "{home}/o.csv"],
        ["check", "{home}/text.txt", "--no-config"],
    ],
)
def test_without_the_column_nothing_is_scored(
    home: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    """A bare text, or a table without the column, gives one error that names it."""
    (home / "text.txt").write_text("A plain sentence.\n")
    filled = [part.format(home=home, bare=home / "bare.csv") for part in arguments]
    assert run([*filled, "--model", str(home / "model")]) == 2
    err = capsys.readouterr().err
    assert "'clicks'" in err
    assert err.count("error:") == 1


def test_rated_tables_without_it_are_refused_too(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`evaluate`, `report` and `train` name the missing column; the target is not a feature."""
    model, bare = str(home / "model"), str(home / "bare.csv")
    for command in (
        ["evaluate", bare, "--model", model],
        ["report", "raters", bare, "--model", model, "-o", f"{home}/x.html"],
        ["train", bare, "-o", f"{home}/no", "--numeric-columns", "clicks"],
    ):
        assert run(command) == 2
        assert "no column 'clicks'; did you mean 'click'" in capsys.readouterr().err
    (home / "pairs.csv").write_text("good,bad,clicks\nA dog slept.,Dog a slept.,1\n")
    assert run(["evaluate", str(home / "pairs.csv"), "--model", model]) == 2
    assert "holds pairs" in capsys.readouterr().err
    assert run(["train", bare, "-o", f"{home}/no", "--numeric-columns", "rating"]) == 2
    assert "column 'rating' says what people rated" in capsys.readouterr().err
    assert run(["compare", str(home / "other.csv"), "--model", model, "--metrics", "length"]) == 2
    assert "'clicks'" in capsys.readouterr().err


def test_a_column_without_numbers_is_refused(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Gaps are counted; a column with only gaps is an error."""
    table = write(home / "words.csv", {"genre": ["news"] * 60, "clicks": clicks(ROWS)}, ROWS)
    train = [
        "train",
        str(table),
        "-o",
        f"{home}/gaps",
        "--features",
        "surface",
        "--learner",
        "logistic-l2",
        "--repeats",
        "2",
        "--jobs",
        "1",
        "--store",
        "none",
    ]
    assert run([*train, "--numeric-columns", "clicks,genre"]) == 2
    assert "column 'genre' of" in capsys.readouterr().err
    assert run([*train, "--numeric-columns", "clicks"]) == 0
    assert "column 'clicks': 2 texts without a value" in capsys.readouterr().err


def test_learning_from_such_a_model_reads_its_columns_too(home: Path) -> None:
    """A warm start reads the columns of the initial model and those that are named."""
    quick = ["--repeats", "2", "--jobs", "1", "--quiet", "--store", "none"]
    for name, more in (("next", []), ("wider", ["--numeric-columns", "id"])):
        assert (
            run(
                ["train", str(home / "other.csv"), "-o", str(home / name), "--from", str(home / "model"), *more, *quick]
            )
            == 0
        )
    columns = json.loads((home / "wider" / "manifest.json").read_text())["columns"]
    assert columns[-2:] == ["columns__clicks", "columns__id"]


def test_estimators_read_texts_with_numbers(tmp_path: Path) -> None:
    """Lists, object arrays and Docs work; the estimator can be cloned, saved and explained."""
    texts = [NumberedText(t, {"clicks": r, "word count": math.nan}) for t, r, _ in ROWS]
    extractor = clone(FeatureExtractor(FEATURES)).fit(texts)
    assert list(extractor.get_feature_names_out())[-2:] == ["columns__clicks", "columns__word count"]
    table = extractor.transform(np.array(texts, dtype=object))
    assert table[:, -2].tolist() == [r for _, r, _ in ROWS]
    assert np.isnan(table[:, -1]).all()
    np.testing.assert_array_equal(table, extractor.transform(parse(texts)))
    stored = FeatureExtractor(FEATURES, store=tmp_path / "store")
    for _ in range(2):
        np.testing.assert_array_equal(table, stored.fit_transform(texts))
    regressor = clone(NaturalnessRegressor(features=FEATURES, learner="logistic-l2", folds=2))
    regressor.fit(texts, [r for _, r, _ in ROWS])
    save_estimator(regressor, tmp_path / "saved")
    scores = load_model(tmp_path / "saved").score(texts).naturalness
    np.testing.assert_allclose(scores, regressor.naturalness(texts), atol=1e-6)
    assert "column clicks" in {c.cause for c in regressor.explain(texts[:1])[0].contributions}
    with pytest.raises(NaturalnessError, match="'clicks', 'word count' of the table"):
        regressor.predict(["A plain sentence."])
    for wrong in ("columns:", "columns:a,,b", "columns:a,a"):
        with pytest.raises(NaturalnessError, match="names no columns, or one twice"):
            FeatureExtractor([wrong]).fit(texts)


def test_texts_with_numbers_are_told_apart() -> None:
    """Equality compares text and numbers, with gaps equal, also after pickling."""
    one, gap = NumberedText("a", {"x": 1.0}), NumberedText("a", {"x": math.nan})
    assert len({one, gap, NumberedText("a", {"x": 1.0}), NumberedText("a", {"x": math.nan})}) == 2
    again = pickle.loads(pickle.dumps(one))
    assert (again, again.numbers, type(str(again))) == (one, {"x": 1.0}, str)
    assert one != gap
    assert one.upper() == "A"


def test_the_same_text_with_other_numbers_is_another_row(home: Path) -> None:
    """Rows are merged only if their numbers are equal too."""
    rows = [(text, rating, "") for text, rating, _ in ROWS for _ in range(2)]
    table = write(home / "twice.csv", {"x": [i % 2 for i in range(120)]}, rows)
    quick = [
        "--learner",
        "logistic-l2",
        "--features",
        "surface",
        "--repeats",
        "2",
        "--jobs",
        "1",
        "--quiet",
        "--store",
        "none",
    ]
    for more, count in ((["--numeric-columns", "x"], 120), ([], 60)):
        assert run(["train", str(table), "-o", str(home / f"m{count}"), *quick, *more]) == 0
        manifest = json.loads((home / f"m{count}" / "manifest.json").read_text())
        assert manifest["training"]["texts"] <= count
        assert (manifest["training"]["texts"] > 60) == (count == 120)
