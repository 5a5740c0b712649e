"""SVR and ROUGE-LM as in the paper: 500 texts for training, 500 set aside, the rest for testing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.report import markdown_table
from naturalness.arrays import FloatArray, IntArray
from naturalness.metrics.rouge import norm_of
from naturalness.statistics.correlation import pearson
from naturalness_replication.papers.compared import ComparedTexts, as_data, figures, shown, worse_by

TRAIN = ASIDE = 500
SPLITS = 10
PAPER = {"SVR": (0.594, 0.217), "ROUGE-LM": (0.496, 0.252), "ROUGE-L-mult": (0.430, 0.273), "WPSLOR": (0.439, 0.270)}
"""Pearson and error on 1,955 compressions."""
NOTE = """## SVR and ROUGE-LM

An SVR (scikit-learn's defaults) with the features ROUGE-L-mult and WPSLOR is trained on 500 texts.
Their ratings are standardised, since the defaults depend on the scale. As in the paper, another 500
texts are set aside, although the defaults leave nothing to tune; all figures are from the remaining
texts. Outputs for one input are never split. ROUGE-LM takes its means and deviations from the tested
texts. Intervals and tests are from the first of ten random splits; mean and deviation over all ten
are next to them. The rows with `slor:neural` are ours.
"""


@dataclass(frozen=True)
class PageSection:
    """A section of the page and its data."""

    text: str
    data: Any


def split(groups: IntArray, rng: np.random.Generator) -> tuple[IntArray, IntArray]:
    """Return training and test rows; sources stay whole, and `ASIDE` rows are in neither."""
    names, members = np.unique(groups, return_inverse=True)
    order = rng.permutation(len(names))
    rank = np.argsort(order)[members]
    before = np.cumsum(np.bincount(members, minlength=len(names))[order])
    learning = int(np.searchsorted(before, TRAIN)) + 1
    aside = int(np.searchsorted(before, TRAIN + ASIDE)) + 1
    return np.flatnonzero(rank < learning), np.flatnonzero(rank >= aside)


def tested(
    scores: Mapping[str, FloatArray], ratings: FloatArray, train: IntArray, test: IntArray
) -> dict[str, FloatArray]:
    """Return the compared metrics on the test rows."""
    from sklearn.svm import SVR

    def svr(*names: str) -> FloatArray:
        table = np.column_stack([scores[name] for name in names])
        target = norm_of(ratings[train]).z(ratings[train])
        return SVR().fit(table[train], target).predict(table[test])

    def summed(*names: str) -> FloatArray:
        parts = [norm_of(scores[name][test]).z(scores[name][test]) for name in names]
        return np.asarray(np.sum(parts, axis=0))

    return {
        "SVR": svr("rouge-l", "wpslor"),
        "ROUGE-LM": summed("rouge-l", "wpslor"),
        "ROUGE-L-mult": scores["rouge-l"][test],
        "WPSLOR": scores["wpslor"][test],
        "SVR, `slor:neural`": svr("rouge-l", "slor:neural"),
        "ROUGE-LM, `slor:neural`": summed("rouge-l", "slor:neural"),
    }


def learned(sets: Mapping[str, tuple[ComparedTexts, Mapping[str, FloatArray]]], resamples: int) -> PageSection:
    """Return the table of each set."""
    text, data = [NOTE], {}
    for name, (rated, scores) in sets.items():
        used = ("rouge-l", "wpslor", "slor:neural")
        known = np.flatnonzero(~np.any([np.isnan(scores[part]) for part in used], axis=0))
        some = rated.part(known)
        parts = {part: scores[part][known] for part in used}
        data[name] = on_set(some, parts, resamples)
        rows = [
            [row, *cells.values(), *(f"{p:.3f}" if p else "" for p in PAPER.get(row, (0, 0)))]
            for row, cells in data[name]["rows"].items()
        ]
        text += [
            f"### {name}: {data[name]['tested']:,} texts tested\n",
            markdown_table(
                [
                    "",
                    "Pearson",
                    "MSE",
                    "worse than the best by",
                    "Pearson, ten splits",
                    "paper's Pearson",
                    "paper's MSE",
                ],
                rows,
            ),
        ]
    return PageSection("\n".join(text), data)


def on_set(rated: ComparedTexts, scores: Mapping[str, FloatArray], resamples: int) -> dict[str, Any]:
    """Return figures of the first split and means over all splits."""
    rng = np.random.default_rng(0)
    every: dict[str, list[float]] = {}
    first: dict[str, Any] = {}
    for number in range(SPLITS):
        train, test = split(rated.groups, rng)
        tests = tested(scores, rated.ratings, train, test)
        for name, values in tests.items():
            every.setdefault(name, []).append(pearson(values, rated.ratings[test]))
        if not number:
            part = rated.part(test)
            first = {
                "tested": len(test),
                "figures": figures(tests, part, resamples, 0),
                "tests": tests,
                "ratings": part.ratings,
            }
    best = max(first["figures"], key=lambda name: first["figures"][name].pearson.value)
    rows = {}
    for name, figure in first["figures"].items():
        rows[name] = {
            "Pearson": shown(as_data(figure.pearson)),
            "MSE": f"{figure.mse.value:.4g}",
            "worse than the best by": worse_by(first["tests"], first["ratings"], best, name),
            "ten splits": f"{np.mean(every[name]):.2f} ±{np.std(every[name]):.2f}",
        }
    return {
        "tested": first["tested"],
        "rows": rows,
        "pearson": {name: as_data(f.pearson) for name, f in first["figures"].items()},
        "each split": {name: np.round(v, 4).tolist() for name, v in every.items()},
    }
