"""Do features beat embeddings? The same splits for features, embeddings, both, and a deep model.

`python -m benchmarks.embeddings RATINGS [--encoder PATH] [--repeats N] [--jobs N]`: three sets of
`benchmarks.papers.naturalness` (ratings learned; of SFHOTEL and SFREST labels), regression with an
L2 penalty on all features, on the shipped detector as an encoder, on both, and on another encoder
where one is named; `bigru`, the deep baseline of Groves et al. (2018), where torch is installed;
baselines. Seed 0.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.papers.naturalness.sets import ENTRIES, read
from benchmarks.report import context, markdown_table, write
from naturalness.features import ALL
from naturalness.files.resources import has_package
from naturalness.models.learners.table import LEARNERS
from naturalness.pipelines.card import figure_rows
from naturalness.pipelines.evaluation import HEADLINES, Protocol, Result, evaluate
from naturalness.pipelines.fitting import Settings

LINEAR, DEEP = "logistic-l2", "bigru"
REPEATS = 3
SHIPPED = "embedding:shipped"
SETS = {name: ENTRIES[name] for name in ("GUG", "SFHOTEL + SFREST", "Lau BNC, by source")}


def ways(encoder: str) -> dict[str, tuple[list[str], str]]:
    """Groups and learner, by what is shown."""
    views = {
        "all features": ([ALL], LINEAR),
        "shipped detector as encoder": ([SHIPPED], LINEAR),
        "features and shipped encoder": ([ALL, SHIPPED], LINEAR),
    }
    if encoder:
        named = f"embedding:{encoder}"
        views["sentence encoder"] = ([named], LINEAR)
        views["features and sentence encoder"] = ([ALL, named], LINEAR)
    if has_package("torch"):
        views[DEEP] = ([LEARNERS[DEEP].reads], DEEP)
    return views


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ratings", type=Path)
    parser.add_argument("--encoder", default="", help="a folder, or hf:NAME")
    parser.add_argument("--repeats", type=int, default=REPEATS, help=f"fresh splits ({REPEATS})")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    sections, results = [], {}
    for name, entry in SETS.items():
        by_view: dict[str, Result] = {}
        for title, (features, learner) in ways(options.encoder).items():
            data = read(options.ratings, entry, features=features)
            data = replace(data, rates=entry.graded)
            evaluation = evaluate(
                data,
                {title: Settings(learner=learner)},
                Protocol(repeats=options.repeats),
                n_jobs=options.jobs,
                advance=lambda done: print(".", end="", file=sys.stderr, flush=True),
            )
            by_view |= {key: value for key, value in evaluation.items() if key not in by_view}
        results[name] = {title: result.summary() for title, result in by_view.items()}
        rows = figure_rows(results[name])
        sections.append(f"## {name}\n\n" + markdown_table(["", *HEADLINES.values()], rows))
        print(name, flush=True)
    about: dict[str, Any] = context(
        command=f"python -m benchmarks.embeddings RATINGS --repeats {options.repeats}"
        + (" --encoder PATH" if options.encoder else ""),
        seed=0,
        sets={name: list(entry.files) for name, entry in SETS.items()},
    )
    about["encoder"] = Path(options.encoder).name
    write(
        "embeddings", "Features, embeddings, a deep model", "\n".join(sections), {"context": about, "figures": results}
    )


if __name__ == "__main__":
    main()
