"""Figures of metrics with references, where there are references, for comparison.

These metrics see a good text for the same input, unlike the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.leave_out.beside import OURS, Margins
from benchmarks.leave_out.families import BATCH, cached
from benchmarks.leave_out.rated import references_of
from naturalness.arrays import FloatArray
from naturalness.files.resources import has_package
from naturalness.statistics.correlation import spearman
from naturalness.text.parsing import tokenise
from naturalness_replication.metrics import metrics_named
from training.default_model.measure import Material

SETS = ("SFHOTEL", "SFREST", "E2E")
NAMES = ("rouge-l", "lr3-f", "nist", "cider", "vecsim", "bleu", "chrf", "rouge-2", "meteor")
ROWS = 600
"""Texts of a set, at most."""
SEED = 0


def with_references(
    material: Material, margins: Margins, ratings: Path, work: Path | None
) -> dict[str, dict[str, float]]:
    """Return Spearman of each metric and of the model on the same sample of each set."""
    names = [m.name for m in metrics_named(NAMES) if not m.package or has_package(m.package)]
    out: dict[str, dict[str, float]] = {OURS: {}, **{name: {} for name in names}}
    for label in SETS:
        rated = material.rated[label]
        rows = np.sort(np.random.default_rng(SEED).permutation(len(rated.texts))[:ROWS])
        texts = [rated.texts[row] for row in rows]
        every = references_of(ratings, label)
        references = [every[row] for row in rows]
        scores = cached(partial(_scored, names, references), names, texts, work)
        truth = rated.ratings[rows]
        out[OURS][label] = round(spearman(margins[label][rows], truth), 3)
        for name, column in zip(names, scores.T, strict=True):
            known = ~np.isnan(column)
            out[name][label] = round(spearman(column[known], truth[known]), 3)
    return out


def _scored(names: Sequence[str], references: Sequence[Sequence[str]], texts: Sequence[str]) -> FloatArray:
    chosen = metrics_named(names)
    parts = []
    for start in range(0, len(texts), BATCH):
        docs = list(tokenise(texts[start : start + BATCH]))
        batch = references[start : start + BATCH]
        parts.append(
            np.column_stack([metric.score(docs, batch) * (1 if metric.higher_is_better else -1) for metric in chosen])
        )
    return np.vstack(parts)
