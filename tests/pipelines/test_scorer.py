"""Saved and shipped models: scores, inputs, errors and representations."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st

from naturalness import NaturalnessClassifier, NaturalnessRegressor, load_model
from naturalness.errors import ModelError, UnknownName
from naturalness.features import DEFAULT, FAST, round_significant
from naturalness.judging.fields import ALWAYS, NO_VOICE, WITHIN
from naturalness.judging.people import Standing
from naturalness.judging.scores import MAX_ROWS, Scores
from naturalness.pipelines.saving import save_estimator
from naturalness.text.parsing import parse
from tests.support.commands import printed
from tests.support.pages import EVIL, Page, words
from tests.support.rated import sentences

ROWS = sentences(60)
TEXTS = [text for text, _, _ in ROWS]
RATINGS = np.array([float(rating) for _, rating, _ in ROWS])
SETTINGS: dict[str, Any] = {"features": ["surface", "lexical", "repetition"], "folds": 3}
ESTIMATORS: dict[str, Any] = {
    "linear": NaturalnessClassifier(learner="logistic-l1", threshold="accuracy", **SETTINGS),
    "kernel": NaturalnessRegressor(learner="rbf-svm", **SETTINGS),
    "trees": NaturalnessClassifier(learner="xgboost", **SETTINGS),
    "three": NaturalnessClassifier(learner="logistic-l2", **SETTINGS),
}
GOOD = "The old man gave his book to the girl."
BAD = "The old man gave gave his book to to girl the"


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Save a fitted estimator of each kind of unit, and one with three classes."""
    home = tmp_path_factory.mktemp("scorer")
    for name, estimator in ESTIMATORS.items():
        target = RATINGS if name == "kernel" else RATINGS >= 4
        if name == "three":
            target = np.digitize(RATINGS, [3, 5])
        estimator.fit(TEXTS, target)
        save_estimator(estimator, home / name)
    return {name: home / name for name in ESTIMATORS}


VOCABULARY = (
    "the a old small river garden teacher sees gave to of in with and but because long letters "
    "she is Are was . , ! “ ” it's 7 zzz the the"
)
WORDS = st.sampled_from(VOCABULARY.split())
SOME = st.lists(st.lists(WORDS, max_size=25).map(" ".join), min_size=1, max_size=9)


@pytest.mark.slow
@pytest.mark.parametrize("name", ESTIMATORS)
@settings(deadline=None, max_examples=12)
@given(texts=SOME, seed=st.integers(0, 99))
def test_scores_do_not_depend_on_the_batch(saved: dict[str, Path], name: str, texts: list[str], seed: int) -> None:
    """A text has the same score alone, in any batch or order, from the estimator and from the saved model."""
    model = load_model(saved[name])
    whole = model.score(texts)
    for size in (1, 7, 64):
        assert str(model.score(texts, batch_size=size)) == str(whole)
    for i, text in enumerate(texts):
        assert str(model.score([text]).naturalness[0]) == str(whole.naturalness[i])
    order = list(range(len(texts)))
    random.Random(seed).shuffle(order)
    shuffled = model.score([texts[i] for i in order])
    np.testing.assert_array_equal(shuffled.naturalness[[order.index(i) for i in range(len(texts))]], whole.naturalness)
    # An estimator also scores texts that are not English prose, such as the same word over and over.
    by_estimator = round_significant(ESTIMATORS[name].naturalness(texts))
    np.testing.assert_array_equal(by_estimator, load_model(saved[name], score_anyway=True).score(texts).naturalness)


@pytest.mark.parametrize("name", ["linear", "trees", "three"])
def test_labels(saved: dict[str, Path], name: str) -> None:
    """A saved model gives the labels that the estimator predicts."""
    labels = load_model(saved[name]).score(TEXTS).labels
    assert labels == [str(label) for label in ESTIMATORS[name].predict(TEXTS)]


def test_texts_without_scores(saved: dict[str, Path]) -> None:
    """A text that cannot be judged has a reason instead of a score and a label."""
    scores = load_model(saved["trees"]).score(["", "A plain sentence.", "..."])
    assert scores.reasons == ["empty text", "", "no words"]
    assert scores.labels[0] is None and np.isnan(scores.naturalness[0])
    assert 0 <= scores.naturalness[1] <= 1


def test_kinds_of_input(saved: dict[str, Path]) -> None:
    """Sequences, arrays, generators and Docs of the same texts have the same scores."""
    model = load_model(saved["linear"])
    expected = model.score(TEXTS[:3])
    for texts in (np.array(TEXTS[:3]), np.array(TEXTS[:3], object), (text for text in TEXTS[:3]), parse(TEXTS[:3])):
        assert model.score(texts) == expected
    assert model.score([]).naturalness.tolist() == []
    with pytest.raises(UnknownName, match="register 'boks'"):
        load_model("fast").score([], register="boks")


@pytest.mark.parametrize(
    ("texts", "match"),
    [
        ("A plain sentence.", "not a single string"),
        ([None, 3, math.nan], "text 1 is int, not like the others: 3"),
        ([3, 4], "expected texts or parsed Docs, found list; text 0 is int: 3"),
        (np.zeros((2, 3)), "expected texts or parsed Docs, found ndarray"),
        ([spacy.blank("en")("A plain sentence.")[:]], "found list; text 0 is Span: A plain sentence."),
        ({"text": "A plain sentence."}, "expected texts or parsed Docs, found dict"),
    ],
)
def test_other_inputs_are_refused(saved: dict[str, Path], texts: Any, match: str) -> None:
    """Input that is not a list of texts or Docs is an error that names the first wrong item."""
    with pytest.raises(TypeError, match=match):
        load_model(saved["linear"]).score(texts)


def test_missing_texts(saved: dict[str, Path]) -> None:
    """None, NaN and the missing value of pandas count as empty texts and keep their rows."""
    model = load_model(saved["linear"])
    text = TEXTS[0]
    expected = model.score([text, ""])
    for gap in (None, math.nan, pd.NA):
        assert model.score([text, gap]) == model.score(np.array([text, gap], object)) == expected
    assert model.score(pd.Series([text, None], dtype="string")) == expected
    assert model.score(pd.Series([None, math.nan], dtype=float)) == model.score(["", ""])
    assert model.score(["none", "nan"]).texts == ["none", "nan"]
    assert [one.reason for one in model.explain([None, text])] == ["empty text", ""]
    with pytest.raises(ValueError, match="edits is -1; expected the number of edits to look for, or 0 for none"):
        model.explain([text], edits=-1)


def test_scoring_needs_no_scikit_learn(saved: dict[str, Path]) -> None:
    """Scoring imports neither scikit-learn, XGBoost, SciPy nor joblib."""
    code = (
        "import sys; from naturalness.cli import run;"
        f"run(['score', 'A plain sentence.', '--model', {str(saved['trees'])!r}]);"
        "print(sorted({'sklearn', 'xgboost', 'scipy', 'joblib'} & set(sys.modules)))"
    )
    assert printed(code).splitlines()[-1] == "[]"


@pytest.mark.parametrize(("name", "judges_soundness"), [("default", True), ("fast", True), ("prose", False)])
def test_shipped_models(name: str, judges_soundness: bool) -> None:
    """Shipped models score good sentences above bad ones, with the same numbers in any batch."""
    model = load_model(name)
    scores = model.score([GOOD, BAD, "", *TEXTS[:20]])
    assert scores.naturalness[0] > scores.naturalness[1] or not judges_soundness
    assert scores.reasons[2] == "empty text"
    assert model.score([GOOD, BAD, "", *TEXTS[:20]], batch_size=3) == scores
    for text, value in zip(TEXTS[:20], scores.naturalness[3:], strict=True):
        assert model.score([text]).naturalness.tolist() == [value]


def test_prose_prefers_fresh_versions() -> None:
    """The prose model scores a plain version above one in stock phrases, and refuses registers."""
    model = load_model("prose")
    plain = (
        "The mill closed in March. My father kept the key to the gate on a nail by the door for years, and nobody "
        "asked for it back. On Sundays he walked down there with the dog, looked through the fence at the nettles, and "
        "came home for lunch. He never said what he thought about on the way."
    )
    stock = (
        "The closing of the mill marked a turning point, a testament to the ever-changing nature of life. My father "
        "found himself holding onto the key, a silent reminder of everything he had lost. Each Sunday, he would wander "
        "down the path, his heart heavy with memories, finding solace in the quiet moments of reflection."
    )
    fresh, stale = model.score([plain, stock]).naturalness
    assert fresh > stale + 0.1
    with pytest.raises(ModelError, match="use default or fast, or do without"):
        model.score([plain], register="auto")


def test_groups_of_the_fast_model() -> None:
    """The fast model reads the narrow detector in place of the wide one, and no trees."""
    fast, default = (load_model(name).saved.description for name in ("fast", "default"))
    assert fast.features == FAST
    assert default.features == DEFAULT
    networks = ("damage", "impression", "rating")
    assert set(DEFAULT) ^ set(FAST) == {*networks, *(f"{name}_fast" for name in networks)}
    assets_of_networks = {"chart", "neural", "detector", "fast_detector"}
    assert set(fast.assets) & assets_of_networks == {"fast_detector"}
    assert set(default.assets) & assets_of_networks == {"detector"}


def test_a_folder_named_like_a_shipped_model(
    saved: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name ``fast`` opens the shipped model; ``./fast`` and a `Path` open the folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fast").symlink_to(saved["linear"])
    assert load_model("fast").saved.description.features == FAST
    for name in ("./fast", Path("fast"), str(tmp_path / "fast")):
        assert load_model(name).saved.description.groups == tuple(SETTINGS["features"])


def test_estimators_of_tables_are_not_saved(tmp_path: Path) -> None:
    """An estimator that was fitted on a table cannot be saved, since it cannot read texts."""
    classifier = NaturalnessClassifier(learner="logistic-l2", folds=2)
    classifier.fit(np.arange(40.0).reshape(20, 2), np.arange(20) > 9)
    with pytest.raises(ModelError, match="fitted on a table"):
        save_estimator(classifier, tmp_path / "m")


def test_misspelt_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A misspelt name of a shipped model is an error with a suggestion; a folder without a manifest is an error."""
    monkeypatch.chdir(tmp_path)
    for name, meant in (("defualt", "default"), ("fst", "fast")):
        with pytest.raises(ModelError, match=f"no model at {name!r}; did you mean {meant!r}"):
            load_model(name)
    with pytest.raises(ModelError, match="no model at 'fast': it has no manifest"):
        load_model(Path("fast"))


def test_records() -> None:
    """Scores are a sequence of records, from which pandas and polars make data frames."""
    assert isinstance(SOME, Sequence)  # which polars requires
    assert SOME[-1] == pytest.approx(
        {"text": "Fine.", "naturalness": 0.8, "voice": math.nan, "label": "natural", "reason": NO_VOICE}, nan_ok=True
    )
    assert [record["reason"] for record in SOME[1:]] == ["empty text", NO_VOICE]
    assert list(AXES[0]) == ["text", *ALWAYS, *WITHIN, "sound", "fit"]
    pd.testing.assert_frame_equal(pd.DataFrame(AXES), AXES.to_pandas())


SOME = Scores(
    np.array([0.1, math.nan, 0.8], dtype=np.float64),
    ["unnatural", None, "natural"],
    ["", "empty text", ""],
    texts=[EVIL, "", "Fine."],
)
AXES = Scores(
    np.array([0.5], dtype=np.float64),
    ["natural"],
    [""],
    ["Tea."],
    {"sound": np.array([0.9]), "fit": np.array([0.1])},
    [Standing("books", 0.5, 0.6, 41.0)],
)


def test_plain_numbers(saved: dict[str, Path]) -> None:
    """Records hold plain numbers for JSON; scores with NaN in the same places are equal."""
    model = load_model(saved["linear"])
    scores = model.score([*TEXTS[:3], ""])
    assert str(json.loads(json.dumps(scores[:3]))) == str(scores[:3])
    assert scores == model.score([*TEXTS[:3], ""]) != SOME


def test_representation_of_scores() -> None:
    """The representation has the number of texts, their mean, and the number without a score."""
    assert repr(SOME) == "Scores(3 texts: 0.450 on average, 1 without a score)"
    assert repr(AXES) == "Scores(1 text: 0.500, natural)"
    assert repr(Scores(np.array([math.nan]), [None], ["no words"], [""])) == "Scores(1 text, no score: no words)"
    assert repr(Scores(np.array([], dtype=np.float64), [], [], [])) == "Scores(0 texts)"


def test_scores_in_a_notebook() -> None:
    """Notebooks display a table of the first texts, escaped, with reasons and axes if there are any."""
    page = Page(SOME._repr_html_())
    assert "script" not in page.tags and EVIL in page.cells
    assert {"0.100", "–", "0.800", "unnatural", "empty text", "reason"} <= page.cells
    assert [bar["style"] for bar in page.attributes("i")] == ["width:10.0%", "width:80.0%"]
    page = Page(AXES._repr_html_())
    assert {"sound", "fit", "0.900", "0.100", "Tea.", "books", "41"} <= page.cells and "reason" not in page.cells
    many = Scores(np.array([0.5] * 99, dtype=np.float64), ["natural"] * 99, [""] * 99, texts=["long " * 99] * 99)
    assert "The first 20 of 99 texts." in words(many._repr_html_())
    assert many._repr_html_().count("<i") == MAX_ROWS and "…" in many._repr_html_()


def test_representation_of_models(saved: dict[str, Path]) -> None:
    """The representation of a model has its name, labels and features."""
    name = str(saved["linear"])
    line = repr(load_model(name))
    assert line.startswith(f"NaturalnessModel({name!r}: False < True from 0.") and "features of surface" in line
    assert repr(load_model(saved["three"])).startswith(f"NaturalnessModel({str(saved['three'])!r}: 0 < 1 < 2; ")
