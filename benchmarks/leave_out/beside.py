"""Compare the default recipe with the best single metric of each family, on sets that it never saw.

The best of a family is the member with the best mean over the six sets, picked after the fact, in its favour. Only
GRUEN learned from ratings: its head was trained on some of these sets, whose figures are shown but neither enter its
mean nor are compared with the model's.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.leave_out.families import FAMILIES, GRUEN, LIKELIHOOD, SEEN, Members, members
from benchmarks.leave_out.rated import sources_of
from benchmarks.leave_out.resampling import Figure, correlated, mean_of
from naturalness.arrays import FloatArray
from naturalness.statistics.correlation import spearman
from training.default_model.measure import Material
from training.default_model.sets import SIX

OURS = "default model"
MEAN = "mean"
"""The mean over sets whose ratings did not train the metric."""
BEHIND = 0.05
"""The lead that a single metric may have on a single set."""
Margins = Mapping[str, FloatArray]


def members_of(material: Material, work: Path | None) -> dict[str, Members]:
    """Return all members of all families, by set."""
    return {name: members(material.rated[name].texts, material.tables[name], work) for name in SIX}


def by_member(material: Material, families: Mapping[str, Members]) -> dict[str, dict[str, list[float]]]:
    """Return by family and member Spearman on each of the six sets, and the mean over sets unseen in training."""
    out: dict[str, dict[str, list[float]]] = {}
    for family in FAMILIES:
        out[family] = {}
        for name in families[SIX[0]][family]:
            rows = []
            for label in SIX:
                scores, ratings = families[label][family][name], material.rated[label].ratings
                asked = ~np.isnan(scores)
                rows.append(round(spearman(scores[asked], ratings[asked]), 3))
            fair = [v for label, v in zip(SIX, rows, strict=True) if label not in seen_by(family)]
            out[family][name] = [*rows, round(float(np.mean(fair)), 3)]
    return out


def best_columns(material: Material) -> dict[str, Any]:
    """Return the best of all columns, each with the sign that gives the better mean."""
    table = np.array(
        [[_plain(column, material.rated[name].ratings) for column in material.tables[name].T] for name in SIX]
    )
    mean = table.mean(axis=0)
    best = int(np.abs(mean).argmax())
    way = np.sign(mean)
    return {
        "column": material.columns[best],
        "mean": round(float(abs(mean[best])), 3),
        "best on each": {
            name: [material.columns[int((row * way).argmax())], round(float((row * way).max()), 3)]
            for name, row in zip(SIX, table, strict=True)
        },
    }


def _plain(column: FloatArray, ratings: FloatArray) -> float:
    known = ~np.isnan(column)
    if not known.any():
        return 0.0
    filled = np.where(known, column, np.median(column[known]))
    return spearman(filled, ratings) if np.ptp(filled) else 0.0


def beside(material: Material, margins: Margins, families: Mapping[str, Members], ratings: Path) -> dict[str, Any]:
    """Return the model, the best of each family and the differences, on each set and on the mean."""
    table = by_member(material, families)
    best = {family: max(figures, key=lambda name: figures[name][-1]) for family, figures in table.items()}
    judged: dict[str, list[Figure]] = {}
    less: dict[str, list[Figure]] = {}
    for number, label in enumerate(SIX):
        sources = sources_of(ratings, label)
        scores = {family: families[label][family][name] for family, name in best.items()}
        asked = ~np.isnan(scores[GRUEN])
        every = np.ones(len(asked), dtype=bool)
        read = [GRUEN, LIKELIHOOD]
        for rows, names in ((every, [f for f in best if f not in read]), (asked, read)):
            judges = {OURS: margins[label], **{name: scores[name] for name in names}}
            lead = correlated(
                {name: values[rows] for name, values in judges.items()},
                material.rated[label].ratings[rows],
                sources[rows],
                number,
            )
            for name in names:
                judged.setdefault(name, []).append(lead[name])
                less.setdefault(name, []).append(lead[OURS] - lead[name])
            if OURS not in judged or len(judged[OURS]) <= number:
                judged.setdefault(OURS, []).append(lead[OURS])
    return {
        "best of family": best,
        "members": table,
        "learned from": {family: sorted(seen_by(family) & set(SIX)) for family in SEEN},
        "spearman": {name: _cells(name, parts) for name, parts in judged.items()},
        "ours less theirs": {name: _cells(name, parts) for name, parts in less.items()},
        "bar": _bar(less),
        "best of all columns": best_columns(material),
    }


def seen_by(family: str) -> frozenset[str]:
    """Return the sets whose ratings trained a family."""
    return SEEN.get(family, frozenset())


def _fair(family: str, parts: list[Figure]) -> dict[str, Figure]:
    pairs = zip(SIX, parts, strict=True)
    return {name: part for name, part in pairs if name not in seen_by(family)}


def _cells(family: str, parts: list[Figure]) -> dict[str, list[float]]:
    cells = {name: part.cell() for name, part in zip(SIX, parts, strict=True)}
    return {**cells, MEAN: mean_of([*_fair(family, parts).values()]).cell()}


def _bar(less: Mapping[str, list[Figure]]) -> dict[str, Any]:
    """Return whether the model's mean is ahead of each family's, and the model is far behind on no set."""
    worst = min(
        (part.value, family, name) for family, parts in less.items() for name, part in _fair(family, parts).items()
    )
    lead = {family: mean_of([*_fair(family, parts).values()]) for family, parts in less.items()}
    return {
        "ahead of each on the mean": all(figure.value > 0 for figure in lead.values()),
        "intervals of the lead above 0": all(figure.cell()[1] > 0 for figure in lead.values()),
        "furthest behind": [round(worst[0], 3), worst[1], worst[2]],
        "nowhere further behind than": BEHIND,
        "kept": worst[0] >= -BEHIND,
    }
