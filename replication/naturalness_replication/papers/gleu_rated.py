"""Correlate GLEU and its parts with ratings, in place of the paper's trials with judges."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.report import markdown_table
from naturalness.arrays import FloatArray
from naturalness_replication.gleu import GLEU_LINK
from naturalness_replication.papers.compared import as_data, figures, read, shown, thinned

SETS = ("GUG", "Lau BNC", "style transfer", "SFHOTEL", "SFREST")
TEXTS = 600
RESAMPLES, SEED = 1000, 0
PAPER = {
    "fragments": (-0.34, -0.36, -0.20),
    "parse": (0.31, 0.19, 0.23),
    "nulls": (-0.29, -0.48, -0.13),
    "invalid": (0.19, 0.18, -0.01),
    GLEU_LINK.name: (0.40, 0.47, 0.43),
}
"""Pearson with judges: glued texts (50), texts by other methods, all."""
NOTE = f"""The paper had 20 judges rate 10 texts of each type. Such ratings are not available here, so
these are ratings of other texts: learners' sentences, round-trip translations of BNC sentences,
reviews after style transfer, and generator outputs; at most {TEXTS} of each, evenly spaced. Their
errors are smaller than those of glued texts, so the correlations should not be compared with the
paper's one by one. For fragments and nulls, a negative correlation is good.
"""


def with_ratings(ratings: Path, score: Callable[[Sequence[str]], Mapping[str, FloatArray]]) -> list[dict[str, Any]]:
    """Return Pearson and Spearman of each number with the ratings of each set."""
    rows = []
    for name in SETS:
        rated = thinned(read(ratings, name), TEXTS)
        by_metric = figures(score(rated.texts), rated, RESAMPLES, SEED)
        rows += [
            {
                "set": name,
                "metric": metric,
                "n": figure.n,
                "pearson": as_data(figure.pearson),
                "spearman": as_data(figure.spearman),
            }
            for metric, figure in by_metric.items()
        ]
        print(f"{name}: {len(rated)} texts", flush=True)
    return rows


def rated_table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the table of Pearson by set, with the paper's."""
    names = list(dict.fromkeys(row["metric"] for row in rows))
    cells = {(row["metric"], row["set"]): shown(row["pearson"]) for row in rows}
    lines = [
        [metric, *(cells[metric, name] for name in SETS), *(f"{value:.2f}" for value in PAPER.get(metric, ()))]
        for metric in names
    ]
    lines = [line + [""] * (1 + len(SETS) + 3 - len(line)) for line in lines]
    header = ["metric", *SETS, "paper, trial 1", "paper, trial 2", "paper, all"]
    return NOTE + "\n" + markdown_table(header, lines)
