"""What the context of a reply adds: `python -m benchmarks.replies RATINGS`.

Topical-Chat and PersonaChat (Mehri & Eskenazi 2020): two thirds of the dialogues teach, a third tests, ten fresh splits
(seed 0), ratings are learned by ridge; with the features of the default model, with those of replies besides, and
with those of replies alone. Then each column's own correlation with the ratings.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from benchmarks.report import context, markdown_table, write
from benchmarks.small_data import RIDGE
from naturalness.data.formats import location
from naturalness.features import DEFAULT
from naturalness.features.reply import OWN_CONTEXT
from naturalness.pipelines.card import figure_text
from naturalness.pipelines.evaluation import Protocol, Result, evaluate
from naturalness.pipelines.fitting import Settings
from naturalness.pipelines.rated import TABLE_OPTIONS, measure_rated, read_table
from naturalness.statistics.correlation import spearman

FILES: Mapping[str, str] = {
    "Topical-Chat": "usr_topicalchat.naturalness.tsv",
    "PersonaChat": "usr_personachat.naturalness.tsv",
}
REPLY = f"{OWN_CONTEXT}source"
WAYS: Mapping[str, tuple[str, ...]] = {
    "default features": DEFAULT,
    "default and reply": (*DEFAULT, REPLY),
    "reply alone": (REPLY,),
}
SHOWN = {"spearman": "Spearman", "pearson": "Pearson"}


def judged(path: Path) -> tuple[dict[str, Result], dict[str, float]]:
    """Every way on the same splits; and the correlation of each column with the ratings."""
    options = dict.fromkeys(TABLE_OPTIONS) | {
        "source_column": "source",
        "learn": "ratings",
        "middle": "leave out",
        "rater_scale": "none",
        "rating_columns": ["rating"],
        "keep_duplicates": False,
    }
    groups = list(WAYS["default and reply"])
    rated, rates = read_table(location(str(path)), options, groups)
    measured = measure_rated(rated, rates, groups, nlp="en", store=None, report=lambda *_: None)
    data = measured.data.part(measured.usable)
    new = [i for i, name in enumerate(data.columns) if name.startswith("reply_")]
    old = [i for i in range(len(data.columns)) if i not in new]
    views = dict(zip(WAYS, (old, [*old, *new], new), strict=True))
    results: dict[str, Result] = {}
    for name, columns in views.items():
        results |= evaluate(
            data.with_columns(columns), {name: Settings(learner=RIDGE)}, Protocol(), baselines=(), n_jobs=1
        )
    alone = {}
    for i in new:
        values = data.table[:, i]
        defined = ~np.isnan(values)
        alone[data.columns[i].partition("__")[2]] = spearman(values[defined], np.asarray(data.ratings)[defined])
    return results, alone


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ratings", type=Path)
    options = parser.parse_args()
    outcomes = {name: judged(options.ratings / file) for name, file in FILES.items()}
    rows = [
        [name, way, *(figure_text(result.summary()[figure]) for figure in SHOWN)]
        for name, (results, _) in outcomes.items()
        for way, result in results.items()
    ]
    columns = next(iter(outcomes.values()))[1]
    own_rows = [[column, *(f"{alone[column]:+.2f}" for _, alone in outcomes.values())] for column in columns]
    body = (
        markdown_table(["replies", "features", *SHOWN.values()], rows)
        + "\nEach column alone, Spearman:\n\n"
        + markdown_table(["column", *outcomes], own_rows)
    )
    data = {
        "context": context(command="python -m benchmarks.replies RATINGS", seed=0, files=dict(FILES)),
        "figures": {
            name: {way: {f: result.summary()[f] for f in SHOWN} for way, result in results.items()}
            for name, (results, _) in outcomes.items()
        },
        "columns": {name: {c: round(v, 3) for c, v in alone.items()} for name, (_, alone) in outcomes.items()},
    }
    write("replies", "What the context of a reply adds", body, data)


if __name__ == "__main__":
    main()
