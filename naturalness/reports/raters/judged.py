"""Rated texts, judged by models that were not trained on them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from naturalness.arrays import BoolArray, FloatArray, IntArray
from naturalness.errors import ModelError, TrainingError, damage_as
from naturalness.features import round_significant
from naturalness.judging.hashes import known_texts
from naturalness.judging.kind import KIND_FILE
from naturalness.judging.model import read_page
from naturalness.pipelines.evaluation import Protocol, fingerprint
from naturalness.pipelines.fitting import Settings
from naturalness.pipelines.learning import Learned, Rated, learn
from naturalness.pipelines.planning import plan_again
from naturalness.pipelines.scorer import NaturalnessModel
from naturalness.pipelines.summary import read_summary
from naturalness.statistics.folds import Split

FOLDS = 5
FIGURES = "metrics.json"
UNSEEN, OUT_OF_FOLD = "unseen", "out of fold"
Advance = Callable[[int, int], object]
"""A progress callback, called with the number done and the total."""


@dataclass(frozen=True, slots=True)
class JudgedTexts:
    """Texts with the labels given by raters and by models; arrays have one entry per text."""

    data: Rated
    """The rated texts. Their labels are indices into `data.classes`, which the models also predict; -1 if
    unlabelled.
    """
    naturalness: FloatArray
    """The predicted naturalness, 0..1; higher is more natural."""
    predicted: IntArray
    """The index of the predicted label of each text."""
    models: tuple[NaturalnessModel, ...]
    """The model that judged the texts or, after cross-fitting, the models of all folds."""
    judge: IntArray
    """The index in `models` of the model that judged each text."""
    rows: IntArray
    """The indices of the judged texts among all texts that were to be judged."""
    seen: int = 0
    """The number of texts left out because the model was trained on them."""

    @property
    def how(self) -> str:
        """How it was ensured that no model was trained on the texts that it judged: `UNSEEN` or `OUT_OF_FOLD`."""
        return OUT_OF_FOLD if len(self.models) > 1 else UNSEEN

    @property
    def known(self) -> BoolArray:
        """A mask of the labelled texts."""
        return self.data.labels >= 0

    @property
    def best(self) -> int:
        """The index of the best label."""
        return len(self.data.classes) - 1

    @property
    def wrong(self) -> BoolArray:
        """A mask of the texts whose predicted label differs from the raters' label."""
        out: BoolArray = self.known & (self.predicted != self.data.labels)
        return out

    @property
    def too_high(self) -> BoolArray:
        """A mask of the texts that get a better label than the raters gave; with two labels, they are falsely
        natural.
        """
        return self.wrong & (self.predicted > self.data.labels)

    @property
    def too_low(self) -> BoolArray:
        """A mask of the texts that get a worse label than the raters gave; with two labels, they are falsely
        unnatural.
        """
        return self.wrong & (self.predicted < self.data.labels)


@dataclass(frozen=True, slots=True)
class TrainingRecipe:
    """The settings with which a model was trained."""

    settings: Settings
    """The settings with the chosen learner, whose parameters are to be tuned again."""
    fixed: Settings
    """The settings with the chosen learner and parameters, without feature elimination."""
    threshold: str | float


def recipe_of(model: NaturalnessModel, data: Rated) -> TrainingRecipe | None:
    """Return the settings with which a model was trained on these texts; None if it was trained on others."""
    description = model.saved.description
    trained = description.training
    if not was_trained_on(model, data) or not isinstance(trained.get("settings"), dict):
        return None
    assert model.folder is not None  # the model was opened from a folder
    plan = plan_again(model.folder, trained, 1)
    settings = replace(plan.settings, learner=description.learner)
    fixed = replace(settings, parameters=dict(description.parameters), select="none")
    return TrainingRecipe(settings, fixed, plan.protocol.threshold)


def recorded_metrics(folder: Path) -> dict[str, Any]:
    """Return the metrics file that training wrote; empty if the folder has none."""
    page = read_page(folder, FIGURES)
    if page is None:
        return {}
    with damage_as(ModelError, folder / FIGURES, "train the model again"):
        return read_summary(page)


def was_trained_on(model: NaturalnessModel, data: Rated) -> bool:
    """Return whether this is the training table of a model."""
    return bool(model.saved.description.training.get("fingerprint") == fingerprint(data))


def unseen(data: Rated, model: NaturalnessModel) -> IntArray:
    """Return the row indices of the texts that the model was not trained on."""
    rows = [i for i, text in enumerate(data.texts) if not model.knows(text)]
    return np.array(rows, dtype=np.int64)


def all_seen(texts: int, table: str, model: NaturalnessModel) -> ModelError:
    """Return the error for a table whose texts were all used to train or adapt the model."""
    if KIND_FILE in model.saved.pages:
        return ModelError(f"the model was adapted to all {texts:,} texts of {table!r}; use texts that it has not seen")
    return ModelError(
        f"the model was trained on all {texts:,} texts of {table!r}, but with other labels or "
        "options: use those of training, texts it has not seen, or a model trained on the table"
    )


def check_judgeable(data: Rated, model: NaturalnessModel, table: str) -> None:
    """Raise an error, before anything is measured, if a model cannot be assessed on these texts.

    A table with the fingerprint of the training table passes, because it can be judged out of fold.
    """
    if was_trained_on(model, data):
        return
    if all(map(model.knows, data.texts)):
        raise all_seen(len(data), table, model)
    fresh = data.part(unseen(data, model))
    if fresh.pairs is None:
        with_labels_of(data, model.classes)
    elif not len(fresh.pairs):
        raise ModelError(
            f"the model was trained on a text of every pair of {table!r}; use pairs of texts that it has not seen"
        )


def judge(data: Rated, model: NaturalnessModel) -> tuple[Rated, FloatArray, IntArray]:
    """Return three results: the texts with their labels mapped to the model's labels, their naturalness, and the
    indices of the predicted labels.
    """
    data = with_labels_of(data, model.classes)
    naturalness, names = model.decide(data.table)
    labels = np.array([model.classes.index(name) for name in names], dtype=np.int64)
    if data.classes == REST_AND_BEST:
        labels = (labels == len(model.classes) - 1).astype(np.int64)
    return data, naturalness, labels


REST_AND_BEST = ("the rest", "the best")


def with_labels_of(data: Rated, classes: tuple[str, ...]) -> Rated:
    """Return the texts with their labels mapped to the model's labels.

    Labels are matched by name, ignoring case. If the names differ and there are two labels on both sides, they are
    matched by order; otherwise, the labels on both sides are reduced to the best label and the rest. Raise
    `TrainingError` if all texts have the same label and the model does not predict it.
    """
    numbers = {name.lower(): label for label, name in enumerate(classes)}
    names = [name.lower() for name in data.classes]
    present = {int(label) for label in np.unique(data.labels) if label >= 0}
    if all(names[label] in numbers for label in present):
        translated = np.array([numbers.get(name, -1) for name in names], dtype=np.int64)
        labels = np.where(data.labels >= 0, translated[data.labels], -1)
        return replace(data, labels=labels, classes=classes)
    if len(data.classes) == len(classes) == 2:
        return replace(data, classes=classes)
    if len(data.classes) < 2:
        raise TrainingError(
            f"the texts have only the label {data.classes[0]!r}, which this model does not predict; "
            f"it predicts {', '.join(classes)}"
        )
    best = len(data.classes) - 1
    labels = np.where(data.labels >= 0, (data.labels == best).astype(np.int64), -1)
    grades = data.graded if np.isnan(data.ratings).all() else None
    return replace(data, labels=labels, classes=REST_AND_BEST, grades=grades)


def judge_unseen(data: Rated, model: NaturalnessModel) -> JudgedTexts:
    """Judge the texts that the model was not trained on."""
    rows = unseen(data, model)
    fresh, naturalness, predicted = judge(data.part(rows), model)
    return JudgedTexts(
        fresh, naturalness, predicted, (model,), np.zeros(len(rows), dtype=np.int64), rows, seen=len(data) - len(rows)
    )


def judge_out_of_fold(
    data: Rated,
    model: NaturalnessModel,
    recipe: TrainingRecipe,
    *,
    n_jobs: int = 1,
    advance: Advance = lambda done, total: None,
) -> JudgedTexts:
    """Judge the texts of a model's own training table by cross-fitting.

    All texts of a source are in one fold. Parameters, calibration and threshold are fitted again for each fold.
    """
    splits = Protocol(outer_folds=FOLDS, seed=recipe.settings.seed).splits(data)
    naturalness, predicted = np.full(len(data), np.nan), np.zeros(len(data), dtype=np.int64)
    judges = np.zeros(len(data), dtype=np.int64)
    models = []
    advance(0, len(splits))
    learners = _learn_all(data, splits, recipe, n_jobs)
    for number, ((train, test), learner) in enumerate(zip(splits, learners, strict=True)):
        values, predicted[test] = learner.judge(data.table[test])
        naturalness[test], judges[test] = round_significant(values), number
        models.append(as_model(learner, model, [data.texts[i] for i in train]))
        advance(number + 1, len(splits))
    return JudgedTexts(data, naturalness, predicted, tuple(models), judges, np.arange(len(data), dtype=np.int64))


def _learn_all(data: Rated, splits: list[Split], recipe: TrainingRecipe, n_jobs: int) -> list[Learned]:
    """Return one model per split, trained on the training rows of the split."""
    if n_jobs == 1:
        return [learn(data.part(train), recipe.settings, recipe.threshold) for train, _ in splits]
    from joblib import Parallel, delayed, parallel_config

    with parallel_config("loky", inner_max_num_threads=1):
        learners: list[Learned] = Parallel(n_jobs=n_jobs, batch_size=1)(
            delayed(learn)(data.part(train), recipe.settings, recipe.threshold) for train, _ in splits
        )
    return learners


def as_model(learned: Learned, like: NaturalnessModel, texts: list[str]) -> NaturalnessModel:
    """Return the model of a fold, with the features of ``like``, in a form that can explain its predictions."""
    original = like.saved
    kind = "regressor" if learned.interpretation.rates else "classifier"
    description = replace(
        original.description,
        kind=kind,
        threshold=learned.interpretation.threshold,
        scale=learned.interpretation.scale if kind == "regressor" else original.description.scale,
        units=tuple(learned.compiled.kinds()),
        learner=learned.fitted.choice.learner,
        parameters=learned.fitted.choice.parameters,
    )
    background = replace(original.background, rows=learned.fitted.background)
    saved = replace(
        original, description=description, compiled=learned.compiled, seen=known_texts(texts), background=background
    )
    return NaturalnessModel(saved, like.name, folder=like.folder)
