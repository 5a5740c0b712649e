"""The estimators follow scikit-learn's conventions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import RFE
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from naturalness import FeatureExtractor, NaturalnessClassifier, NaturalnessRegressor
from naturalness.errors import NaturalnessError, TrainingError, UnknownName
from naturalness.features.measuring import measure
from naturalness.pipelines.saving import save_estimator
from naturalness.text.parsing import parse
from tests.support.rated import sentences

QUICK: dict[str, Any] = {"learner": "logistic-l2", "folds": 2}
NOT_OURS = {
    "check_sample_weight_equivalence_on_dense_data": "folds are drawn over rows: a doubled row is not a weight of 2",
    "check_class_weight_classifiers": "weights shape the fit; calibration gives probabilities of the rows as they are",
}


@parametrize_with_checks(
    [NaturalnessClassifier(**QUICK), NaturalnessRegressor(**QUICK), FeatureExtractor()],
    expected_failed_checks=lambda estimator: NOT_OURS,
)
def test_scikit_learn_conventions(estimator: Any, check: Any) -> None:
    """The estimators pass all of scikit-learn's checks that apply."""
    check(estimator)


ROWS = sentences(60)
TEXTS = [text for text, _, _ in ROWS]
RATINGS = np.array([rating for _, rating, _ in ROWS], dtype=float)
LABELS = np.where(RATINGS >= 4, "natural", "unnatural")
SOURCES = [source for _, _, source in ROWS]
GROUPS = ["surface", "lexical", "repetition", "dependency"]


@pytest.fixture(scope="module")
def classifier() -> NaturalnessClassifier:
    """Return a classifier fitted on texts."""
    model = NaturalnessClassifier(features=GROUPS, labels=["unnatural", "natural"], **QUICK)
    return model.fit(TEXTS, LABELS, groups=SOURCES)


def test_texts_docs_and_tables_are_the_same(classifier: NaturalnessClassifier) -> None:
    """Texts, their Docs and the table of their features give the same model."""
    docs = parse(TEXTS)
    table = FeatureExtractor(GROUPS).fit_transform(docs)
    labels = ["unnatural", "natural"]
    by_docs = NaturalnessClassifier(features=GROUPS, labels=labels, **QUICK)
    by_docs.fit(docs, LABELS, groups=SOURCES)
    by_table = NaturalnessClassifier(labels=labels, **QUICK).fit(table, LABELS, groups=SOURCES)
    expected = classifier.predict_proba(TEXTS)
    for proba in (by_docs.predict_proba(docs), by_table.predict_proba(table)):
        np.testing.assert_array_equal(proba, expected)


def test_labels_probabilities_and_decisions_agree(classifier: NaturalnessClassifier) -> None:
    """Labels, probabilities and decisions agree on new sentences; a text that cannot be judged has no label."""
    rows = sentences(40, seed=5)
    texts, truth = [r[0] for r in rows], [r[1] >= 4 for r in rows]
    labels = classifier.predict(texts)
    assert np.mean((labels == "natural") == truth) > 0.75
    proba = classifier.predict_proba(texts)
    assert classifier.classes_.tolist() == ["natural", "unnatural"]  # as scikit-learn sorts them
    assert ((proba[:, 0] >= 0.5) == (labels == "natural")).all()
    assert ((classifier.decision_function(texts) > 0) == (labels == "unnatural")).all()
    np.testing.assert_allclose(classifier.naturalness(texts), proba[:, 0])
    assert np.isnan(classifier.predict_proba(["", "A plain sentence."])).tolist() == [[True, True], [False, False]]
    with pytest.raises(TrainingError, match=r"X\[1\] cannot be judged"):
        classifier.predict(["A plain sentence.", "..."])


@pytest.mark.parametrize("order", [None, ["unnatural", "natural"], ["natural", "unnatural"]])
def test_order_of_labels(order: Any) -> None:
    """Naturalness is the probability of the label named as better; the order of labels changes nothing else."""
    model = NaturalnessClassifier(features=GROUPS, labels=order, **QUICK)
    scores = cross_val_score(model, parse(TEXTS), LABELS, cv=3, scoring="roc_auc")
    assert scores.mean() > 0.7
    model.fit(TEXTS, LABELS)
    up = np.corrcoef(model.naturalness(TEXTS), RATINGS)[0, 1]
    assert up < -0.5 if order == ["natural", "unnatural"] else up > 0.5


def test_labels_of_unknown_order_have_no_naturalness() -> None:
    """Labels of unknown order can be predicted but have no naturalness."""
    model = NaturalnessClassifier(features=["surface"], **QUICK)
    model.fit(TEXTS, np.where(RATINGS >= 4, "fine", "broken"))
    assert set(model.predict(TEXTS)) <= {"fine", "broken"}
    with pytest.raises(TrainingError, match=r"cannot tell which of .* is better"):
        model.naturalness(TEXTS)


def test_three_classes_keep_their_order() -> None:
    """The naturalness of three ordered labels is the expected rank."""
    labels = np.where(RATINGS >= 5, "natural", np.where(RATINGS >= 3, "not sure", "unnatural"))
    order = ["unnatural", "not sure", "natural"]
    model = NaturalnessClassifier(features=GROUPS, labels=order, **QUICK).fit(TEXTS, labels)
    proba = model.predict_proba(TEXTS)
    assert proba.shape == (60, 3)
    ranks = [order.index(label) / 2 for label in model.classes_]
    np.testing.assert_allclose(model.naturalness(TEXTS), proba @ ranks)
    assert set(model.predict(TEXTS)) <= set(order)
    assert np.corrcoef(model.naturalness(TEXTS), RATINGS)[0, 1] > 0.3


def test_ratings() -> None:
    """Predicted ratings are on the scale of the training ratings; naturalness is the position on it."""
    model = NaturalnessRegressor(features=GROUPS, **(QUICK | {"scale": np.array([1, 5])})).fit(TEXTS, RATINGS)
    assert np.corrcoef(model.predict(TEXTS), RATINGS)[0, 1] > 0.5
    np.testing.assert_allclose(model.naturalness(TEXTS), np.clip((model.predict(TEXTS) - 1) / 4, 0, 1))
    for scale in ((0, np.inf), (5, 1), (1, 2, 3), "1,5"):
        with pytest.raises(TrainingError, match="expected two finite numbers, the lower one first"):
            NaturalnessRegressor(features=GROUPS, **(QUICK | {"scale": scale})).fit(TEXTS, RATINGS)


@pytest.mark.parametrize("threshold", [0.0, 0.5, 1.0, "accuracy"])
def test_threshold(threshold: float | str) -> None:
    """The better label is predicted at or above the threshold."""
    model = NaturalnessClassifier(features=GROUPS, threshold=threshold, **QUICK)
    model.fit(TEXTS, RATINGS >= 4)
    expected = model.predict_proba(TEXTS)[:, 1] >= model.threshold_
    assert (model.predict(TEXTS) == expected).all()
    assert threshold != 0.0 or model.predict(TEXTS).all()


@pytest.mark.slow
def test_elimination_leaves_columns_out() -> None:
    """After elimination, scores depend on the selected columns only."""
    table = FeatureExtractor(GROUPS).fit_transform(TEXTS)
    model = NaturalnessClassifier(select="rfe", **QUICK).fit(table, LABELS)
    columns = model.fitted_.elimination.columns
    assert 1 <= len(columns) < table.shape[1]
    changed = table.copy()
    others = [i for i in range(table.shape[1]) if i not in set(columns.tolist())]
    changed[:, others] = 7.0
    np.testing.assert_array_equal(model.predict_proba(changed), model.predict_proba(table))


@pytest.mark.slow
def test_elimination_does_not_flatter_held_out_rows() -> None:
    """On random labels, the figure from held-out rows is near chance: columns are chosen without these rows."""
    means = []
    for seed in range(4):
        random = np.random.default_rng(seed)
        table, labels = random.normal(size=(80, 40)), random.integers(0, 2, 80)
        model = NaturalnessClassifier(learner="logistic-l2", select="rfe", folds=4).fit(table, labels)
        means.append(model.fitted_.choice.score)
    assert np.mean(means) < 0.58


def test_works_inside_scikit_learn() -> None:
    """Estimators work in pipelines, grid search and clones."""
    piped = make_pipeline(FeatureExtractor(["surface", "lexical"]), StandardScaler())
    assert piped.fit_transform(TEXTS).shape[0] == 60
    search = GridSearchCV(
        NaturalnessClassifier(features=GROUPS, folds=2),
        {"learner": ["logistic-l2", "logistic-l1"]},
        cv=2,
        scoring="roc_auc",
    )
    search.fit(parse(TEXTS), LABELS == "natural")
    assert search.best_score_ > 0.6
    twin = clone(NaturalnessClassifier(features=GROUPS, parameters={"C": 0.1}))
    assert twin.get_params()["parameters"] == {"C": 0.1}
    frame = FeatureExtractor(["surface"]).set_output(transform="default").fit(TEXTS)
    assert frame.get_feature_names_out()[0] == "surface__n_characters"


MISTAKES: list[tuple[dict[str, Any], Any, Any, type[Exception], str]] = [
    ({}, [], [], TrainingError, "found 0 texts"),
    ({}, TEXTS, ["natural"] * 60, TrainingError, "only 1 class"),
    ({"learner": "oracle"}, TEXTS, LABELS, UnknownName, "unknown learner 'oracle'"),
    ({"select": "best"}, TEXTS, LABELS, UnknownName, "unknown selection"),
    ({"threshold": "luck"}, TEXTS, LABELS, UnknownName, "metric for the threshold"),
    ({"class_weight": "balancd"}, TEXTS, LABELS, TrainingError, "expected 'balanced' or None"),
    ({"threshold": 7.0}, TEXTS, LABELS, TrainingError, "expected 0 to 1"),
    ({"threshold": 0.9}, TEXTS, ["a", "b", "c"] * 20, TrainingError, "is for two labels, and y has 3"),
    (
        {"learner": "rbf-svm", "parameters": {"kernel": "linear"}},
        TEXTS,
        LABELS,
        TrainingError,
        "use the names of its grid",
    ),
    ({"labels": ["a", "b"]}, TEXTS, LABELS, TrainingError, "expected those of `labels`"),
    ({}, [*TEXTS[:59], ""], LABELS, TrainingError, r"X\[59\] \(empty text\)"),
]


@pytest.mark.parametrize(("parameters", "X", "y", "error", "match"), MISTAKES)
def test_mistakes_are_named(parameters: dict[str, Any], X: Any, y: Any, error: type[Exception], match: str) -> None:
    """Each mistake raises an error that says what was found and what to do."""
    model = NaturalnessClassifier(**{"features": ["surface"], "learner": "logistic-l2", **parameters})
    with pytest.raises(error, match=match):
        model.fit(X, y)


def test_unfitted_estimators() -> None:
    """An estimator that is not fitted raises the error that scikit-learn expects."""
    for use in (NaturalnessClassifier.naturalness, save_estimator):
        with pytest.raises(NotFittedError):
            use(NaturalnessClassifier(), "model")


def test_groups_are_checked() -> None:
    """A wrong number of groups is an error; rows without a group stand alone."""
    model = NaturalnessClassifier(features=["surface"], **QUICK)
    with pytest.raises(TrainingError, match="2 groups for 60 rows"):
        model.fit(TEXTS, LABELS, groups=[1, 2])
    model.fit(TEXTS, LABELS, groups=[None] * 60)


def test_extractor(tmp_path: Path) -> None:
    """The extractor returns the measured features, and NaN for texts that cannot be judged, with or without a store."""
    texts = [*TEXTS[:3], "", "!!!"]
    expected = measure(texts, GROUPS, nlp="en").table
    assert np.isnan(expected[3:]).all() and not np.isnan(expected[:3]).all(axis=1).any()
    for store in (None, tmp_path / "store", tmp_path / "store"):
        extractor = FeatureExtractor(GROUPS, store=store).fit(texts)
        np.testing.assert_array_equal(extractor.transform(texts), expected)
        np.testing.assert_array_equal(extractor.transform(texts[3:4]), expected[3:4])


def test_fits_on_tables_and_texts() -> None:
    """An estimator predicts from what it was fitted on last, texts or tables, and refuses the other."""
    table = FeatureExtractor(["surface"]).fit_transform(TEXTS)
    model = NaturalnessClassifier(features=["surface"], **QUICK).fit(table[:, :4], LABELS)
    with pytest.raises(TrainingError, match="fitted on a table of numbers"):
        model.predict_proba(TEXTS)
    model.fit(TEXTS, LABELS)
    assert model.predict_proba(TEXTS).shape == (60, 2)
    with pytest.raises(TrainingError, match="fitted on texts"):
        model.predict_proba(table)
    with pytest.raises(NaturalnessError, match="needs no extractor"):
        FeatureExtractor().fit(table)
    with pytest.raises(NaturalnessError, match=r"list of texts or parsed Docs, found \[None\];"):
        FeatureExtractor().fit([None])


def test_rows_of_weight_0() -> None:
    """A row of weight 0 does not extend the scale of ratings."""
    table = FeatureExtractor(["surface"]).fit_transform(TEXTS)
    ratings, weight = table[:, 0] % 5, np.ones(len(TEXTS))
    ratings[-1], weight[-1] = 1000.0, 0.0
    model = NaturalnessRegressor(**QUICK).fit(table, ratings, sample_weight=weight)
    assert model.scale_ == (ratings[:-1].min(), ratings[:-1].max())


@pytest.mark.parametrize("learner", ["logistic-l2", "random-forest", "xgboost"])
@pytest.mark.parametrize("estimator", [NaturalnessClassifier, NaturalnessRegressor])
def test_scikit_learn_eliminates_features(estimator: Any, learner: str) -> None:
    """scikit-learn's `RFE` finds the informative column among gaps and noise by the learner's importances."""
    rng = np.random.default_rng(0)
    table = rng.normal(size=(60, 4))
    table[::7, 1] = np.nan
    target = (table[:, 2] > 0).astype(int)
    search = RFE(estimator(learner=learner, folds=2), n_features_to_select=1).fit(table, target)
    assert search.support_.tolist() == [False, False, True, False]
    fitted = estimator(learner=learner, folds=2).fit(table, target)
    assert fitted.feature_importances_.sum() == pytest.approx(1)


def test_learners_without_importances() -> None:
    """A learner without importances lacks the attribute, which scikit-learn tests with `hasattr`."""
    table = np.random.default_rng(0).normal(size=(40, 2))
    fitted = NaturalnessRegressor(learner="rbf-svm", folds=2).fit(table, table[:, 0])
    assert not hasattr(fitted, "feature_importances_")
