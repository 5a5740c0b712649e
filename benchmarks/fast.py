"""The loss of the fast model or the gain of the large one, on each rated set, by recipes trained without the set.

`python -m benchmarks.fast RATINGS CORPORA [--large] [--work DIR]`: RATINGS and CORPORA as for
`training.default_model`. The fast or the large recipe is measured; the default model's figures are those that
stand in its entry of the assets' manifest, which `benchmarks.leave_out` measures anew.
"""

from __future__ import annotations

from benchmarks.report import markdown_table, write
from naturalness.files.resources import load_manifest
from training.arguments import command_parser
from training.default_model.measure import FIGURES, Figures, figures_by_set, means, read_material
from training.default_model.products import PRODUCTS
from training.default_model.sets import MAIN, teaching

Row = dict[str, float]


def cells(name: str, n: int | None, default: Row, other: Row) -> list[object]:
    """Return both models' figures and their difference."""
    pairs = [f"{default[f]:.3f} / {other[f]:.3f}" for f in FIGURES]
    return [name, n, *pairs, f"{other['spearman'] - default['spearman']:+.3f}"]


def main() -> None:
    """Run the command."""
    parser = command_parser(__doc__, "ratings", "corpora", "--work")
    parser.add_argument("--large", action="store_true", help="the large model instead of the fast one")
    options = parser.parse_args()
    which = "large" if options.large else "fast"
    groups = PRODUCTS[which].groups
    material = read_material(options.ratings, options.corpora, options.work, groups=groups)
    pool = material.pool()
    other = figures_by_set(material, pool)
    default: Figures = dict(load_manifest()[PRODUCTS["default"].asset].figures["sets"])
    rows = [cells(name, int(other[name]["n"]), default[name], other[name]) for name in other]
    rows.append(cells("*mean of eight*", None, means(default), means(other)))
    header = [
        "left out",
        "texts",
        *(f"{name}, default / {which}" for name in FIGURES.values()),
        f"Spearman, {which} less default",
    ]
    note = f"\nThe eight: {', '.join(MAIN)}.\n"
    data = {
        "sets": {"default": default, which: other},
        "mean_of_eight": {"default": means(default), which: means(other)},
    }
    title = f"The {which} model beside the default, on rated sets that neither saw"
    write(
        which,
        title,
        markdown_table(header, rows) + note,
        data,
        command=f"python -m benchmarks.fast RATINGS CORPORA{' --large' if options.large else ''}",
        seed=0,
        groups=list(groups),
        main=list(MAIN),
        teaching=teaching(),
    )


if __name__ == "__main__":
    main()
