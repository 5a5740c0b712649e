"""What each threshold would do: ROC and precision against recall."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from naturalness.arrays import BoolArray, FloatArray

MOST = 60
"""Points that are kept of a curve; evenly along its length."""


@dataclass(frozen=True, slots=True)
class Curve:
    """Points from the strictest threshold to the most generous."""

    x: tuple[float, ...]
    y: tuple[float, ...]
    threshold: tuple[float, ...]
    """Of each point; NaN at ends where no text is called natural."""
    area: float
    """0..1, of all points: ROC AUC, or average precision."""


def roc(scores: FloatArray, positive: BoolArray) -> Curve:
    """Share of unnatural texts called natural (x) and of natural ones found (y)."""
    hits, false, cuts = _steps(scores, positive)
    n, m = max(hits[-1], 1), max(false[-1], 1)
    x, y = false / m, hits / n
    area = float(((x[1:] - x[:-1]) * (y[1:] + y[:-1]) / 2).sum())
    return _thinned(x, y, cuts, area if hits[-1] and false[-1] else float("nan"))


def precision_recall(scores: FloatArray, positive: BoolArray) -> Curve:
    """Share of natural texts found (x) and of texts called natural that are (y).

    The area is the average precision: each gain of recall times the precision there.
    """
    hits, false, cuts = _steps(scores, positive)
    x, y = hits / max(hits[-1], 1), hits / np.maximum(hits + false, 1)
    y[0] = y[1] if len(y) > 1 else 1.0
    area = float(((x[1:] - x[:-1]) * y[1:]).sum())
    return _thinned(x, y, cuts, area if hits[-1] else float("nan"))


def _steps(scores: FloatArray, positive: BoolArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Natural and unnatural texts at or above each different score, from the highest down."""
    order = np.argsort(-scores, kind="stable")
    ranked = scores[order]
    # Texts of one score pass a threshold together.
    last = np.append(np.flatnonzero(np.diff(ranked)), np.arange(len(ranked))[-1:])
    hits = np.cumsum(positive[order].astype(np.float64))[last]
    false = np.cumsum((~positive[order]).astype(np.float64))[last]
    return (np.concatenate([[0.0], hits]), np.concatenate([[0.0], false]), np.concatenate([[np.nan], ranked[last]]))


def _thinned(x: FloatArray, y: FloatArray, cuts: FloatArray, area: float) -> Curve:
    """Points that lie evenly along the curve, both ends among them."""
    length = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(x), np.diff(y)))])
    wanted = np.linspace(0, length[-1], MOST)
    kept = np.unique(np.abs(length[:, None] - wanted).argmin(axis=0)) if len(x) > MOST else slice(None)
    return Curve(tuple(x[kept].tolist()), tuple(y[kept].tolist()), tuple(cuts[kept].tolist()), area)
