"""Quality of models trained on a set itself.

`python -m benchmarks.trained RATINGS CORPORA [--work DIR] [--jobs N]`: two thirds of a set are training data and a
third is test data, in ten fresh splits (seed 0); the target is the rating. Splits keep together either equal texts
only, or all texts from one source (an original and its translations, the outputs for one input). The figures are means
over the splits, with their standard deviation. `adapted` starts from the default recipe trained without the set and its
family.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from operator import attrgetter
from typing import Any

import numpy as np

from benchmarks.own_sets import FILES_OF_SETS, RatedSet, pool, read_rated_set, without
from benchmarks.report import markdown_table, write
from benchmarks.small_data import ADAPTED, RIDGE, View
from benchmarks.words import tf_idf
from naturalness.pipelines.card import figure_text
from naturalness.pipelines.evaluation import Protocol, Result, evaluate, length
from naturalness.pipelines.fitting import Settings
from naturalness.pipelines.warm_start import Origin
from training.arguments import command_parser

SHOWN = {"spearman": "Spearman", "spearman_given_length": "given length", "pearson": "Pearson"}
WAYS: Mapping[str, tuple[View, str]] = {
    "the default's features, `adapted`": (RatedSet.with_default, ADAPTED),
    "features, `adapted`": (attrgetter("data"), ADAPTED),
    "features, ridge": (attrgetter("data"), RIDGE),
}


def judged(rated_set: RatedSet, origin: Origin, ways: Mapping[str, tuple[View, str]], jobs: int) -> dict[str, Result]:
    """Evaluate every method and tf-idf on the same splits."""
    results: dict[str, Result] = {}
    for name, (view, learner) in ways.items():
        results |= evaluate(
            view(rated_set),
            {name: Settings(learner=learner, origin=origin)},
            Protocol(),
            baselines={} if results else {"length alone": length, "tf-idf": tf_idf},
            n_jobs=jobs,
            progress=lambda *steps: print(".", end="", file=sys.stderr, flush=True),
        )
    return results


def main() -> None:
    """Run the command."""
    parser = command_parser(__doc__, "ratings", "corpora", "--work")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    teaching = pool(options.ratings, options.corpora, options.work)
    sections, results = [], {}
    for name, parts in FILES_OF_SETS.items():
        rated_set = read_rated_set(name, options.ratings, options.work)
        groupings = {"equal texts together": rated_set.by_text(), "sources together": rated_set}
        if len(np.unique(rated_set.data.groups)) == len(rated_set.data):
            del groupings["sources together"]
        for how, view in groupings.items():
            by_way = judged(view, without(teaching, parts), WAYS, options.jobs)
            summary = {way: _shown(result) for way, result in by_way.items()}
            results[f"{name}, {how}"] = summary
            rows = [[way, *(figure_text(r.summary()[f]) for f in SHOWN)] for way, r in by_way.items()]
            table = markdown_table(["", *SHOWN.values()], rows)
            sections.append(f"## {name} ({len(rated_set.data):,} texts), {how}\n\n{table}")
            print(f"\n{sections[-1]}", flush=True)
    write(
        "trained",
        "Trained on the set itself",
        "\n".join(sections),
        {"figures": results},
        command="python -m benchmarks.trained RATINGS CORPORA",
        seed=0,
        sets={name: list(parts) for name, parts in FILES_OF_SETS.items()},
    )


def _shown(result: Result) -> dict[str, Any]:
    """Return the figures shown, rounded to four digits."""
    summary = result.summary()
    return {
        figure: {key: round(value, 4) if value == value else None for key, value in summary[figure].items()}
        for figure in SHOWN
    }


if __name__ == "__main__":
    main()
