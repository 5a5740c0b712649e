"""Assess a saved model on rated texts that it has not seen."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.data.frames import frame_of_rows
from naturalness.errors import ModelError, TrainingError
from naturalness.models.learners.differences import won
from naturalness.pipelines.evaluation import versions_of
from naturalness.pipelines.learning import Rated
from naturalness.pipelines.scorer import NaturalnessModel
from naturalness.reports.paired import Share, by_phenomenon, pairs_of, share_of, unseen_pairs
from naturalness.statistics.bootstrap import draw_rows, percentile_ends, too_few
from naturalness.statistics.measures import figures

if TYPE_CHECKING:
    import pandas as pd

RESAMPLES = 500


@dataclass(frozen=True, slots=True)
class Assessment:
    """Figures on unseen texts, each with its 95 % interval."""

    texts: int
    seen: int
    """The number of texts left out because the model was trained on them."""
    figures: dict[str, tuple[float, float, float]]
    """The value of each figure and the lower and upper end of its interval, keyed by name."""
    pairs: int = 0
    """The number of pairs of unseen texts; 0 for rated or labelled texts."""
    pairs_seen: int = 0
    """The number of pairs left out because the model was trained on one of their texts."""
    phenomena: dict[str, Share] = field(default_factory=dict)
    """The share of correctly ordered pairs for each phenomenon, sorted from the highest share to the lowest."""
    sources: int = 0
    """The number of sources that are resampled; 0 for pairs, whose intervals need no resampling."""

    def to_pandas(self) -> pd.DataFrame:
        """Return a row per figure: ``name``, ``value``, and ``low`` and ``high``, the ends of its 95 % interval."""
        names = ("name", "value", "low", "high")
        return frame_of_rows([dict(zip(names, (name, *ends), strict=True)) for name, ends in self.figures.items()])


def assessment_data(result: Assessment) -> dict[str, Any]:
    """Return an assessment as plain data."""
    figures = {name: {"value": value, "low": low, "high": high} for name, (value, low, high) in result.figures.items()}
    data: dict[str, Any] = {"texts": result.texts, "seen_left_out": result.seen, "figures": figures}
    if result.pairs:
        phenomena = {name: asdict(share) for name, share in result.phenomena.items()}
        data |= {"pairs": result.pairs, "pairs_left_out": result.pairs_seen, "phenomena": phenomena}
    return data


def unseen(data: Rated, model: NaturalnessModel) -> IntArray:
    """Return the row indices of the texts that the model was not trained on."""
    rows = [i for i, text in enumerate(data.texts) if not model.knows(text)]
    return np.array(rows, dtype=np.int64)


def all_seen(texts: int, table: str) -> ModelError:
    """Return the error for a table whose texts were all used to train the model."""
    return ModelError(
        f"the model was trained on all {texts:,} texts of {table!r}, but with other labels or "
        "options: use those of training, texts it has not seen, or a model trained on the table"
    )


def check_judgeable(data: Rated, model: NaturalnessModel, table: str) -> None:
    """Raise an error, before anything is measured, if a model cannot be assessed on these texts.

    A table with the fingerprint of the training table passes, because it can be judged out of fold.
    """
    from naturalness.pipelines.train import fingerprint

    if model.saved.description.training.get("fingerprint") == fingerprint(data):
        return
    if all(map(model.knows, data.texts)):
        raise all_seen(len(data), table)
    if data.pairs is None:
        with_labels_of(data, model.classes)


def assess(data: Rated, model: NaturalnessModel) -> Assessment:
    """Assess a model on the texts that it was not trained on; intervals are bootstrapped over sources (Efron 1979)."""
    rows = unseen(data, model)
    if data.pairs is not None:
        return _assess_pairs(data, rows, model)
    fresh, naturalness, predicted = judge(data.part(rows), model)
    values = with_intervals(fresh, naturalness, predicted)
    for name, pairs in versions_of(fresh).items():
        share = share_of(won(naturalness, pairs), fresh.groups[pairs[:, 0]])
        values[name] = share.value, share.low, share.high
    return Assessment(len(fresh), len(data) - len(fresh), values, sources=len(np.unique(fresh.groups)))


def _assess_pairs(data: Rated, rows: IntArray, model: NaturalnessModel) -> Assessment:
    all_pairs = pairs_of(data)
    pairs = unseen_pairs(all_pairs, rows, len(data))
    outcomes = won(model.decide(data.table)[0], pairs.rows)
    share = share_of(outcomes, pairs.groups)
    return Assessment(
        len(np.unique(pairs.rows)),
        len(data) - len(rows),
        {"pair_accuracy": (share.value, share.low, share.high)},
        len(pairs),
        len(all_pairs) - len(pairs),
        by_phenomenon(outcomes, pairs),
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


def with_intervals(
    data: Rated, naturalness: FloatArray, predicted: IntArray, *, seed: int = 0
) -> dict[str, tuple[float, float, float]]:
    """Return each figure with its 95 % interval; the ends are NaN if there are too few sources to resample."""
    resamples = 0 if too_few(len(np.unique(data.groups))) else RESAMPLES
    values = _figures(data, naturalness, predicted, np.arange(len(data)))
    resampled = [_figures(data, naturalness, predicted, rows) for rows in draw_rows(data.groups, resamples, seed)]
    return {name: (value, *percentile_ends([d[name] for d in resampled])) for name, value in values.items()}


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
            f"the texts only have the label {data.classes[0]!r}, which this model does not predict; "
            f"it predicts {', '.join(classes)}"
        )
    best = len(data.classes) - 1
    labels = np.where(data.labels >= 0, (data.labels == best).astype(np.int64), -1)
    return replace(data, labels=labels, classes=REST_AND_BEST)


def _figures(data: Rated, naturalness: FloatArray, predicted: IntArray, rows: IntArray) -> dict[str, float]:
    part = data.part(rows)
    return figures(naturalness[rows], predicted[rows], part.labels, part.graded, data.classes, part.lengths)
