"""Mix n-gram models, with weights tuned on held-out text.

The weights of the linear interpolation are found by expectation maximisation (Jelinek & Mercer 1980): in each step, the
new weight of a model is its mean posterior probability over the units.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from naturalness.arrays import BoolArray, FloatArray
from naturalness.errors import CorpusError, ModelError
from naturalness.files.folder import check_folder, replace_folder
from naturalness.files.unfinished import unfinished_folder
from naturalness.models.language.ngram import NgramModel
from naturalness.models.language.spec import checksum_of, open_single
from naturalness.models.language.store import ENTRIES
from naturalness.models.language.training.corpus import stream_docs
from naturalness.models.language.training.train import Report
from naturalness.text.parsing import DEFAULT_PIPELINE
from naturalness.text.view import view
from naturalness_replication.language.folders import REPLACEABLE, Part, check_apart, named_from, write_mixture
from naturalness_replication.language.mixture import Mixture, combine, log_mean, who_counts

TOLERANCE = 1e-6
"""Convergence threshold: the algorithm stops when every weight changes by less than this in a step."""
STEPS = 10_000
MIN_WEIGHT = 1e-3
"""Minimum weight of a model, so that words that only this model knows do not get a probability of 0."""


class Component(NamedTuple):
    """One model in a mixture, with its weight and its figures on the tuning text."""

    spec: str
    weight: float
    perplexity: float
    """Perplexity including sentence ends; at least 1, lower is better. All unknown words count as a single frequent
    word, which lowers the perplexity of a model with a small vocabulary."""
    shared: float
    """Perplexity over only the units that all models know, for comparing models."""
    unknown: float
    """Share of units that the model does not know, 0 to 1, not counting sentence ends."""


class Tuned(NamedTuple):
    """A tuned mixture, with its figures on the tuning text."""

    components: tuple[Component, ...]
    perplexity: float
    """Perplexity of the mixture."""
    shared: float
    unknown: float
    texts: int
    units: int
    """Number of units including sentence ends."""


def mix_language_models(
    specs: Sequence[str],
    texts: Iterable[str],
    folder: Path,
    *,
    name: str = "",
    nlp: str = DEFAULT_PIPELINE,
    force: bool = False,
    report: Report = lambda stage, done, total: None,
) -> Tuned:
    """Write a mixture whose weights are tuned on held-out texts of one sentence each.

    ``specs`` are names or paths as in `open_language_model`; a mixture cannot be mixed again. Relative paths are stored
    as paths relative to ``folder``.
    """
    check_folder(folder, force=force, ours=REPLACEABLE, entries=ENTRIES)
    models = _open_different(specs)
    check_apart(folder, specs, "mixture")
    even = combine(models, [1 / len(models)] * len(models), name=name or folder.resolve().name)
    judgement = judge(even, texts, nlp=nlp, report=report)
    tuned = tune(specs, judgement)
    with unfinished_folder(folder) as scratch:
        target = scratch / "model"
        target.mkdir()
        parts = [Part(named_from(folder, part.spec, checksum_of(part.spec)), part.weight) for part in tuned.components]
        write_mixture(target, even.name, even.read.kind, parts, summary_of(tuned))
        replace_folder(folder, target)
    return tuned


def _open_different(specs: Sequence[str]) -> list[NgramModel]:
    """Open the models; raise `ModelError` if there are fewer than two, or if two are the same."""
    if len(specs) < 2:
        raise ModelError(f"found {', '.join(specs) or 'no model'}; expected two different models")
    models = [open_single(spec) for spec in specs]
    seen: dict[tuple[str, int], str] = {}
    for spec, model in zip(specs, models, strict=True):
        key = model.checksum, model.order
        if key in seen:
            raise ModelError(f"{seen[key]!r} and {spec!r} are the same model; expected two different models or more")
        seen[key] = spec
    return models


@dataclass(frozen=True, slots=True)
class Judgement:
    """Each model's scores of all units of the tuning text.

    *Shapes:* ``logprobs`` and ``unknown`` are (n_models, n_units), ``ends`` is (n_units,).
    """

    logprobs: FloatArray
    unknown: BoolArray
    ends: BoolArray
    texts: int


def judge(
    mixture: Mixture,
    texts: Iterable[str],
    *,
    nlp: str = DEFAULT_PIPELINE,
    report: Report = lambda stage, done, total: None,
) -> Judgement:
    """Return the scores that each model of a mixture gives to texts of one sentence each."""
    logprobs, unknown, ends = [], [], []
    n_texts = 0
    report("score", 0, 0)
    docs = stream_docs(texts, mixture.read.kind, nlp=nlp, advance=lambda done: report("score", done, done))
    for doc in docs:
        n_texts += 1
        parts = mixture.score_apart(view(doc))
        if parts[0].units:
            logprobs.append(np.array([part.logprobs for part in parts]))
            unknown.append(np.array([part.unknown for part in parts]))
            ends.append(parts[0].tokens < 0)
    if not logprobs:
        raise CorpusError(f"none of {n_texts} texts has a word; expected a sentence in each")
    return Judgement(np.hstack(logprobs), np.hstack(unknown), np.hstack(ends), n_texts)


def tune(specs: Sequence[str], judgement: Judgement) -> Tuned:
    """Return the maximum-likelihood weights of the models, with the figures of the mixture and of each model."""
    counted = who_counts(judgement.unknown)
    weights = best_weights(np.where(counted, judgement.logprobs, -np.inf))
    inner, shared = ~judgement.ends, ~judgement.unknown.any(axis=0)
    mixed = log_mean(judgement.logprobs, weights, counted)
    components = [
        Component(spec, weight, perplexity(logprobs), perplexity(logprobs[shared]), float(unknown[inner].mean()))
        for spec, weight, logprobs, unknown in zip(specs, weights, judgement.logprobs, judgement.unknown, strict=True)
    ]
    return Tuned(
        tuple(components),
        perplexity(mixed),
        perplexity(mixed[shared]),
        float(judgement.unknown[:, inner].all(axis=0).mean()),
        judgement.texts,
        mixed.size,
    )


def perplexity(logprobs: FloatArray) -> float:
    """Return the perplexity of natural log-probabilities; NaN for an empty array."""
    return math.exp(min(-float(logprobs.mean()), 700.0)) if logprobs.size else math.nan


def best_weights(logprobs: FloatArray) -> list[float]:
    """Return the maximum-likelihood weights of a mixture, each at least `MIN_WEIGHT`.

    *Shapes:* logprobs (n_models, n_units), -inf where a model does not contribute to a unit.
    """
    relative = np.exp(logprobs - logprobs.max(axis=0))
    weights = np.full(len(relative), 1 / len(relative))
    for _ in range(STEPS):
        shares = weights[:, None] * relative
        shares /= shares.sum(axis=0)
        before, weights = weights, shares.mean(axis=1)
        if np.abs(weights - before).max() < TOLERANCE:
            break
    weights = np.maximum(weights, MIN_WEIGHT)
    normalised: list[float] = (weights / weights.sum()).tolist()
    return normalised


def summary_of(tuned: Tuned) -> dict[str, Any]:
    """Return the figures of a mixture for its manifest; the models' paths are left out."""
    return {
        "tuned_on": {"texts": tuned.texts, "units": tuned.units},
        "components": [
            {"weight": c.weight, "perplexity": c.perplexity, "shared_perplexity": c.shared, "unknown": c.unknown}
            for c in tuned.components
        ],
        "perplexity": tuned.perplexity,
        "shared_perplexity": tuned.shared,
        "unknown": tuned.unknown,
    }
