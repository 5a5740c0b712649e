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
    found = {
        "all features": ([ALL], LINEAR),
        "shipped detector as encoder": ([SHIPPED], LINEAR),
        "features and shipped encoder": ([ALL, SHIPPED], LINEAR),
    }
    if encoder:
        named = f"embedding:{encoder}"
        found["sentence encoder"] = ([named], LINEAR)
        found["features and sentence encoder"] = ([ALL, named], LINEAR)
    if has_package("torch"):
        found[DEEP] = ([LEARNERS[DEEP].reads], DEEP)
    return found


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ratings", type=Path)
    parser.add_argument("--encoder", default="", help="a folder, or hf:NAME")
    parser.add_argument("--repeats", type=int, default=REPEATS, help=f"fresh splits ({REPEATS})")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    sections, results = [], {}
    for name, entry in SETS.items():
        found: dict[str, Result] = {}
        for title, (features, learner) in ways(given.encoder).items():
            data = read(given.ratings, entry, features=features)
            data = replace(data, rates=entry.graded)
            told = evaluate(
                data,
                {title: Settings(learner=learner)},
                Protocol(repeats=given.repeats),
                n_jobs=given.jobs,
                advance=lambda done: print(".", end="", file=sys.stderr, flush=True),
            )
            found |= {key: value for key, value in told.items() if key not in found}
        results[name] = {title: result.summary() for title, result in found.items()}
        rows = figure_rows(results[name])
        sections.append(f"## {name}\n\n" + markdown_table(["", *HEADLINES.values()], rows))
        print(name, flush=True)
    made: dict[str, Any] = context(
        command=f"python -m benchmarks.embeddings RATINGS --repeats {given.repeats}"
        + (" --encoder PATH" if given.encoder else ""),
        seed=0,
        sets={name: list(entry.files) for name, entry in SETS.items()},
    )
    made["encoder"] = Path(given.encoder).name
    write(
        "embeddings", "Features, embeddings, a deep model", "\n".join(sections), {"context": made, "figures": results}
    )


if __name__ == "__main__":
    main()
