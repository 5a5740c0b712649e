"""Collect the scores to compare: from metrics, models, and columns of a table.

If lower scores are better, their sign is reversed, so that a positive correlation always means agreement.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.errors import MissingPackage, NaturalnessError, TableError, installing
from naturalness.features.measuring import columns_hash
from naturalness.metrics.base import Metric, References, check_available
from naturalness.progress import Progress, silent
from naturalness.text.parsing import DEFAULT_PIPELINE, source_of

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from naturalness.pipelines.scorer import NaturalnessModel

BATCH = 32
"""The number of texts scored between two progress reports."""
OutOfFold = Mapping[str, Mapping[str, float]]
"""For `NaturalnessModel.name`, the naturalness of texts in the training data, by models that were trained without them.
The texts have no surrounding spaces."""


@dataclass(frozen=True, slots=True)
class Scored:
    """The scores of all texts by one metric, model or column, with facts about that scorer."""

    name: str
    scores: FloatArray
    """One score per text; the sign is reversed if lower scores are better. NaN if undefined."""
    signature: str
    higher_is_better: bool = True
    """Whether higher original scores are better; if not, the sign was reversed."""
    learned: bool = False
    """Whether the scores come from a model that was trained on ratings."""
    note: str = ""


def check_metrics(metrics: Sequence[Metric], references: References | None) -> None:
    """Raise an error if a metric is unavailable; called before any text is parsed."""
    for metric in metrics:
        if metric.needs_references and not any(references or ()):
            raise TableError(
                f"metric {metric.name!r} needs references, and the table has none; name their column "
                "'references', or leave the metric out"
            )
        check_available(metric)


def _reason(metric: Metric, references: References | None, error: NaturalnessError) -> str:
    """Return the short reason why a metric is unavailable."""
    if metric.needs_references and not any(references or ()):
        return "no column 'references' in the table"
    if isinstance(error, MissingPackage) and not error.asked[-1]:
        return f"packages that are not installed: {installing(error.asked[2])}"
    return str(error)


def score_metric(
    metric: Metric, docs: Sequence[Doc], references: References | None, *, advance: Progress = silent
) -> Scored:
    """Score texts with a metric, and report progress."""
    stage, batches = f"metric {metric.name}", []
    advance(stage, 0, len(docs))
    for start in range(0, len(docs), BATCH):
        part = slice(start, start + BATCH)
        batch_references = None if references is None else references[part]
        batches.append(np.asarray(metric.score(docs[part], batch_references), dtype=np.float64))
        advance(stage, min(start + BATCH, len(docs)), len(docs))
    scores = np.concatenate(batches) if batches else np.zeros(0)
    scores = np.where(np.isfinite(scores), scores, np.nan)
    return Scored(
        metric.name, scores if metric.higher_is_better else -scores, metric.signature, metric.higher_is_better
    )


def score_metrics(
    metrics: Sequence[Metric], docs: Sequence[Doc], references: References | None, *, strict: bool, advance: Progress
) -> tuple[list[Scored], list[str]]:
    """Return the scores of the available metrics, and a line for each reason why metrics were left out; if ``strict``,
    raise an error for an unavailable metric instead.
    """
    scored: list[Scored] = []
    left_out: dict[str, list[str]] = {}
    for metric in metrics:
        try:
            check_metrics([metric], references)
            scored.append(score_metric(metric, docs, references, advance=advance))
        except NaturalnessError as error:
            if strict:
                raise
            left_out.setdefault(_reason(metric, references, error), []).append(metric.name)
    return scored, [f"left out, {reason}: {', '.join(names)}" for reason, names in left_out.items()]


def score_columns(columns: Mapping[str, Sequence[float]], lower: Collection[str]) -> list[Scored]:
    """Return the scores in columns of a table; in the columns ``lower``, lower is better. An infinite score counts as
    undefined, as it does for metrics.
    """
    scored = []
    for name, values in columns.items():
        scores = np.asarray(values, dtype=np.float64)
        scores = np.where(np.isfinite(scores), scores, np.nan)
        is_better = name not in lower
        direction = "higher" if is_better else "lower"
        scored.append(Scored(name, scores if is_better else -scores, f"column:{name}|{direction}", is_better))
    return scored


def score_model(model: NaturalnessModel, docs: Sequence[Doc], out_of_fold: Mapping[str, float]) -> Scored:
    """Return the naturalness that a model predicts.

    Texts that it was trained on have their value in ``out_of_fold``, or NaN.
    """
    texts = [source_of(doc).original for doc in docs]
    naturalness = model.score(docs if model.nlp == DEFAULT_PIPELINE else texts).naturalness
    seen = np.array([model.knows(text) for text in texts])
    trained = model.saved.description
    signature = (
        f"model:{model.name}|{trained.kind}|{trained.learner}|"
        f"columns:{columns_hash(trained.columns)}|pipeline:{trained.pipeline}"
    )
    refitted = np.array([out_of_fold.get(text.strip(), math.nan) for text in texts])
    n_refitted, n_lost = (int((seen & undefined).sum()) for undefined in (~np.isnan(refitted), np.isnan(refitted)))
    judged = f"{n_refitted:,} texts judged out of fold, by models trained without them" if n_refitted else ""
    left_out = f"{n_lost:,} text{'s'[: n_lost != 1]} left out: the model was trained on them" if n_lost else ""
    note = "; ".join(filter(None, (judged, left_out)))
    return Scored(model.name, np.where(seen, refitted, naturalness), signature, learned=True, note=note)
