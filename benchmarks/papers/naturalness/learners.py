"""Every learner on every set, beside what needs no knowledge of language, and single features.

Labels are learned, on two thirds of the texts, in ten fresh splits (seed 0). A learner's parameters
are chosen by five folds within the training part of the first split and kept for the other nine;
calibration and threshold (for weighted F1) come from five folds in every split.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path

from benchmarks.papers.naturalness.kept import Kept, identity
from benchmarks.papers.naturalness.sets import ENTRIES, read
from naturalness.models.learners.table import LEARNERS
from naturalness.pipelines.baselines import strongest
from naturalness.pipelines.evaluation import Job, Protocol, Result, run_job
from naturalness.pipelines.fitting import Settings
from naturalness.pipelines.learning import Rated
from naturalness.resources import has_package

PROTOCOL = Protocol()
BASELINES = ("majority", "length alone", "tf-idf")
FEW = ("logistic-l2", "rbf-svm", "random-forest")
"""Learners on a set that is there to show a leak."""
FROM_RATINGS = ("logistic-l2", "rbf-svm")
"""Learners that are also taught the ratings themselves, where means of several are there."""
DEEP, DEEP_SET, DEEP_REPEATS = "bigru", "SFHOTEL + SFREST", 3
SINGLE: Mapping[str, str] = {
    "perplexity of the language model": "word_lm__perplexity",
    "score of the language model": "word_lm__score",
    "probability by the reranker": "constituency__reranker_logprob",
    "probability by the parser": "constituency__parser_logprob",
}
"""The features that the paper shows alone, by our names; our chart parser stands for a reranker."""
ALONE = "neighbours"
BEST, BEST_BASELINE = "the best of ours (logistic regression)", "best single feature"
Results = dict[str, Result]


def learners_of(name: str) -> list[str]:
    """The learners that a set is learned by; `auto` chooses among three of them."""
    if name == "Lau BNC, plain random":
        return list(FEW)
    return [n for n, entry in LEARNERS.items() if not entry.reads]


def every_learner(name: str, data: Rated, kept: Kept) -> Results:
    """Results of baselines and learners on a set, by name."""
    found = {n: _kept(name, data, kept, n, Settings(), baseline=True) for n in BASELINES}
    for learner in learners_of(name):
        found[learner] = _kept(name, data, kept, learner, Settings(learner=learner))
    if ENTRIES[name].graded:
        graded = replace(data, rates=True)
        for learner in FROM_RATINGS:
            title = f"{learner}, taught the ratings"
            found[title] = _kept(name, graded, kept, learner, Settings(learner=learner))
    return found


def deep(ratings: Path, work: Path | None, kept: Kept) -> Result | None:
    """The paper's deep baseline on one set; None where torch is missing and nothing is kept."""
    there = has_package("torch")
    if work is None and not there:
        return None
    data = read(ratings, ENTRIES[DEEP_SET], work, [LEARNERS[DEEP].reads])
    protocol = replace(PROTOCOL, repeats=DEEP_REPEATS)
    settings = Settings(learner=DEEP)

    what, key = f"{DEEP_SET}, {DEEP}", _key(data, protocol, settings, DEEP)
    if not there and not kept.has(what, key):
        return None
    return Result(DEEP, tuple(kept(what, key, lambda: _runs(data, protocol, settings))))


def single_features(name: str, data: Rated, kept: Kept) -> tuple[Results, dict[str, int]]:
    """k nearest neighbours over one feature, and logistic regression over the one that says most
    about each training part: also how often which that was.
    """
    found: Results = {}
    for title, column in SINGLE.items():
        one = data.with_columns([data.columns.index(column)])
        found[title] = _kept(f"{name}, {title}", one, kept, ALONE, Settings(learner=ALONE))
    found[BEST] = _kept(name, data, kept, BEST_BASELINE, Settings(), baseline=True)
    chosen: list[int] = kept(
        f"{name}, {BEST}", [identity(data), asdict(PROTOCOL)],
        lambda: [strongest(data.part(train)) for train, _ in PROTOCOL.splits(data)],
    )  # fmt: skip
    counted = Counter(data.columns[place] for place in chosen)
    return found, dict(counted.most_common())


def _kept(
    name: str, data: Rated, kept: Kept, what: str, settings: Settings, *, baseline: bool = False
) -> Result:
    made = kept(
        f"{name}, {what}", _key(data, PROTOCOL, settings, what),
        lambda: _baseline(data, what) if baseline else _runs(data, PROTOCOL, settings),
    )  # fmt: skip
    return Result(what, tuple(made))


def _key(data: Rated, protocol: Protocol, settings: Settings, what: str) -> object:
    return [identity(data), asdict(protocol), asdict(settings), what]


def _baseline(data: Rated, what: str) -> list[dict[str, float]]:
    splits = PROTOCOL.splits(data)
    jobs = [Job(what, True, Settings(), number) for number in range(len(splits))]
    return [dict(run_job(data, PROTOCOL, splits, job).figures) for job in jobs]


def _runs(data: Rated, protocol: Protocol, settings: Settings) -> list[dict[str, float]]:
    """Figures of each split; the parameters of the first are kept."""
    splits, runs = protocol.splits(data), []
    for number in range(len(splits)):
        done = run_job(data, protocol, splits, Job(settings.learner, False, settings, number))
        runs.append(dict(done.figures))
        settings = replace(settings, parameters=dict(done.parameters))
    return runs
