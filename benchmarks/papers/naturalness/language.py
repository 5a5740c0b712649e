"""News against Wikipedia against all registers: three language models of equally many words.

The models are made by `train_language_model`, which is what `naturalness lm train` calls, with its
defaults (words, order 5, no pruning). Each is judged alone, by Spearman's correlation of its scores
with ratings, and as columns of a classifier in place of those of the shipped n-gram models of words
and pieces; without both networks, which know more than any of them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.papers.naturalness.cache import Cache, identity
from benchmarks.papers.naturalness.learners import run_learner
from benchmarks.papers.naturalness.sets import ENTRIES, read
from benchmarks.papers.naturalness.transfer import Figure, judged
from naturalness.features import column_names, resolve
from naturalness.features.base import column_prefix
from naturalness.models.language.store import read_manifest
from naturalness.models.language.training.estimating import Estimating
from naturalness.models.language.training.train import Recipe, train_language_model
from naturalness.pipelines.evaluation import Protocol, Result
from naturalness.pipelines.fitting import Settings
from naturalness.pipelines.learning import Rated
from training.language.corpora import REGISTERS, sentences

WORDS = 1_800_000
"""Of each model: nearly all the news there is."""
SOURCES: Mapping[str, tuple[str, ...]] = {
    "news": ("news", "wikinews"),
    "wikipedia": ("wikipedia",),
    "all-registers": REGISTERS,
}
SEED = 0
ALONE = ("slor", "nce", "score")
SETS = ("SFHOTEL + SFREST", "GUG", "Lau BNC, by source", "style transfer")
OUT = ("word_lm", "piece_lm", "neural_lm", "damage")
"""Groups that are left out where the models are columns."""
NONE = "no language model"
SHIPPED = "word_lm"
LEARNER = "logistic-l2"


@dataclass(frozen=True, slots=True)
class Compared:
    """What one set says of the models."""

    alone: dict[str, dict[str, Figure]]
    """By model, then by score."""
    columns: dict[str, Result]
    """By what the classifier reads."""


def lines(corpora: Path, registers: tuple[str, ...], words: int) -> Iterator[str]:
    """Sentences of registers, at random (seed 0), as many words of each, or all that it has; what
    one has too little of, the others give.
    """
    counted = {}
    for register in registers:
        texts = list(sentences(corpora, register))
        random.Random(f"{SEED} {register}").shuffle(texts)
        counted[register] = [(line, line.count(" ") + 1) for line in texts]
    left, waiting = words, sorted(counted, key=lambda r: sum(n for _, n in counted[r]))
    for i, register in enumerate(waiting):
        share = left / (len(waiting) - i)
        taken = 0
        for line, n in counted[register]:
            if taken + n > share:
                break
            taken += n
            yield line
        left -= taken


def make_models(corpora: Path, work: Path) -> dict[str, dict[str, Any]]:
    """The models' folders under ``work``, made where they are not there; what they are made of."""
    summaries = {}
    for name, registers in SOURCES.items():
        folder = work / name
        if not (folder / "manifest.json").exists():
            work.mkdir(parents=True, exist_ok=True)
            recipe = Recipe(estimating=Estimating(arpa=False, tool="own"))
            train_language_model(lines(corpora, registers, WORDS), folder, recipe, force=True)

        summaries[name] = dict(read_manifest(folder).training)
    return summaries


def compared(name: str, ratings: Path, work: Path, models: Path, how: Protocol, cache: Cache) -> Compared:
    """The models on one set."""
    whole = read(ratings, ENTRIES[name], work)
    groups = {model: f"lm:{models / model}" for model in SOURCES}
    rated = read(ratings, ENTRIES[name], work, list(groups.values()))
    prefixes = {SHIPPED: SHIPPED, **{m: column_prefix(g) for m, g in groups.items()}}
    table = replace(whole, table=np.hstack([whole.table, rated.table]), columns=whole.columns + rated.columns)
    alone = {
        model: {
            score: cache(
                f"{name}, {model}, {score}",
                identity(_with_column(table, f"{prefix}__{score}")),
                lambda column=f"{prefix}__{score}": _alone(_with_column(table, column)),
            )["spearman"]
            for score in ALONE
        }
        for model, prefix in prefixes.items()
    }
    base = [g.name for g in resolve(None) if g.name not in OUT]
    rest = [table.columns.index(column) for column in column_names(resolve(base))]
    settings = Settings(learner=LEARNER)
    columns = {NONE: run_learner(name, table.with_columns(rest), how, cache, settings)}
    for model, prefix in prefixes.items():
        more = [i for i, column in enumerate(table.columns) if column.startswith(f"{prefix}__")]
        part = table.with_columns([*rest, *more])
        columns[model] = run_learner(f"{name}, {model}", part, how, cache, settings)
    return Compared(alone, columns)


def _with_column(data: Rated, column: str) -> Rated:
    return data.with_columns([data.columns.index(column)])


def _alone(data: Rated) -> Any:
    """Correlation with its interval; a text without words has no score and is left out."""
    known = data.part(np.flatnonzero(~np.isnan(data.table[:, 0])))
    values = known.table[:, 0]
    return judged(values, (values >= np.median(values)).astype(np.int64), known)
