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
from naturalness.data.compared import Joined
from naturalness.errors import TableError, TrainingError, installing
from naturalness.judging.hashes import known_texts
from naturalness.metrics.documents import LENGTH
from naturalness.reports.metrics.compare import compare
from naturalness.reports.metrics.result import Comparison
from naturalness.reports.metrics.scoring import score_model
from naturalness.reports.metrics.subsets import make_subsets
from naturalness.statistics.bootstrap import Resampling
from tests.support.correlations import figures as figures_of
from tests.support.fake_metrics import GOOD, LONG, MATCHED, TURNED, Fake, rated

QUICK = Resampling(100)
DOCS, RATINGS, SOURCES = rated()
SYSTEMS = [("x", "y", "z")[i % 3] for i in range(60)]
REFERENCES = [["ref"] * (1 + i % 4) for i in range(60)]
SINGLES = [[r, r + 1.0, r] if i % 2 else [r, r] for i, r in enumerate(RATINGS)]


@pytest.fixture(scope="module")
def result() -> Comparison:
    """Return a comparison of four metrics on sixty texts with all columns."""
    columns = Joined(
        references=REFERENCES, systems=SYSTEMS, singles=SINGLES, by={"half": ["first"] * 30 + ["second"] * 30}
    )
    return compare(DOCS, RATINGS, [LONG, GOOD, TURNED, MATCHED], columns, sources=SOURCES, resampling=QUICK)


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
        figures = result.find("good", subset)
        assert figures.pearson.value == pytest.approx(wanted["pearson"])
        assert figures.spearman.value == pytest.approx(wanted["spearman"])
        assert figures.spearman.low < wanted["spearman"] < figures.spearman.high


def test_standings(result: Comparison) -> None:
    """Good metrics come first and beat the length of texts, which beats no metric."""
    assert set(result.ranking()[:2]) == {"good", "turned"}
    assert set(result.as_good_as_best()) == {"good", "turned"}
    assert result.find("turned").spearman == result.find("good").spearman
    turned = {row["metric"]: row["turned"] for row in result.data()}
    assert (turned["turned"], turned["good"]) == (True, False)
    assert set(result.beats("good")) == {"words", "matched"}
    assert result.beats("words") == []
    assert len(result.pairs) == 6


def test_data_is_a_list_of_rows(result: Comparison) -> None:
    """Each subset has a row per metric, with figures, intervals and a signature."""
    rows = json.loads(json.dumps(result.data()))
    parts = list(dict.fromkeys(row["subset"] for row in rows))
    assert parts == [
        "all",
        "given length",
        "system=x",
        "system=y",
        "system=z",
        "half=first",
        "half=second",
        "system means",
    ]
    assert len(rows) == 4 * len(parts)
    row = rows[1]
    assert (row["metric"], row["subset"], row["n"]) == ("good", "all", 60)
    for name in ("pearson", "spearman", "kendall", "mse"):
        assert row[f"{name}_low"] < row[name] < row[f"{name}_high"]
    assert row["signature"] == "good|fake"
    assert set(row["beats"]) == {"words", "matched"}
    assert result.find("good", "system means").n == 3


def test_small_subsets_have_a_note() -> None:
    """A subset or a metric with fewer than ten values has a note instead of figures; an empty cell is no system."""
    gaps = Fake("gaps", lambda words, references: math.nan)
    columns = Joined(systems=["a"] * 45 + [""] * 10 + ["b"] * 5)
    result = compare(DOCS, RATINGS, [GOOD, gaps], columns, resampling=QUICK)
    rows = result.data()
    assert result.n_systems == 2 and "system=" not in {row["subset"] for row in rows}
    notes = {(row["metric"], row["subset"]): row["note"] for row in rows}
    assert notes["gaps", "system=a"] == "0 rows with a value, fewer than 10: no figures"
    assert notes["good", "system=b"] == "5 rows with a value, fewer than 10: no figures"
    assert notes["good", "system means"] == "2 systems with a value, fewer than 3: no figures"
    assert not notes["good", "system=a"]
    assert next(row for row in rows if row["subset"] == "system=b")["spearman"] is None


def test_a_column_of_ids_is_refused() -> None:
    """A grouping column with many values is an error; a column of systems with many values is ignored."""
    ids = [str(i) for i in range(70)]
    with pytest.raises(TableError, match="column 'id' has 70 different values"):
        make_subsets(70, None, {"id": ids})
    assert len(make_subsets(70, ids, {})) == 2
    twice = make_subsets(4, ["a", "b", None, "a"], {"system": ["a", "b", "several", "a"]})
    assert [part.name for part in twice][2:] == ["system=a", "system=b"]


def test_threads(result: Comparison) -> None:
    """Intervals do not depend on the number of threads and on the other metrics."""
    one, three = (compare(DOCS, RATINGS, [GOOD], sources=SOURCES, resampling=QUICK, jobs=jobs) for jobs in (1, 3))
    assert one.data() == three.data()
    assert one.find("good").spearman == result.find("good").spearman


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
    """A model has no score for its training texts, and a note counts them."""
    models = [fake_model(), fake_model(name="x/other")]
    comparison = compare(DOCS, RATINGS, [GOOD], models=models, resampling=QUICK)
    assert [entry.name for entry in comparison.metrics] == ["good", "mine", "x/other"] and len(comparison.pairs) == 3
    seen = sum(doc.text in {d.text for d in DOCS[:20]} for doc in DOCS)
    figures = comparison.find("mine")
    assert (figures.n, figures.left_out) == (60 - seen, seen)
    assert comparison.metrics[1].note == f"{seen} texts left out: the model was trained on them"
    assert comparison.find("good").n == 60
    scored = score_model(fake_model(), [DOCS[0], DOCS[-1]], {})
    assert scored.note.startswith("1 text left out")
    assert scored.signature.startswith("model:mine|regressor|svm|")


def test_scores_of_a_table_are_metrics() -> None:
    """Columns of scores are compared like metrics; infinite and missing numbers count as undefined."""
    plain = GOOD.score(DOCS).tolist()
    plain[0], plain[1] = math.nan, math.inf
    columns = Joined(scores={"comet": plain, "edits": [-v for v in plain]})
    comparison = compare(DOCS, RATINGS, [GOOD], columns, lower=["edits"], resampling=QUICK)
    rows = {row["metric"]: row for row in comparison.data() if row["subset"] == "all"}
    assert list(rows) == ["good", "comet", "edits"]
    assert (rows["comet"]["n"], rows["comet"]["left_out"]) == (58, 2)
    assert rows["edits"]["spearman"] == rows["comet"]["spearman"] > 0
    assert rows["edits"]["signature"] == "column:edits|lower"
    assert rows["edits"]["turned"]
    assert len(comparison.pairs) == 3


def test_metrics_without_common_texts_are_not_tested() -> None:
    """A metric that shares no text with the best one is not called as good."""
    plain = GOOD.score(DOCS).tolist()
    halves = {"first": [*plain[:30], *[math.nan] * 30], "second": [*[math.nan] * 30, *(-v for v in plain[30:])]}
    comparison = compare(DOCS, RATINGS, [], Joined(scores=halves), resampling=QUICK)
    assert comparison.as_good_as_best() == ["first"]
    assert comparison.not_compared_with_best() == ["second"]


@pytest.mark.parametrize("name", ["good", "mine"])
def test_equal_names(name: str) -> None:
    """A column of scores must not have the name of a metric or model."""
    with pytest.raises(TableError, match=f"are named '{name}'"):
        compare(DOCS, RATINGS, [GOOD], Joined(scores={name: RATINGS}), models=[fake_model()], resampling=QUICK)


def test_unavailable_metrics(monkeypatch: pytest.MonkeyPatch) -> None:
    """By default, unavailable metrics are left out and listed by reason; naming one is an error."""
    with pytest.raises(TableError, match="'matched' needs references"):
        compare(DOCS, RATINGS, [GOOD, MATCHED], resampling=QUICK)
    lacking = Fake("foreign", lambda w, r: 0.0, package="no_such_package")
    table = {m.name: m for m in (GOOD, MATCHED, lacking)}
    monkeypatch.setattr(metrics, "METRICS", table)
    comparison = compare(DOCS, RATINGS, resampling=QUICK)
    assert [entry.name for entry in comparison.metrics] == ["good"]
    assert list(comparison.left_out) == [
        "left out, no column 'references' in the table: matched",
        f"left out, packages that are not installed: {installing('metrics')}: foreign",
    ]
    monkeypatch.setattr(metrics, "METRICS", {lacking.name: lacking})
    with pytest.raises(TrainingError, match="no metric is left"):
        compare(DOCS, RATINGS, resampling=QUICK)


def test_length_given_length_is_undefined() -> None:
    """The metric `length` has no partial correlation given length, even for texts with dashes and clitics."""
    nlp = spacy.blank("en")
    texts = [f"{'So - ' * (i % 3)}it didn't {'very ' * (i % 7)}well go." for i in range(40)]
    ratings = [float(i % 5) for i in range(40)]
    comparison = compare([nlp(text) for text in texts], ratings, [LENGTH, LONG], resampling=QUICK)
    assert math.isnan(comparison.find("length", "given length").spearman.value)
    assert not math.isnan(comparison.find("words", "given length").spearman.value)
