"""The meaning of a score: how raters judged texts with such a score, on rated sets that the model never saw.

`python -m benchmarks.meaning RATINGS CORPORA [--work DIR] [--only MODEL]`: RATINGS and CORPORA as for
`training.default_model`. Each set is scored by a model trained without its family, with the shipped model's
calibration. A text counts as better if it is in the better half of its set. The tables are also written into the
package (naturalness/judging/meaning.json). With ``--only``, the other model's figures are those of the last run.
"""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from benchmarks.leave_out.weaknesses import BANDS, band_name, words_of
from benchmarks.report import by_name, last_results, markdown_table, write
from naturalness.arrays import FloatArray
from naturalness.judging.meaning import MEANING
from naturalness.pipelines.scorer import open_model
from naturalness.statistics.logistic import sigmoid
from training.arguments import command_parser
from training.default_model.measure import read_material
from training.default_model.products import PRODUCTS
from training.default_model.recipe import judged_by_leaving_out
from training.default_model.sets import OF_MORE

EDGES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
FEWEST = 20
"""The fewest texts of a set for which it counts in a band of scores."""
BY_PEOPLE = (
    *("GUG", "CoLA", "Adger", "Adger, filtered", "Linguistic Inquiry", "MegaAcceptability", "queries", "ParaQuality"),
)
"""Sets of texts by people: learners, linguists, users of a search engine, workers who paraphrase. All others have texts
by machines, some of them with references by people among them.
"""
Scored = Mapping[str, tuple[FloatArray, FloatArray]]
"""Scores of each set's texts, and whether they are in the better half."""


def shares(scored: Scored) -> list[dict[str, float | None]]:
    """Return for each band of scores the share of better texts: the mean over sets, the lowest and the highest."""
    rows = []
    for low, high in pairwise(EDGES):
        within = {name: (score >= low) & ((score < high) | (high == 1)) for name, (score, _) in scored.items()}
        sets = [scored[name][1][rows_of].mean() for name, rows_of in within.items() if rows_of.sum() >= FEWEST]
        texts = int(sum(map(np.sum, within.values())))
        mean, least, most = (round(float(f(sets)), 3) if sets else None for f in (np.mean, np.min, np.max))
        rows.append(
            {
                "from": low,
                "to": high,
                "texts": texts,
                "sets": len(sets),
                "better": mean,
                "lowest": least,
                "highest": most,
            }
        )
    return rows


def mistakes(score: FloatArray, better: FloatArray) -> dict[str, float]:
    """Return how often better texts are called unnatural, and worse texts natural."""
    return {
        "texts": len(score),
        "better, called unnatural": round(float((score[better > 0] < 0.5).mean()), 3),
        "worse, called natural": round(float((score[better == 0] >= 0.5).mean()), 3),
    }


def figures_of(which: str, options: Namespace) -> dict[str, Any]:
    """Return the tables of shares by kind of set, and the mistakes by set and by length."""
    material = read_material(options.ratings, options.corpora, options.work, groups=PRODUCTS[which].groups)
    pool, calibration = material.pool(), open_model(which).saved.compiled.calibration
    scored, words = {}, {}
    for name, rated in material.rated.items():
        if name not in OF_MORE:
            margins = judged_by_leaving_out(name, pool, material.tables[name])
            scored[name] = (sigmoid(calibration.apply(margins[:, None]))[:, 0], (rated.places > 0.5).astype(float))
            words[name] = words_of(rated.texts)
    kinds = {
        "all sets": scored,
        "texts by people": {name: scored[name] for name in BY_PEOPLE},
        "learners' (GUG)": {"GUG": scored["GUG"]},
        "texts by machines": {name: pair for name, pair in scored.items() if name not in BY_PEOPLE},
    }
    score, better, length = (
        np.concatenate(parts) for parts in (*zip(*scored.values(), strict=True), [*words.values()])
    )
    by_length = {
        band_name(band): mistakes(score[rows], better[rows])
        for band in BANDS
        if (rows := (length >= band[0]) & (length <= band[1])).any()
    }
    return {
        "shares": {kind: shares(sets) for kind, sets in kinds.items()},
        "mistakes": {name: mistakes(*pair) for name, pair in scored.items()} | by_length,
    }


def page_of(which: str, figures: Mapping[str, Any]) -> str:
    """Return a model's section of the page."""
    tables = figures["shares"]
    rows = [
        [f"{row['from']:.2f} to {row['to']:.2f}", *better, f"{row['lowest']:.2f} to {row['highest']:.2f}", row["texts"]]
        for row, *better in zip(
            tables["all sets"], *([row["better"] for row in table] for table in tables.values()), strict=True
        )
    ]
    return (
        f"\n## The {which} model\n\nShare of texts in the better half of their set:\n\n"
        + markdown_table(["score", *tables, "lowest and highest set", "texts"], rows)
        + "\nMistakes by set, and by length over all sets:\n\n"
        + by_name("", figures["mistakes"])
    )


def main() -> None:
    """Run the command."""
    parser = command_parser(__doc__, "ratings", "corpora", "--work")
    parser.add_argument("--only", choices=PRODUCTS, help="measure this model alone")
    options = parser.parse_args()
    data = {
        which: figures_of(which, options) if options.only in (None, which) else last_results("meaning")[which]
        for which in PRODUCTS
    }
    page = "".join(page_of(which, figures) for which, figures in data.items())
    kept = json.loads(MEANING.read_text()) | {which: data[which]["shares"]["all sets"] for which in PRODUCTS}
    MEANING.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    write(
        "meaning", "What a score promises", page, data, command="python -m benchmarks.meaning RATINGS CORPORA", seed=0
    )


if __name__ == "__main__":
    main()
