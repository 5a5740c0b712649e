"""The fast model beside the default, on rated sets that neither saw: `python -m benchmarks.fast`.

Both models' figures are those of their entries in the assets' manifest, which `training.default_model` measures when it
trains a model.
"""

from __future__ import annotations

from benchmarks.report import markdown_table, write
from naturalness.files.resources import load_manifest
from training.arguments import command_parser
from training.default_model.measure import FIGURES, Figures, means
from training.default_model.products import PRODUCTS
from training.default_model.sets import MAIN, teaching

Row = dict[str, float]


def cells(name: str, n: int | None, default: Row, fast: Row) -> list[object]:
    """Return both models' figures and their difference."""
    pairs = [f"{default[f]:.3f} / {fast[f]:.3f}" for f in FIGURES]
    return [name, n, *pairs, f"{fast['spearman'] - default['spearman']:+.3f}"]


def main() -> None:
    """Run the command."""
    command_parser(__doc__).parse_args()
    entries = load_manifest()
    sets: dict[str, Figures] = {
        which: dict(entries[product.asset].figures["sets"]) for which, product in PRODUCTS.items()
    }
    default, fast = sets["default"], sets["fast"]
    rows = [cells(name, int(fast[name]["n"]), default[name], fast[name]) for name in fast]
    rows.append(cells("*mean of eight*", None, means(default), means(fast)))
    header = [
        "left out",
        "texts",
        *(f"{name}, default / fast" for name in FIGURES.values()),
        "Spearman, fast less default",
    ]
    note = f"\nThe eight: {', '.join(MAIN)}. Each model's figures were measured when it was trained.\n"
    write(
        "fast",
        "The fast model beside the default, on rated sets that neither saw",
        markdown_table(header, rows) + note,
        {"sets": sets, "mean_of_eight": {which: means(figures) for which, figures in sets.items()}},
        command="python -m benchmarks.fast",
        seed=0,
        main=list(MAIN),
        teaching=teaching(),
    )


if __name__ == "__main__":
    main()
