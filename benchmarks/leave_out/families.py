"""Single metrics by family, each with its direction.

Most are columns of the feature tables, and so known already; the rest are scored here and kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from spacy.tokens import Doc

from naturalness.arrays import FloatArray
from naturalness.features import column_names, resolve
from naturalness.metrics.gruen.metric import GRUEN as METRIC
from naturalness.text.parsing import parse, short_memory
from naturalness_replication.gruen import sum_of
from naturalness_replication.metrics import metrics_named
from training.default_model.sets import teaching_readers
from training.tables import read_table

COLUMNS: Mapping[str, Mapping[str, tuple[str, float]]] = read_table(__file__, "families.toml")
"""Family, member, the column that it is, and whether more of it is better."""
SCORED: Mapping[str, tuple[str, ...]] = {"SLOR (n-grams)": ("wpslor-words", "belonging", "wpbelonging")}
"""Members that are metrics rather than columns, by name."""
GRUEN, GRUEN_ROWS = "GRUEN", 300
"""GRUEN, and how many texts of a set it reads at most, since it is slow."""
STEPS = {"gruen-g, fast": "", "gruen-gu, fast": "u", "gruen-gru, fast": "ur", "gruen-fast": "urn"}
"""The steps of GRUEN with left-to-right likelihood, all computed in one pass."""
PARTS = (*STEPS, "acceptability")
LIKELIHOOD = "GRUEN, likelihood alone"
FAMILIES = (*COLUMNS, GRUEN, LIKELIHOOD)
SEEN: Mapping[str, frozenset[str]] = {GRUEN: frozenset(teaching_readers())}
"""Sets whose ratings taught a family: there it is shown, and not compared. These taught the rating
head, which is GRUEN's acceptability."""
BATCH = 64
SEED = 0
Members = Mapping[str, Mapping[str, FloatArray]]
"""Family, member and a number per text; higher is better, NaN where not computed."""


def members(
    texts: Sequence[str],
    table: FloatArray,
    work: Path | None,
    *,
    scored: bool = True,
    rows: Sequence[int] | None = None,
) -> Members:
    """All metrics of some texts, of which ``table`` holds all features that ship.

    GRUEN reads the texts of ``rows``, or as many as it reads of a set, drawn; without ``scored``
    only it is asked beside the columns.
    """
    column_of = {name: number for number, name in enumerate(column_names(resolve()))}
    by_family: dict[str, dict[str, FloatArray]] = {
        family: {name: filled(way * table[:, column_of[column]]) for name, (column, way) in columns.items()}
        for family, columns in COLUMNS.items()
    }
    for family, names in SCORED.items() if scored else ():
        scores = cached(partial(by_name, names), names, texts, work)
        by_family[family] |= {name: filled(columns) for name, columns in zip(names, scores.T, strict=True)}
    if rows is None:
        order = np.random.default_rng(SEED).permutation(len(texts))
        rows = np.sort(order[:GRUEN_ROWS]).tolist()
    parts = np.full((len(texts), len(PARTS) + 1), np.nan)
    parts[rows] = cached(gruen, ["gruen-fast"], [texts[row] for row in rows], work)
    by_family[GRUEN] = dict(zip(PARTS, parts.T[:-1], strict=True))
    by_family[LIKELIHOOD] = {"likelihood from the left": parts[:, -1]}
    return by_family


def filled(values: FloatArray) -> FloatArray:
    """Replace undefined numbers by the median, so that all metrics cover the same texts."""
    return np.where(np.isnan(values), np.nanmedian(values), values)


def by_name(names: Sequence[str], texts: Sequence[str]) -> FloatArray:
    """Return metrics without references, (n_texts, n_names)."""
    chosen = metrics_named(names)
    return by_batch(texts, lambda docs: np.column_stack([m.score(docs) for m in chosen]))


def gruen(texts: Sequence[str]) -> FloatArray:
    """Return the steps of GRUEN and two of its parts, (n_texts, 6)."""

    def read(docs: Sequence[Doc]) -> FloatArray:
        return np.array(
            [
                [*(sum_of(part, steps) for steps in STEPS.values()), part.acceptability, part.likelihood]
                for part in METRIC.parts(docs)
            ]
        )

    return by_batch(texts, read)


def by_batch(texts: Sequence[str], read: Callable[[list[Doc]], FloatArray]) -> FloatArray:
    """Apply a function to texts in batches."""
    batches = []
    for start in range(0, len(texts), BATCH):
        with short_memory(nlp="en"):
            docs = list(parse(texts[start : start + BATCH], nlp="en"))
            batches.append(read(docs))
            del docs
    return np.vstack(batches)


def cached(
    score: Callable[[Sequence[str]], FloatArray], names: Sequence[str], texts: Sequence[str], work: Path | None
) -> FloatArray:
    """Return scores of metrics, cached in ``work`` under a hash of their signatures and the texts."""
    signatures = [metric.signature for metric in metrics_named(names)]
    key = hashlib.sha256("\n".join([*signatures, *texts]).encode("utf-8", "replace")).hexdigest()[:16]
    path = None if work is None else work / f"scores-{key}.npy"
    if path is not None and path.exists():
        return np.load(path, allow_pickle=False)
    print(f"scoring {len(texts):,} texts: {', '.join(names)}", flush=True)
    scores = score(texts)
    if path is not None:
        np.save(path, scores)
    return scores
