"""Every learner on three rated sets: repeated fresh splits and five folds, beside baselines.

`python -m benchmarks.learners RATINGS [--jobs N]`. GUG (train part, ratings learned, labels from
3.5 on), SFHOTEL and SFREST together (labels learned: median of the judges >= 5, a stand-in for the
paper's rule), Lau BNC (ratings learned, labels at the median; an original and its four round trips
through a translator are one source and stay together). Seed 0; all features of this release.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.report import context, markdown_table, write
from naturalness.data.formats import location
from naturalness.data.labels import rule_named
from naturalness.data.rated import RatedTexts, read_rated
from naturalness.features import column_names, resolve
from naturalness.models.learners.table import AUTO, LEARNERS
from naturalness.pipelines.card import figure_rows
from naturalness.pipelines.evaluation import HEADLINES, Protocol, Result, evaluate
from naturalness.pipelines.fitting import Settings
from naturalness.pipelines.learning import Rated
from naturalness.pipelines.measuring import measure

LAU_SENTENCES = 500
"""Rows of each of the five parts of Lau BNC: the n-th row of each part is the same sentence."""
SETS: dict[str, dict[str, Any]] = {
    "GUG": {"files": ["gug.grammaticality.tsv"], "rule": "heilman2014-gug", "rates": True},
    "SFHOTEL + SFREST": {
        "files": ["sfhot.naturalness.tsv", "sfres.naturalness.tsv"],
        "rule": "groves2018-likert-proxy", "rates": False,
    },
    "Lau BNC, by source": {
        "files": ["lau2017_bnc_mop4.acceptability.tsv"], "rule": None, "rates": True,
        "parts": LAU_SENTENCES,
    },
}  # fmt: skip
WAYS = {"ten fresh splits": Protocol(), "five folds": Protocol(outer_folds=5)}


def read(folder: Path, entry: dict[str, Any], features: Sequence[str] | None = None) -> Rated:
    """A set as numbers: all features, or groups by name."""
    rule = rule_named(entry["rule"]) if entry["rule"] else None
    found = [
        read_rated(location(str(folder / file)), rating_columns=["rating"], rule=rule)
        for file in entry["files"]
    ]
    texts = [text for part in found for text in part.texts]
    return Rated(
        texts=tuple(texts),
        table=measure(texts, features, nlp="en").table,
        columns=tuple(column_names(resolve(features))),
        labels=np.array([_place(part, x) for part in found for x in part.labels]),
        ratings=np.array([x for part in found for x in part.ratings]),
        groups=_groups(found, entry.get("parts")),
        classes=tuple(found[0].classes),
        scale=found[0].scale,
        rates=entry["rates"],
    )


def _place(part: RatedTexts, label: str | None) -> int:
    return -1 if label is None else part.classes.index(label)


def _groups(found: list[RatedTexts], parts: int | None) -> np.ndarray[Any, Any]:
    rows = np.array([row for part in found for row in part.rows])
    return rows % parts if parts else np.arange(len(rows))


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ratings", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    sections, results = [], {}
    for name, entry in SETS.items():
        data = read(given.ratings, entry)
        able = [n for n, e in LEARNERS.items() if not e.reads and (e.regressor or not data.rates)]
        learners = {n: replace(Settings(), learner=n) for n in [AUTO, *able]}
        for way, protocol in WAYS.items():
            found = evaluate(
                data, learners, protocol, n_jobs=given.jobs,
                advance=lambda done: print(".", end="", file=sys.stderr, flush=True),
            )  # fmt: skip
            results[f"{name}: {way}"] = {n: r.summary() for n, r in found.items()}
            sections.append(_section(name, way, data, found))
    made = context(
        command="python -m benchmarks.learners RATINGS", seed=0,
        sets={name: entry["files"] for name, entry in SETS.items()},
    )  # fmt: skip
    write("learners", "Every learner on three rated sets", "\n".join(sections),
          {"context": made, "figures": _rounded(results)})  # fmt: skip


def _section(name: str, way: str, data: Rated, found: dict[str, Result]) -> str:
    rows = figure_rows({n: r.summary() for n, r in found.items()})
    learned = "ratings" if data.rates else "labels"
    head = f"## {name} ({len(data):,} texts, {learned} learned), {way}\n\n"
    return head + markdown_table(["", *HEADLINES.values()], rows)


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _rounded(v) for key, v in value.items()}
    return round(value, 4) if value == value else None


if __name__ == "__main__":
    main()
