"""The default recipe on each rated set, trained without it.

`python -m benchmarks.leave_out RATINGS CORPORA [--work DIR]`: RATINGS and CORPORA as for
`training.default_model`, whose recipe it is. Sets of one family (the same texts or makers) leave
together.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from benchmarks.report import context, markdown_table, write
from training.default_model.measure import FIGURES, Figures, figures_by_set, means, read_material
from training.default_model.recipe import DAMAGE_WEIGHT, PENALTY, pool_of
from training.default_model.sets import MAIN, SETS, teaching

VARIANTS: dict[str, dict[str, Any]] = {
    "all sets and damage": {},
    "without damage": {"damage_weight": 1e-6},
    "a quarter of the damage": {"damage_weight": DAMAGE_WEIGHT / 4},
    "half the damage": {"damage_weight": DAMAGE_WEIGHT / 2},
    "twice the damage": {"damage_weight": 2 * DAMAGE_WEIGHT},
    "licensed sets alone, and damage": {"licensed_only": True},
}


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ratings", type=Path)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--work", type=Path)
    given = parser.parse_args()
    material = read_material(given.ratings, given.corpora, given.work)
    found: dict[str, Figures] = {}
    for name, changes in VARIANTS.items():
        settings = dict(changes)
        names = teaching(licensed_only=settings.pop("licensed_only", False))
        pool = pool_of(
            material.rated, material.tables, material.damaged, teaching=names, **settings
        )
        found[name] = figures_by_set(material, pool)
    shipped = found["all sets and damage"]
    rows = [[name, *(row[f] for f in ("n", *FIGURES))] for name, row in shipped.items()]
    rows += [
        [f"*mean of eight: {name}*", None, *means(figures).values()]
        for name, figures in found.items()
    ]
    made = context(
        command="python -m benchmarks.leave_out RATINGS CORPORA", seed=0, penalty=PENALTY,
        damage_weight=DAMAGE_WEIGHT, main=list(MAIN), teaching=teaching(),
        licences={name: entry.licence for name, entry in SETS.items()},
    )  # fmt: skip
    table = markdown_table(["left out", "texts", "Spearman", "given length", "Pearson"], rows)
    means_of = {name: means(figures) for name, figures in found.items()}
    data = {"context": made, "sets": found, "mean_of_eight": means_of}
    title = "The default recipe on rated sets that it never saw"
    write("leave_out", title, table, data)


if __name__ == "__main__":
    main()
