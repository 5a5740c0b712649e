"""The evaluation protocol: train on part of the texts, judge the rest, and repeat with fresh splits.

All texts of a source are on the same side of each split, also in the splits for tuning. Every figure is reported as the
mean over the splits with the standard deviation. The final model is fitted to all texts.

Simple models, called baselines, are judged on the same splits; a trained model has to beat them. Of the baselines, only
SLOR and the shipped model know anything about language in general. If the shipped model is better than the trained one,
training was not worthwhile.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.errors import TrainingError, WorkerLost
from naturalness.features.selected import BETWEEN
from naturalness.judging.model import DEFAULT_MODEL
from naturalness.models.learners.differences import pair_accuracy
from naturalness.models.learners.table import ADAPTED, Parameters, learners_named
from naturalness.pages.formats import enumeration
from naturalness.pipelines.fitting import Settings, check_selection
from naturalness.pipelines.learning import Learned, Rated, check_learnable, learn
from naturalness.pipelines.warm_start import shipped, start_for
from naturalness.progress import Progress, silent
from naturalness.statistics.folds import Split, folds, fresh_splits
from naturalness.statistics.measures import figures, known_deviation, known_mean, mean_order

Judged = tuple[FloatArray, IntArray]
Baseline = Callable[[Rated, Rated, Settings], Judged]
"""A function of training texts, test texts and settings: the naturalness of the test texts, and their labels."""
SIMPLE = "logistic-l2"
"""The learner of baselines that learn from columns."""
SLOR = "word_lm__slor"
SHIPPED_MODEL = "shipped model"


def majority(train: Rated, test: Rated, settings: Settings) -> Judged:
    """Predict the most frequent label, and the same score for all texts."""
    known = train.labels[train.labels >= 0]
    most = int(np.bincount(known, minlength=len(train.classes)).argmax())
    return np.full(len(test), 0.5), np.full(len(test), most, dtype=np.int64)


def slor(train: Rated, test: Rated, settings: Settings) -> Judged:
    """Score texts by SLOR based on word n-grams, which needs no ratings (Kann et al. 2018)."""
    return test.table[:, test.columns.index(SLOR)], np.zeros(len(test), dtype=np.int64)


def length(train: Rated, test: Rated, settings: Settings) -> Judged:
    """Learn from the numbers of characters and words, and from their squares, by logistic or ridge regression."""
    return learn(_lengths(train), replace(settings, learner=SIMPLE, select="none")).judge(_lengths(test).table)


def _lengths(data: Rated) -> Rated:
    counts = np.log1p([[len(text), len(text.split())] for text in data.texts])
    columns = ("characters", "words", "characters squared", "words squared")
    return replace(data, table=np.hstack([counts, counts**2]), columns=columns)


def shipped_model(train: Rated, test: Rated, settings: Settings) -> Judged:
    """Score texts by the shipped default model; labels follow from cuts that give each label the same share as in
    the training part.
    """
    scores, known = _shipped_scores(test), train.labels[train.labels >= 0]
    shares = np.cumsum(np.bincount(known, minlength=len(train.classes)))[:-1] / max(len(known), 1)
    cuts = np.quantile(_shipped_scores(train), shares)
    return scores, np.searchsorted(cuts, scores, side="right").astype(np.int64)


def _shipped_scores(data: Rated) -> FloatArray:
    model = shipped()
    numbers = {name: i for i, name in enumerate(data.columns)}
    values = model.compiled.decide(data.table[:, [numbers[name] for name in model.columns]])
    assert model.interpretation is not None
    return model.interpretation.naturalness(values)


def without_shipped(data: Rated) -> str:
    """Return the reason why the shipped model cannot be judged on these texts; empty if it can."""
    model = shipped()
    if not data.texts:
        return "it is not judged, since only numbers are known here, not the texts"
    if model.knows(data.texts):
        share = model.seen.share(data.texts)
        return f"it is not judged, since it was trained on {share:.0%} of these texts"
    here = set(data.columns)
    missing = dict.fromkeys(column.partition(BETWEEN)[0] for column in model.columns if column not in here)
    if missing:
        return (
            f"it is not judged, since it reads features of {enumeration(list(missing))} that were not measured here; "
            f"add {DEFAULT_MODEL} to `features`"
        )
    return ""


def baselines_for(data: Rated) -> dict[str, Baseline]:
    """Return the baselines that suit the target and whose columns and texts are available."""
    baselines: dict[str, Baseline] = {}
    if data.pairs is None:
        baselines["majority"] = majority
    if data.texts:
        baselines["length alone"] = length
    if data.pairs is not None and SLOR in data.columns:
        baselines["SLOR"] = slor
    if not without_shipped(data):
        baselines[SHIPPED_MODEL] = shipped_model
    return baselines


HEADLINES = {
    "weighted_f1": "weighted F1",
    "accuracy": "accuracy",
    "roc_auc": "ROC AUC",
    "spearman": "Spearman",
    "spearman_given_length": "given length",
    "pearson": "Pearson",
    "pair_accuracy": "pairs ordered correctly",
    "within_sources": "pairs of a source",
    "within_sources_not_shorter": "better not shorter",
    "mean_order": "both orders",
}
"""The figures shown in tables, with their titles."""
FIGURE_TITLES = {**HEADLINES, "spearman_labels": "Spearman of the labels"}
"""The titles of all figures; a figure that is not listed is shown under its name."""
CHANCE = {"spearman": 0.0, "roc_auc": 0.5, "pair_accuracy": 0.5, "mean_order": 0.0}
"""The figures by which models are compared, with their values for random scores."""


def chief_figure(data: Rated) -> str:
    """Return the figure by which models are compared: for ratings, the rank correlation; for pairs, the share of
    correctly ordered pairs; for labels, ROC AUC; for ratings and labels of several texts of a source, `mean_order`.
    """
    if data.versions:
        return "mean_order"
    return {"ratings": "spearman", "pairs": "pair_accuracy", "labels": "roc_auc"}[data.learned]


def shown_figures(results: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Return the `HEADLINES` that the results contain, with their titles."""
    first: Mapping[str, Any] = next(iter(results.values()), {})
    return {name: title for name, title in HEADLINES.items() if name in first}


def values_or_chance(runs: Sequence[Mapping[str, float | None]], figure: str) -> FloatArray:
    """Return a figure of `CHANCE` in each split. A figure that is undefined (None or NaN), since all scores or all
    ratings of the split are equal, counts as chance.
    """
    values = np.array([run[figure] for run in runs], dtype=np.float64)
    return np.where(np.isnan(values), CHANCE[figure], values)


@dataclass(frozen=True, slots=True)
class Protocol:
    """The settings with which results are measured."""

    repeats: int = 10
    test_size: float = 1 / 3
    outer_folds: int = 0
    """The number of cross-validation folds; 0 for repeated random splits."""
    threshold: str | float = "weighted_f1"
    seed: int = 0

    def splits(self, data: Rated) -> list[Split]:
        """Return the splits of these texts."""
        # Rows without a label are only ranked; for stratification they count as the most frequent class.
        usual = np.bincount(data.labels[data.labels >= 0], minlength=1).argmax()
        labels = np.where(data.labels < 0, usual, data.labels).astype(np.float64)
        target = labels if data.n_classes else data.target
        if self.outer_folds:
            return folds(target, data.n_classes, data.groups, self.outer_folds, self.seed)
        return fresh_splits(
            target, data.n_classes, data.groups, repeats=self.repeats, test_size=self.test_size, seed=self.seed
        )


@dataclass(frozen=True, slots=True)
class Result:
    """The figures of a recipe or baseline in each split."""

    name: str
    runs: tuple[Mapping[str, float], ...]
    chosen: tuple[str, ...] = ()
    naturalness: FloatArray | None = None
    """The naturalness of the texts tested in each split, (splits, n); NaN for the texts that were not tested."""

    def summary(self) -> dict[str, dict[str, float]]:
        """Return the mean and standard deviation of each figure, and the number of splits in which the figure is
        defined.
        """
        out = {}
        for figure in self.runs[0]:
            values = np.array([run[figure] for run in self.runs])
            out[figure] = {
                "mean": known_mean(values),
                "deviation": known_deviation(values),
                "defined": int((~np.isnan(values)).sum()),
            }
        return out


@dataclass(frozen=True, slots=True)
class SplitJob:
    """A recipe or baseline that is to be judged on one split."""

    name: str
    baseline: Baseline | None
    settings: Settings
    split: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a job."""

    job: SplitJob
    figures: Mapping[str, float]
    naturalness: FloatArray
    """The naturalness of the tested rows."""
    chosen: str = ""
    parameters: Parameters = field(default_factory=dict)
    """The parameters of the chosen learner."""


def run_job(data: Rated, protocol: Protocol, splits: Sequence[Split], job: SplitJob) -> Outcome:
    """Train on the training part of a split, and judge its test part."""
    train, test = (data.part(rows) for rows in splits[job.split])
    settings = replace(job.settings, seed=protocol.seed + job.split)
    chosen, parameters = "", {}
    if job.baseline is not None:
        naturalness, predicted = job.baseline(train, test, settings)
    else:
        learned = learn(train, settings, protocol.threshold)
        naturalness, predicted = learned.judge(test.table)
        chosen, parameters = learned.fitted.choice.learner, learned.fitted.choice.parameters
    return Outcome(job, figures_of(test, naturalness, predicted), naturalness, chosen, parameters)


def figures_of(test: Rated, naturalness: FloatArray, predicted: IntArray) -> dict[str, float]:
    """Return figures for the agreement of the scores, or of the predicted labels, with human ratings, labels or
    pairs.
    """
    if test.pairs is not None:
        return {"pair_accuracy": pair_accuracy(naturalness, test.pairs)}
    values = figures(naturalness, predicted, test.labels, test.graded, test.classes, test.lengths)
    within = {name: pair_accuracy(naturalness, pairs) for name, pairs in pairs_within_sources(test).items()}
    if within:
        overall = values["spearman" if test.rates else "roc_auc"]
        within["mean_order"] = mean_order(overall, within["within_sources"], rates=test.rates)
    return values | within


def pairs_within_sources(data: Rated) -> dict[str, IntArray]:
    """Return the pairs of texts of one source for each figure; an empty dictionary if sources have one text."""
    pairs = data.pairs_of_sources
    if pairs is None:
        return {}
    shorter = data.lengths[pairs[:, 0]] < data.lengths[pairs[:, 1]]
    return {"within_sources": pairs, "within_sources_not_shorter": pairs[~shorter]}


def evaluate(
    data: Rated,
    learners: Mapping[str, Settings],
    protocol: Protocol,
    *,
    baselines: Mapping[str, Baseline] | None = None,
    n_jobs: int = 1,
    progress: Progress = silent,
) -> dict[str, Result]:
    """Return the result of each baseline and recipe, keyed by name, baselines first.

    The results do not depend on the number of processes.
    """
    splits = protocol.splits(data)
    baselines = baselines_for(data) if baselines is None else baselines
    base = next(iter(learners.values()))  # baselines use the same folds and class weights as the first recipe
    recipes: list[tuple[str, Baseline | None, Settings]] = [
        *((name, baseline, base) for name, baseline in baselines.items()),
        *((name, None, settings) for name, settings in learners.items()),
    ]
    # Ordered by split, so that all recipes get their first results early.
    jobs = [SplitJob(*recipe, split) for split in range(len(splits)) for recipe in recipes]
    outcomes: list[Outcome] = []
    progress("evaluating", 0, len(jobs))
    for outcome in _in_processes(data, protocol, splits, jobs, n_jobs):
        outcomes.append(outcome)
        progress("evaluating", len(outcomes), len(jobs))
    results = {}
    for name, _, _ in recipes:
        runs = sorted((o for o in outcomes if o.job.name == name), key=lambda o: o.job.split)
        naturalness = np.full((len(splits), len(data)), np.nan)
        for outcome in runs:
            naturalness[outcome.job.split, splits[outcome.job.split][1]] = outcome.naturalness
        results[name] = Result(name, tuple(o.figures for o in runs), tuple(o.chosen for o in runs), naturalness)
    return results


def _in_processes(
    data: Rated, protocol: Protocol, splits: Sequence[Split], jobs: Sequence[SplitJob], n_jobs: int
) -> Iterator[Outcome]:
    from concurrent.futures.process import BrokenProcessPool

    from joblib import Parallel, delayed, parallel_config

    # One thread per process, because libraries that compete for cores slow each other down.
    with parallel_config("loky", inner_max_num_threads=1):
        pool = Parallel(n_jobs=n_jobs, return_as="generator_unordered", batch_size=1)
        try:
            yield from pool(delayed(run_job)(data, protocol, splits, job) for job in jobs)
        except BrokenProcessPool:
            raise WorkerLost from None


@dataclass(frozen=True, slots=True)
class Plan:
    """The recipe of a model, and the protocol by which it is evaluated."""

    settings: Settings
    protocol: Protocol
    n_jobs: int = 1

    @property
    def recipe(self) -> str:
        """The name of the recipe: the learner, and whether features are eliminated."""
        return self.settings.learner + " + elimination" * (self.settings.select == "rfe")


@dataclass(frozen=True, slots=True)
class Training:
    """The results of a training, with the model fitted on all texts."""

    data: Rated
    result: Result
    """The result of the recipe."""
    baselines: dict[str, Result]
    learned: Learned


def check_plan(data: Rated, plan: Plan) -> None:
    """Raise an error if nothing can be learned.

    Only the names of columns are needed, so this works before texts are measured.
    """
    settings = plan.settings
    pairs = data.pairs is not None
    learners_named(settings.learner, classes=not data.rates, pairs=pairs, versions=data.versions)
    check_selection(settings, pairs=pairs)
    if len(data.classes) > 2 and not isinstance(plan.protocol.threshold, str):
        raise TrainingError(
            f"the threshold (`threshold`) is for two labels, and these are {len(data.classes)}; leave it out"
        )
    check_learnable(data, settings.folds, plan.protocol.test_size)
    # With a named starting model, check that it suits the texts even if no learner is named.
    learner = ADAPTED if settings.origin is not None else settings.learner
    start_for(learner, data.columns, data.texts, settings.origin)


def evaluate_and_fit(data: Rated, plan: Plan, *, progress: Progress = silent) -> Training:
    """Evaluate the recipe and the baselines, and fit the model to all texts."""
    check_plan(data, plan)
    results = evaluate(data, {plan.recipe: plan.settings}, plan.protocol, n_jobs=plan.n_jobs, progress=progress)
    progress("fitting the model", 0, 1)
    learned = learn(data, plan.settings, plan.protocol.threshold)
    progress("fitting the model", 1, 1)
    return Training(data, results.pop(plan.recipe), results, learned)


def fingerprint(data: Rated) -> str:
    """Return a checksum of texts, labels, ratings and sources, by which a table can be recognised."""
    rows = [
        [text, int(label), None if rating != rating else float(rating), int(group)]
        for text, label, rating, group in zip(data.texts, data.labels, data.ratings, data.groups, strict=True)
    ]
    if data.pairs is not None:
        rows += data.pairs.tolist()
    return hashlib.sha256(json.dumps(rows, ensure_ascii=False).encode("utf-8", "replace")).hexdigest()
