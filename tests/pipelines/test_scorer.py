"""A text's score does not depend on its company, nor on who computes it."""

from __future__ import annotations

import json
import math
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naturalness import NaturalnessClassifier, NaturalnessRegressor, load_model
from naturalness.errors import ModelError
from naturalness.features import DEFAULT, FAST, round_significant
from naturalness.files.folder import MANIFEST
from naturalness.judging.fields import ALWAYS, NO_VOICE, WITHIN
from naturalness.judging.people import Standing
from naturalness.judging.scores import MAX_ROWS, Scores
from naturalness.pipelines.saving import save_estimator
from naturalness.text.parsing import parse
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
    """One saved estimator of each kind of arrays, two of them of three classes."""
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
def test_the_same_alone_and_in_company(saved: dict[str, Path], name: str, texts: list[str], seed: int) -> None:
    """Alone, in batches of 1, 7 and 64, shuffled; by the estimator or the saved folder."""
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
def test_labels_are_those_of_the_estimator(saved: dict[str, Path], name: str) -> None:
    """The folder tells what `predict` tells; ratings are cut by a threshold of their own."""
    labels = load_model(saved[name]).score(TEXTS).labels
    assert labels == [str(label) for label in ESTIMATORS[name].predict(TEXTS)]


def test_docs_are_not_parsed_again(saved: dict[str, Path]) -> None:
    """Docs of the model's pipeline get the scores of their texts."""
    model = load_model(saved["linear"])
    assert model.score(parse(TEXTS[:5])) == model.score(TEXTS[:5])


def test_what_cannot_be_judged_has_a_reason(saved: dict[str, Path]) -> None:
    """An empty score and a reason; the others have theirs."""
    scores = load_model(saved["trees"]).score(["", "A plain sentence.", "..."])
    assert scores.reasons == ["empty text", "", "no words"]
    assert scores.labels[0] is None
    assert np.isnan(scores.naturalness[0])
    assert 0 <= scores.naturalness[1] <= 1
    with pytest.raises(TypeError, match="not a single string"):
        load_model(saved["trees"]).score("A plain sentence.")


def test_texts_come_in_any_shape(saved: dict[str, Path]) -> None:
    """Arrays, tuples and generators; nothing at all; a mixture is refused by row."""
    model = load_model(saved["linear"])
    expected = model.score(TEXTS[:3])
    for texts in (np.array(TEXTS[:3]), np.array(TEXTS[:3], object), tuple(TEXTS[:3]), (text for text in TEXTS[:3])):
        assert model.score(texts) == expected
    assert model.score([]).naturalness.tolist() == []
    with pytest.raises(TypeError, match="text 1 is int, not like the others: 3"):
        model.score([None, 3, math.nan])
    with pytest.raises(TypeError, match="expected texts or parsed Docs, found list; text 0 is int: 3"):
        model.score([3, 4])
    for neither in (np.zeros((2, 3)), 123, {"text": TEXTS[0]}):
        with pytest.raises(TypeError, match=f"expected texts or parsed Docs, found {type(neither).__name__}"):
            model.score(neither)
    with pytest.raises(ValueError, match="edits is -1; expected the number of edits to look for, or 0 for none"):
        model.explain(TEXTS[:1], edits=-1)


def test_what_is_missing_is_an_empty_text(saved: dict[str, Path]) -> None:
    """None, NaN, and the gap of pandas: each keeps its row, as an empty cell of a table does."""
    pandas = pytest.importorskip("pandas")
    model = load_model(saved["linear"])
    text = TEXTS[0]
    expected = model.score([text, ""])
    for gap in (None, math.nan, pandas.NA):
        assert model.score([text, gap]) == model.score(np.array([text, gap], object)) == expected
    assert model.score(pandas.Series([text, None])) == expected
    assert model.score(pandas.Series([text, None], dtype="string")) == expected
    assert model.score([None, None]).reasons == ["empty text", "empty text"]
    assert model.score(["none", "nan"]).texts == ["none", "nan"]
    assert [one.reason for one in model.explain([None, text])] == ["empty text", ""]


def test_scoring_needs_no_scikit_learn(saved: dict[str, Path]) -> None:
    """Neither it nor XGBoost nor SciPy is imported on the way of a sentence."""
    code = (
        "import sys; from naturalness.cli import run;"
        f"run(['score', 'A plain sentence.', '--model', {str(saved['trees'])!r}]);"
        "print(sorted({'sklearn', 'xgboost', 'scipy', 'joblib'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(("name", "judges_soundness"), [("default", True), ("fast", True), ("prose", False)])
def test_shipped_models_score_alone_as_in_company(name: str, judges_soundness: bool) -> None:
    """Good sentences above bad ones, the same numbers in any batch, a reason for none."""
    model = load_model(name)
    scores = model.score([GOOD, BAD, "", *TEXTS[:20]])
    assert scores.naturalness[0] > scores.naturalness[1] or not judges_soundness
    assert scores.reasons[2] == "empty text"
    assert model.score([GOOD, BAD, "", *TEXTS[:20]], batch_size=3) == scores
    for text, value in zip(TEXTS[:20], scores.naturalness[3:], strict=True):
        assert model.score([text]).naturalness.tolist() == [value]


def test_prose_prefers_fresh_versions() -> None:
    """A plain version above one in stock phrases, as sound as it; what applies to sentences alone is refused."""
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
    with pytest.raises(ModelError, match="use default, fast or large, or do without"):
        model.score([plain], register="auto")


def test_the_fast_model_reads_fast_groups_alone() -> None:
    """No trees, and a narrow detector where the default model has a wide one."""
    fast, default = (load_model(name).saved.description for name in ("fast", "default"))
    assert fast.features == FAST
    assert default.features == DEFAULT
    networks = ("damage", "impression", "rating")
    assert set(DEFAULT) ^ set(FAST) == {*networks, *(f"{name}_fast" for name in networks)}
    assets_of_networks = {"chart", "neural", "detector", "fast_detector", "large_detector"}
    assert set(fast.assets) & assets_of_networks == {"fast_detector"}
    assert set(default.assets) & assets_of_networks == {"detector"}


@pytest.mark.slow
def test_the_fast_model_opens_the_narrow_detector_alone() -> None:
    """In a process of its own: the wide one stays on the disk."""
    code = (
        "from naturalness.cli import run; from naturalness.models import detector; opened = [];"
        "open_network = detector.open_network;"
        "detector.open_network = lambda folder: opened.append(folder.name) or open_network(folder);"
        f"run(['score', {GOOD!r}, '--fast']);"
        "print(opened)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "['fast_detector']"


def test_a_folder_named_like_a_shipped_model(
    saved: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``fast`` is the shipped one, ``./fast`` and a `Path` the folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fast").symlink_to(saved["linear"])
    assert load_model("fast").saved.description.features == FAST
    for name in ("./fast", Path("fast"), str(tmp_path / "fast")):
        assert load_model(name).saved.description.groups == tuple(SETTINGS["features"])


def test_what_cannot_be_saved_says_why(tmp_path: Path) -> None:
    """An estimator of a table does not know how to read texts."""
    classifier = NaturalnessClassifier(learner="logistic-l2", folds=2)
    classifier.fit(np.arange(40.0).reshape(20, 2), np.arange(20) > 9)
    with pytest.raises(ModelError, match="fitted on a table"):
        save_estimator(classifier, tmp_path / "m")


def test_a_name_that_is_nearly_right_is_guessed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A shipped model, or one in this folder; of anything else it says that there is no model."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "reviews-model").mkdir()
    (tmp_path / "reviews-model" / MANIFEST).write_text("{}")
    for name, meant in (("defualt", "default"), ("fst", "fast"), ("review-model", "reviews-model")):
        with pytest.raises(ModelError, match=f"no model at {name!r}; did you mean {meant!r}"):
            load_model(name)
    with pytest.raises(ModelError, match="no model at 'xxx"):
        load_model("x" * 5000)  # a text, where texts and model were confused
    with pytest.raises(ModelError, match="no model at 'fast': it has no manifest"):
        load_model(Path("fast"))  # a folder; nothing would be gained by *did you mean 'fast'*
    with pytest.raises(ModelError, match="no model at 'nowhere': it has no manifest"):
        load_model("nowhere")


def test_scores_are_a_sequence_of_records() -> None:
    """So that data frames of pandas and of polars accept them as they are."""
    assert (len(SOME), len(SOME[1:]), len(Scores(np.array([], dtype=np.float64), [], []))) == (3, 2, 0)
    assert SOME[-1] == pytest.approx(
        {"text": "Fine.", "naturalness": 0.8, "voice": math.nan, "label": "natural", "reason": NO_VOICE}, nan_ok=True
    )
    assert [record["reason"] for record in SOME] == [NO_VOICE, "empty text", NO_VOICE]
    assert list(AXES[0]) == [*ALWAYS, *WITHIN, "sound", "fit"]  # without texts, no column of them
    pd.testing.assert_frame_equal(pd.DataFrame(SOME), SOME.to_pandas())
    pd.testing.assert_frame_equal(pd.DataFrame(AXES), AXES.to_pandas())
    assert isinstance(SOME, Sequence)  # which polars requires
    with pytest.raises(IndexError):
        SOME[3]


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
    {"sound": np.array([0.9]), "fit": np.array([0.1])},
    [Standing("books", 0.5, 0.6, 41.0)],
)


def test_scores_are_arrays_and_records_are_not(saved: dict[str, Path]) -> None:
    """Records hold plain numbers, as JSON needs; equality counts NaN as equal."""
    model = load_model(saved["linear"])
    scores = model.score([*TEXTS[:3], ""])
    assert scores.naturalness.dtype == np.float64 and (scores.naturalness[:3] >= 0).all()
    assert [type(record["naturalness"]) for record in scores] == [float] * 4
    assert str(json.loads(json.dumps(scores[:3]))) == str(scores[:3])
    assert scores == model.score([*TEXTS[:3], ""]) != SOME


def test_scores_in_a_line() -> None:
    """How many, their mean and how many have none; of a single text its score and label."""
    assert repr(SOME) == "Scores(3 texts: 0.450 on average, 1 without a score)"
    assert repr(AXES) == "Scores(1 text: 0.500, natural)"
    for values, labels, reasons, shown in (
        ([math.nan], [None], ["no words"], "1 text, no score: no words"),
        ([], [], [], "0 texts"),
        ([0.5] * 1200, ["natural"] * 1200, [""] * 1200, "1,200 texts: 0.500 on average"),
    ):
        assert repr(Scores(np.array(values, dtype=np.float64), labels, reasons)) == f"Scores({shown})"


def test_scores_in_a_notebook() -> None:
    """A table of the first texts, escaped, with reasons and axes where there are any."""
    page = Page(SOME._repr_html_())
    assert "script" not in page.tags and EVIL in page.cells
    assert {"0.100", "–", "0.800", "unnatural", "empty text", "reason"} <= page.cells
    assert [bar["style"] for bar in page.attributes("i")] == ["width:10.0%", "width:80.0%"]
    page = Page(AXES._repr_html_())
    assert {"sound", "fit", "0.900", "0.100", "1", "books", "41"} <= page.cells and "reason" not in page.cells
    many = Scores(np.array([0.5] * 99, dtype=np.float64), ["natural"] * 99, [""] * 99, texts=["long " * 99] * 99)
    assert "The first 20 of 99 texts." in words(many._repr_html_())
    assert many._repr_html_().count("<i") == MAX_ROWS and "…" in many._repr_html_()
    assert "0 texts" in words(Scores(np.array([], dtype=np.float64), [], [])._repr_html_())


def test_a_model_in_a_line(saved: dict[str, Path]) -> None:
    """Name, labels and what it reads."""
    name = str(saved["linear"])
    line = repr(load_model(name))
    assert line.startswith(f"NaturalnessModel({name!r}: False < True from 0.") and "features of surface" in line
    assert repr(load_model(saved["three"])).startswith(f"NaturalnessModel({str(saved['three'])!r}: 0 < 1 < 2; ")
