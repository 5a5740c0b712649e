"""The loss of the fast model on each rated set, by recipes trained without the set.

`python -m benchmarks.fast RATINGS CORPORA [--work DIR]`: RATINGS and CORPORA as for `training.default_model`. The fast
recipe is measured; the default model's figures are those that stand in its entry of the assets' manifest, which
`benchmarks.leave_out` measures anew.
"""

from __future__ import annotations

from benchmarks.report import markdown_table, write
from naturalness.files.resources import load_manifest
from training.arguments import command_parser
from training.default_model.measure import FIGURES, Figures, figures_by_set, means, read_material
from training.default_model.products import PRODUCTS
from training.default_model.sets import MAIN, teaching

Row = dict[str, float]


def cells(name: str, n: int | None, default: Row, fast: Row) -> list[object]:
    """Return both models' figures and their difference."""
    pairs = [f"{default[f]:.3f} / {fast[f]:.3f}" for f in FIGURES]
    return [name, n, *pairs, f"{fast['spearman'] - default['spearman']:+.3f}"]


def main() -> None:
    """Run the command."""
    options = command_parser(__doc__, "ratings", "corpora", "--work").parse_args()
    groups = PRODUCTS["fast"].groups
    material = read_material(options.ratings, options.corpora, options.work, groups=groups)
    pool = material.pool()
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
    data = {
        "sets": {"default": default, "fast": fast},
        "mean_of_eight": {"default": means(default), "fast": means(fast)},
    }
    write(
        "fast",
        "The fast model beside the default, on rated sets that neither saw",
        markdown_table(header, rows) + note,
        data,
        command="python -m benchmarks.fast RATINGS CORPORA",
        seed=0,
        groups=list(groups),
        main=list(MAIN),
        teaching=teaching(),
    )


if __name__ == "__main__":
    main()
