"""Metrics are compared on all texts and on subsets; unavailable metrics are left out with reasons."""

from __future__ import annotations

import json
import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import spacy

from naturalness import metrics
from naturalness.errors import TableError, TrainingError, UnknownName, installing
from naturalness.judging.hashes import known_texts
from naturalness.metrics.documents import LENGTH
from naturalness.reports.metrics.compare import ComparisonColumns, compare
from naturalness.reports.metrics.result import Comparison, ComparisonSettings, everything, reasons_in_lines, table_of
from naturalness.reports.metrics.scoring import Scored, named_models, score_model, score_svr
from tests.support.correlations import figures as figures_of
from tests.support.fake_metrics import GOOD, LONG, MATCHED, TURNED, Fake, rated

QUICK = ComparisonSettings(resamples=100)
DOCS, RATINGS, SOURCES = rated()
SYSTEMS = [("x", "y", "z")[i % 3] for i in range(60)]
REFERENCES = [["ref"] * (1 + i % 4) for i in range(60)]
SINGLES = [[r, r + 1.0, r] if i % 2 else [r, r] for i, r in enumerate(RATINGS)]


@pytest.fixture(scope="module")
def result() -> Comparison:
    """Return a comparison of four metrics on sixty texts with all columns."""
    columns = ComparisonColumns(
        references=REFERENCES,
        systems=SYSTEMS,
        singles=SINGLES,
        sources=SOURCES,
        by={"half": ["first"] * 30 + ["second"] * 30},
    )
    return compare(DOCS, RATINGS, [LONG, GOOD, TURNED, MATCHED], columns, settings=QUICK)


def test_figures_are_those_of_plain_correlations(result: Comparison) -> None:
    """Figures on all texts, on subsets and given length equal plain correlations."""
    x, y = GOOD.score(DOCS), np.array(RATINGS)
    length = np.array([len(doc.text.split()) for doc in DOCS], float)
    for subset, wanted in (
        ("all", figures_of(x, y)),
        ("system=y", figures_of(x[1::3], y[1::3])),
        ("half=second", figures_of(x[30:], y[30:])),
        ("given length", figures_of(x, y, length)),
    ):
        figures = result.row("good", subset).figures
        assert figures.pearson.value == pytest.approx(wanted["pearson"])
        assert figures.spearman.value == pytest.approx(wanted["spearman"])
        assert figures.spearman.low < wanted["spearman"] < figures.spearman.high


def test_standings(result: Comparison) -> None:
    """Good metrics come first and beat the length of texts, which beats none."""
    assert set(result.ranking()[:2]) == {"good", "turned"}
    assert set(result.as_good_as_best()) == {"good", "turned"}
    assert result.row("turned").figures.spearman == result.row("good").figures.spearman
    turned = {row["metric"]: row["turned"] for row in table_of(result)}
    assert (turned["turned"], turned["good"]) == (True, False)
    assert set(result.beats("good")) == {"words", "matched"}
    assert result.beats("words") == []
    assert len(result.pairs) == 6


def test_all_parts_are_there(result: Comparison) -> None:
    """Subsets are listed in order, with their numbers of texts."""
    assert result.subsets == [
        "all",
        "given length",
        "system=x",
        "system=y",
        "system=z",
        "half=first",
        "half=second",
        "band 1/3 (1 to 2)",
        "band 2/3 (3 to 4)",
        "band 3/3 (5)",
        "system means",
    ]
    assert result.row("good", "system means").figures.n == 3
    assert math.isnan(result.row("good", "band 3/3 (5)").figures.spearman.value)


def test_json_is_a_list_of_rows(result: Comparison) -> None:
    """Each row has figures with intervals and a signature; undefined numbers are None."""
    rows = json.loads(json.dumps(table_of(result)))
    assert len(rows) == 4 * 11
    row = rows[1]
    assert (row["metric"], row["subset"], row["n"]) == ("good", "all", 60)
    for name in ("pearson", "spearman", "kendall", "mse"):
        assert row[f"{name}_low"] < row[name] < row[f"{name}_high"]
    assert row["signature"] == "good|fake"
    assert set(row["beats"]) == {"words", "matched"}
    flat = next(r for r in rows if r["subset"] == "band 3/3 (5)")
    assert flat["spearman"] is None
    assert flat["note"] == "all have the same rating: no correlation"
    report = everything(result)
    assert report["agreement"]["items"] == 60
    assert len(report["pairs"]) == 6
    assert "scores" not in report["metrics"][0]
    assert "jobs" not in report["settings"]
    assert report["tested_pairs"] == 6


def test_seed_and_threads_change_nothing_but_the_draw(result: Comparison) -> None:
    """Intervals depend on the seed but not on the number of threads."""
    columns = ComparisonColumns(sources=SOURCES)
    runs = [
        compare(DOCS, RATINGS, [GOOD], columns, settings=ComparisonSettings(resamples=100, seed=s, jobs=j))
        for s, j in ((0, 1), (0, 3), (5, 1))
    ]
    assert table_of(runs[0]) == table_of(runs[1])
    assert runs[0].row("good").figures.spearman == result.row("good").figures.spearman
    assert runs[0].row("good").figures.spearman != runs[2].row("good").figures.spearman


def test_svr_is_told_out_of_fold() -> None:
    """Predictions from noise do not correlate with ratings, because they are out of fold."""
    rng = np.random.default_rng(0)
    y = rng.normal(size=120)
    parts = {name: Scored(name, rng.normal(size=120), f"{name}|s", "") for name in ("rouge-l", "wpslor")}
    svr = score_svr(parts, y, np.arange(120) // 2, 0)
    assert abs(np.corrcoef(svr.scores, y)[0, 1]) < 0.25
    assert svr.learned
    assert "out-of-fold:10" in svr.signature
    assert "rouge-l|s" in svr.signature
    useful = {**parts, "wpslor": Scored("wpslor", y + 0.1 * rng.normal(size=120), "", "")}
    useful["wpslor"].scores[:4] = math.nan
    scores = score_svr(useful, y, np.arange(120), 0).scores
    assert np.isnan(scores[:4]).all()
    assert np.corrcoef(scores[4:], y[4:])[0, 1] > 0.8
    alone = score_svr(parts, y, np.zeros(120, dtype=np.int64), 0)
    assert np.isnan(alone.scores).all()
    assert "too few" in alone.note


def fake_model(*, name: str = "mine", **parts: Any) -> Any:
    """Return a model that scores by `odd` and was trained on the first twenty texts."""
    description = SimpleNamespace(kind="regressor", learner="svm", columns=("a",), pipeline="p")
    seen = {doc.text for doc in DOCS[:20]}
    return SimpleNamespace(
        name=name,
        nlp="en",
        saved=SimpleNamespace(description=description, seen=known_texts(seen)),
        knows=lambda text: text in seen,
        score=lambda docs: SimpleNamespace(naturalness=GOOD.score(docs).tolist()),
        **parts,
    )


def test_models_are_not_judged_on_their_training_texts() -> None:
    """These texts are left out of the model's row only, and counted."""
    models = [fake_model(), fake_model(name="x/other")]
    comparison = compare(DOCS, RATINGS, [GOOD], models=models, settings=QUICK)
    assert comparison.names == ["good", "mine", "other"] and len(comparison.pairs) == 3
    seen = sum(doc.text in {d.text for d in DOCS[:20]} for doc in DOCS)
    row = comparison.row("mine")
    assert (row.figures.n, row.figures.left_out) == (60 - seen, seen)
    assert row.note == f"{seen} texts left out: the model was trained on them"
    assert comparison.row("good").figures.n == 60
    scored = score_model(fake_model(), [DOCS[0], DOCS[-1]], "en", name="mine", out_of_fold={})
    assert scored.note.startswith("1 text left out")
    assert scored.signature.startswith("model:mine|regressor|svm|")


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["a/m", "b/m", "x/n"], ["a/m", "b/m", "n"]),
        (["fast", "z/fast", "default"], ["fast", "z/fast", "default"]),
        (["a/slor", "a/slor", "a/../a/slor"], ["a/../a/slor"]),
    ],
)
def test_names_of_models(names: list[str], expected: list[str]) -> None:
    """A model has the name of its folder, or its path if another model or a metric has that name."""
    assert list(named_models([fake_model(name=name) for name in names], {"slor"})) == expected


def test_scores_of_a_table_are_metrics() -> None:
    """Columns of scores are tested like metrics; infinite and missing numbers are no scores."""
    plain = GOOD.score(DOCS).tolist()
    plain[0], plain[1] = math.nan, math.inf
    columns = ComparisonColumns(scores={"comet": plain}, lower_scores={"edits": [-v for v in plain]})
    comparison = compare(DOCS, RATINGS, [GOOD], columns, settings=QUICK)
    assert comparison.names == ["good", "comet", "edits"]
    rows = {row["metric"]: row for row in table_of(comparison) if row["subset"] == "all"}
    assert (rows["comet"]["n"], rows["comet"]["left_out"]) == (58, 2)
    assert rows["edits"]["spearman"] == rows["comet"]["spearman"] > 0
    assert rows["edits"]["signature"] == "column:edits|lower"
    assert rows["edits"]["turned"]
    assert len(comparison.pairs) == 3


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"scores": {"good": RATINGS}}, "'good' has the name of a metric"),
        ({"lower_scores": {"svr": RATINGS}}, "'svr' has the name of a metric"),
        ({"scores": {"mine": RATINGS}}, "'mine' has the name of a model"),
        ({"scores": {"x": RATINGS}, "lower_scores": {"x": RATINGS}}, "choose one"),
    ],
)
def test_a_name_stands_for_one_row(columns: dict[str, Any], said: str) -> None:
    """A column of scores must not have the name of a metric or model."""
    some = [GOOD, "svr"] if "svr" in said else [GOOD]
    references = [["A boat."]] * len(DOCS)
    with pytest.raises(TableError, match=said):
        compare(
            DOCS,
            RATINGS,
            some,
            ComparisonColumns(references=references, **columns),
            models=[fake_model()],
            settings=QUICK,
        )


def test_asked_for_by_name_nothing_is_left_out() -> None:
    """A named metric that lacks references is an error."""
    with pytest.raises(TableError, match="'matched' needs references"):
        compare(DOCS, RATINGS, [GOOD, MATCHED], settings=QUICK)
    with pytest.raises(UnknownName, match="did you mean 'length'"):
        compare(DOCS, RATINGS, ["lenght"], settings=QUICK)
    with pytest.raises(TableError, match="'rouge-l' needs references"):
        compare(DOCS, RATINGS, ["svr"], settings=QUICK)


def test_what_cannot_be_had_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """By default, unavailable metrics are left out, and grouped by what they lack."""

    lacking = Fake("foreign", lambda w, r: 0.0, package="no_such_package")
    table = {m.name: m for m in (GOOD, MATCHED, lacking)}
    monkeypatch.setattr(metrics, "METRICS", table)
    comparison = compare(DOCS, RATINGS, settings=QUICK)
    assert comparison.names == ["good"]
    assert comparison.notes[0].startswith("matched left out: metric 'matched' needs references")
    assert "pip install" in comparison.notes[1]
    assert comparison.notes[2] == "svr left out: it learns from rouge-l and wpslor"
    assert reasons_in_lines(comparison.left_out) == [
        "left out, no column 'references' in the table: matched",
        f"left out, packages that are not installed: {installing('metrics')}: foreign",
        "left out, it learns from rouge-l and wpslor: svr",
    ]
    monkeypatch.setattr(metrics, "METRICS", {lacking.name: lacking})
    with pytest.raises(TrainingError, match="no metric is left"):
        compare(DOCS, RATINGS, settings=QUICK)


def test_mistakes() -> None:
    """Columns of different lengths, a single string and too few ratings are errors."""
    with pytest.raises(ValueError, match="59 ratings for 60 texts"):
        compare(DOCS, RATINGS[1:], [GOOD])
    with pytest.raises(ValueError, match="2 half for 60 texts"):
        compare(DOCS, RATINGS, [GOOD], ComparisonColumns(by={"half": ["a", "b"]}))
    with pytest.raises(TypeError, match="a single string"):
        compare("A text.", [1.0], [GOOD])
    few = [*RATINGS[:9], *[math.nan] * 51]
    with pytest.raises(TrainingError, match="9 rated texts; a comparison needs 10"):
        compare(DOCS, few, [GOOD])


def test_length_is_one_length() -> None:
    """The metric `length` is undefined given length, also for texts with dashes and clitics."""
    nlp = spacy.blank("en")
    texts = [f"{'So - ' * (i % 3)}it didn't {'very ' * (i % 7)}well go." for i in range(40)]
    ratings = [float(i % 5) for i in range(40)]
    comparison = compare([nlp(text) for text in texts], ratings, [LENGTH, LONG], settings=QUICK)
    assert math.isnan(comparison.row("length", "given length").figures.spearman.value)
    assert not math.isnan(comparison.row("words", "given length").figures.spearman.value)
