"""Rank correlation of each feature with human ratings, plain and with length partialled out.

`python -m benchmarks.ratings RATINGS`: the folder holds tables with `text` and `rating`. Spearman's
rho over the rows where a feature is defined; "given length" is the partial rank correlation given
the number of words. Nothing is trained: the figures show the relation of a single feature to ratings. Columns of the
detector come from networks that never saw the ratings of a set's family.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from benchmarks.report import markdown_table, write
from naturalness.arrays import FloatArray
from naturalness.features import column_names, extract, resolve
from naturalness.statistics.correlation import partial_spearman, spearman
from naturalness.text.parsing import parse
from training.arguments import command_parser
from training.default_model.measure import put_cross_fitted
from training.default_model.sets import MAIN, SETS, read_set

LENGTH = "lexical__n_tokens"
MIN_TEXTS = 30


def rank_correlations(feature: FloatArray, rating: FloatArray, length: FloatArray) -> tuple[float, float]:
    """Return Spearman's rho, and the partial correlation given length."""
    defined = ~np.isnan(feature)
    if defined.sum() < MIN_TEXTS:
        return math.nan, math.nan
    f, r, n = feature[defined], rating[defined], length[defined]
    return spearman(f, r), partial_spearman(f, r, n)


def cell(pair: Sequence[float]) -> str:
    """Return a cell such as ``.31 (.27)``; empty if undefined."""
    plain, partial = (f"{v:+.2f}".replace("0.", ".") if v == v else "" for v in pair)
    return f"{plain} ({partial})" if partial else plain


def main() -> None:
    """Run the command."""
    options = command_parser(__doc__, "ratings").parse_args()
    groups = resolve()
    names = column_names(groups)
    figures: dict[str, dict[str, list[float | None]]] = {name: {} for name in names}
    sizes: dict[str, int] = {}
    for label in MAIN:
        rated = read_set(options.ratings / SETS[label].file)
        sizes[label] = len(rated.texts)
        table = extract(parse(rated.texts), groups)
        put_cross_fitted(label, table, rated.texts, names, None)
        length = table[:, names.index(LENGTH)]
        for name, column in zip(names, table.T, strict=True):
            pair = rank_correlations(column, rated.ratings, length)
            figures[name][label] = [round(v, 3) if v == v else None for v in pair]
    header = ["feature", *(f"{label} (n = {n:,})" for label, n in sizes.items())]
    rows = [
        [f"`{name}`", *(cell([math.nan if v is None else v for v in figures[name][s]]) for s in MAIN)] for name in names
    ]
    title = "Spearman correlation of each feature with the rating (in brackets: given length)"
    write(
        "ratings",
        title,
        markdown_table(header, rows),
        {"figures": figures},
        command="python -m benchmarks.ratings RATINGS",
        sets={name: SETS[name].file for name in MAIN},
        rows=sizes,
    )


if __name__ == "__main__":
    main()
