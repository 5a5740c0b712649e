"""Train, evaluate and save a model on a table of rated texts, of labelled texts, or of pairs of texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from naturalness.data.formats import Location, location
from naturalness.errors import TrainingError
from naturalness.features import check_requirements, resolve
from naturalness.features.measuring import groups_for
from naturalness.files.folder import check_folder
from naturalness.files.store import MeasurementStore, as_store
from naturalness.judging.bundled import enclose
from naturalness.models.learners.table import ADAPTED, AUTO, LEARNERS
from naturalness.pipelines.evaluation import Plan, check_plan, evaluate_and_fit
from naturalness.pipelines.learning import Rated
from naturalness.pipelines.planning import make_plan
from naturalness.pipelines.rated import (
    LEFT_OUT,
    describe_reading,
    describe_store,
    measure_rated,
    rated_without_features,
    read_table,
    table_options,
)
from naturalness.pipelines.saving import save_training
from naturalness.pipelines.warm_start import groups_with_known_ratings, read_origin, without_ratings
from naturalness.progress import Progress, silent
from naturalness.text.parsing import DEFAULT_PIPELINE, pipeline_language

FIXED = {"class_weight": "balanced", "test_size": 1 / 3}
"""Settings that every training has, and records."""


def train(
    table: str | Path | Location,
    folder: str | Path,
    *,
    learner: str = "auto",
    start: str | None = None,
    features: Sequence[str] | None = None,
    select: str = "none",
    threshold: str | float = "weighted_f1",
    nlp: str | None = None,
    repeats: int = 10,
    folds: int = 5,
    seed: int = 0,
    jobs: int | None = None,
    store: MeasurementStore | str | Path | None = None,
    force: bool = False,
    progress: Progress = silent,
    note: Callable[[Iterable[str]], object] = lambda lines: None,
    **reading: Any,
) -> dict[str, Any]:
    """Train a model on a table, evaluate it, save it in a folder, and return its figures, as in its `metrics.json`.

    Parameters
    ----------
    table : a file of texts with labels or ratings, or of pairs of texts.
    folder : the folder of the model, which `load_model` opens.
    learner : a learner, as for `naturalness train --learner`.
    start : the model from which training starts: a folder, or the name of a shipped model.
    features : groups of features, or single columns; by default those of ``start``, or of the default model.
    select : ``"rfe"`` for recursive feature elimination, or ``"none"``.
    threshold : where natural begins: a number, or the metric that is to be best there.
    nlp : the name of a spaCy pipeline; by default that of ``start``, or the shipped one.
    repeats : the number of random splits by which the model is evaluated.
    folds : the number of folds by which parameters are tuned.
    seed : the seed of random numbers.
    jobs : the number of processes; one per core by default.
    store : a folder in which measured features are stored, so that no text is measured twice; None for no store.
    force : whether to replace an existing model.
    progress : a function that is called with a stage, the number of steps done and their total.
    note : a function that is called with lines that say how the table was read, and what the model lacks.
    **reading : options of the table, as for `naturalness train` (``rating_columns=["fluency"]``).
    """
    folder = Path(folder)
    check_folder(folder, force=force)
    options = table_options(reading)
    origin = None if start is None else read_origin(start)
    learner = learner if origin is None else _adapting(learner)
    settings = {
        **FIXED,
        "learner": learner,
        "select": select,
        "folds": folds,
        "seed": seed,
        "repeats": repeats,
        "threshold": threshold,
    }
    try:
        plan = make_plan(settings, jobs, origin)
    except ValueError as error:
        raise TrainingError(str(error)) from None
    where = table if isinstance(table, Location) else location(str(table), options["input_format"])
    rated = read_table(where, options)
    groups = groups_for(features or (origin.features if origin else None))
    notes = describe_reading(rated)
    if known := groups_with_known_ratings(groups, rated.texts):
        taught = "the shipped networks were trained on ratings of these texts"
        if features or origin:
            notes.append(f"{taught}; with {', '.join(known)}, figures are likely to be better than on new texts")
        else:
            groups = without_ratings(groups)
            replaced = "the narrow detector replaces the wide one, and features leave out the predicted rating"
            notes.append(f"{taught}; {replaced}")
    _check(rated_without_features(rated, groups), plan, notes)
    nlp = nlp or (origin.nlp if origin else DEFAULT_PIPELINE)
    check_requirements(resolve(groups), language=pipeline_language(nlp))
    store = as_store(store)
    enclosed = enclose([group.name for group in resolve(groups)])
    texts = measure_rated(rated, groups, nlp=nlp, store=store, progress=progress)
    notes += texts.notes
    note([*describe_store(store, texts.n_stored, len(rated.texts)), *notes])
    training = evaluate_and_fit(texts.usable_data, plan, progress=progress)
    record = {"notes": notes, "table": Path(where.path).name, "options": options, "settings": settings}
    figures = save_training(folder, training, plan, groups=groups, nlp=nlp, force=force, record=record)
    note(enclosed.elsewhere())
    return figures


def _adapting(learner: str) -> str:
    """Return the learner that starts from a named model; raise if the named learner cannot."""
    if learner == AUTO:
        return ADAPTED
    if learner in LEARNERS and not LEARNERS[learner].adapts:
        raise TrainingError(f"learner {learner!r} does not start from a model; leave out `learner`, or `start`")
    return learner


def _check(data: Rated, plan: Plan, notes: list[str]) -> None:
    """Raise if nothing can be learned; add a note on the pairs that are compared."""
    if (pairs := data.pairs_of_sources) is not None:
        notes.append(f"{len(pairs):,} pairs of texts of one source with different ratings are compared")
    try:
        check_plan(data, plan)
    except TrainingError as error:
        # Rows left out of the table may be the reason.
        unread = [line for line in notes if line.startswith(LEFT_OUT)]
        raise TrainingError("; ".join([str(error), *unread])) from None
