"""Share of pairs of E2E texts for one input in which the preferred text has the higher score.

The model learned without E2E and RankME, whose texts are the same. The best of a family is the metric that orders most
pairs correctly, picked after the fact, in its favour.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.leave_out.beside import OURS
from benchmarks.leave_out.families import GRUEN, LIKELIHOOD, SEEN, members
from benchmarks.leave_out.rated import PAIRS
from benchmarks.leave_out.resampling import Figure, shared
from naturalness.arrays import FloatArray
from naturalness.models.learners.differences import won
from training.default_model.measure import Material
from training.default_model.sets import read_rows

E2E = "E2E"
SAMPLE = 2000
GRUEN_PAIRS = 150
"""Pairs that GRUEN reads."""
SEED = 0


def on_pairs(material: Material, margins: FloatArray, ratings: Path, work: Path | None) -> dict[str, Any]:
    """Return the share of pairs ordered correctly by the model and by the best of each family."""
    rows = read_rows(ratings / PAIRS)
    drawn = np.random.default_rng(SEED).choice(len(rows), SAMPLE, replace=False)
    chosen = [rows[number] for number in drawn.tolist()]
    sources = np.unique([row["mr"] for row in chosen], return_inverse=True)[1]
    row_of = {text: i for i, text in reversed(list(enumerate(material.rated[E2E].texts)))}
    texts = list(dict.fromkeys(t for row in chosen for t in (row["good"], row["bad"])))
    at = {text: i for i, text in enumerate(texts)}
    table = material.tables[E2E][[row_of[text] for text in texts]]
    read = sorted({at[row[k]] for row in chosen[:GRUEN_PAIRS] for k in ("good", "bad")})
    families = members(texts, table, work, scored=False, rows=read)
    ends = np.array([[at[row["good"]], at[row["bad"]]] for row in chosen], dtype=np.int64)
    ours = won(margins[[row_of[text] for text in texts]], ends)
    best, ordered, less = {}, {}, {}
    for family, scores_of in families.items():
        n = GRUEN_PAIRS if family in (GRUEN, LIKELIHOOD) else SAMPLE
        shares = {name: won(scores, ends)[:n] for name, scores in scores_of.items()}
        best[family] = max(shares, key=lambda name: float(np.nanmean(shares[name])))
        judged = {family: shares[best[family]], OURS: ours[:n]}
        result: dict[str, Figure] = shared(judged, sources[:n], SEED)
        ordered[family], less[family] = result[family].cell(), (result[OURS] - result[family]).cell()
        if n == SAMPLE:
            ordered[OURS] = result[OURS].cell()
    return {
        "pairs": SAMPLE,
        "of": len(rows),
        "pairs that GRUEN read": GRUEN_PAIRS,
        "best of family": best,
        "learned from them": [f for f in best if E2E in SEEN.get(f, ())],
        "ordered rightly": ordered,
        "ours less theirs": less,
    }
