"""Rank correlation of each feature with human ratings, plain and with length partialled out.

`python -m benchmarks.ratings RATINGS`: the folder holds tables with `text` and `rating`. Spearman's
rho over the rows where a feature is defined; "given length" is the partial rank correlation given
the number of words. No training: what a feature alone says about a rating.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from scipy.stats import rankdata

from benchmarks.report import context, markdown_table, write
from naturalness.features import FloatArray, column_names, extract, resolve
from naturalness.parsing import parse

SETS = {
    "GUG": "gug.grammaticality.tsv",
    "Lau BNC": "lau2017_bnc_mop4.acceptability.tsv",
    "style transfer": "styletransfer.naturalness.tsv",
    "SFHOTEL": "sfhot.naturalness.tsv",
    "SFREST": "sfres.naturalness.tsv",
    "E2E": "e2e.naturalness.tsv.gz",
    "Topical-Chat": "usr_topicalchat.naturalness.tsv",
    "SummEval": "summeval.fluency.tsv.gz",
}
LENGTH = "lexical__n_tokens"
FEWEST = 30


def read_rated(path: Path) -> tuple[list[str], FloatArray]:
    """Texts and mean ratings of a table; rows without a rating are left out."""
    opener = gzip.open if path.suffix == ".gz" else open
    csv.field_size_limit(1 << 30)
    with opener(path, "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    rated = [row for row in rows if row["rating"]]
    return [row["text"] for row in rated], np.array([float(row["rating"]) for row in rated])


def correlation(x: FloatArray, y: FloatArray) -> float:
    """Pearson correlation; NaN where one of the two does not vary."""
    x, y = x - x.mean(), y - y.mean()
    scale = math.sqrt(float(x @ x) * float(y @ y))
    return float(x @ y) / scale if scale else math.nan


def rank_correlations(
    feature: FloatArray, rating: FloatArray, length: FloatArray
) -> tuple[float, float]:
    """Spearman's rho, and the partial one given length."""
    defined = ~np.isnan(feature)
    if defined.sum() < FEWEST:
        return math.nan, math.nan
    f, r, n = (rankdata(values[defined]) for values in (feature, rating, length))
    plain, with_n, rating_n = correlation(f, r), correlation(f, n), correlation(r, n)
    rest = (1 - with_n**2) * (1 - rating_n**2)
    partial = (plain - with_n * rating_n) / math.sqrt(rest) if rest > 1e-9 else math.nan
    return plain, partial


def cell(pair: Sequence[float]) -> str:
    """``.31 (.27)``, empty where undefined."""
    plain, partial = (f"{v:+.2f}".replace("0.", ".") if v == v else "" for v in pair)
    return f"{plain} ({partial})" if partial else plain


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ratings", type=Path)
    given = parser.parse_args()
    groups = resolve()
    names = column_names(groups)
    figures: dict[str, dict[str, list[float | None]]] = {name: {} for name in names}
    sizes: dict[str, int] = {}
    for label, file in SETS.items():
        texts, ratings = read_rated(given.ratings / file)
        sizes[label] = len(texts)
        table = extract(parse(texts), groups)
        length = table[:, names.index(LENGTH)]
        for name, column in zip(names, table.T, strict=True):
            pair = rank_correlations(column, ratings, length)
            figures[name][label] = [round(v, 3) if v == v else None for v in pair]
    header = ["feature", *(f"{label} (n = {n:,})" for label, n in sizes.items())]
    rows = [
        [f"`{name}`", *(cell([math.nan if v is None else v for v in figures[name][s]])
                        for s in SETS)]
        for name in names
    ]  # fmt: skip
    made = context(command="python -m benchmarks.ratings RATINGS", sets=SETS, rows=sizes)
    title = "Spearman correlation of each feature with the rating (in brackets: given length)"
    write("ratings", title, markdown_table(header, rows), {"context": made, "figures": figures})


if __name__ == "__main__":
    main()
