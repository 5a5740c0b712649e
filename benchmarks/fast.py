"""What the fast model loses: both shipped recipes on each rated set, trained without it.

`python -m benchmarks.fast RATINGS CORPORA [--work DIR]`: RATINGS and CORPORA as for
`training.default_model`. The fast recipe is measured; the default model's figures are those that
stand in its entry of the assets' manifest, which `benchmarks.leave_out` measures anew.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.report import context, markdown_table, write
from naturalness.features import FAST
from naturalness.files.resources import load_manifest
from training.default_model.measure import FIGURES, Figures, figures_by_set, means, read_material
from training.default_model.products import PRODUCTS
from training.default_model.recipe import pool_of
from training.default_model.sets import MAIN, teaching

Row = dict[str, float]


def cells(name: str, n: int | None, default: Row, fast: Row) -> list[object]:
    """Both models' figures, and what is lost of the first."""
    pairs = [f"{default[f]:.3f} / {fast[f]:.3f}" for f in FIGURES]
    return [name, n, *pairs, f"{fast['spearman'] - default['spearman']:+.3f}"]


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ratings", type=Path)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--work", type=Path)
    options = parser.parse_args()
    material = read_material(options.ratings, options.corpora, options.work, groups=FAST)
    pool = pool_of(material.rated, material.tables, material.damaged, teaching=teaching(), columns=material.columns)
    fast = figures_by_set(material, pool)
    default: Figures = dict(load_manifest()[PRODUCTS["default"].asset].figures["sets"])
    rows = [cells(name, int(fast[name]["n"]), default[name], fast[name]) for name in fast]
    rows.append(cells("*mean of eight*", None, means(default), means(fast)))
    header = [
        "left out",
        "texts",
        *(f"{name}, default / fast" for name in FIGURES.values()),
        "Spearman, fast less default",
    ]
    note = f"\nThe eight: {', '.join(MAIN)}.\n"
    about = context(
        command="python -m benchmarks.fast RATINGS CORPORA",
        seed=0,
        groups=list(FAST),
        main=list(MAIN),
        teaching=teaching(),
    )
    data = {
        "context": about,
        "sets": {"default": default, "fast": fast},
        "mean_of_eight": {"default": means(default), "fast": means(fast)},
    }
    title = "The fast model beside the default, on rated sets that neither saw"
    write("fast", title, markdown_table(header, rows) + note, data)


if __name__ == "__main__":
    main()
