"""The default recipe on rated sets that it never saw, and the default model's weaknesses.

`python -m benchmarks.leave_out RATINGS CORPORA [--work DIR]`: RATINGS and CORPORA as for `training.default_model`,
whose recipe it is. Sets of one family (the same texts or authors) are left out together. Beside it stand the best
single metric of each family, and the scores that the shipped model gives to held-out sentences under growing damage, to
the same sentences typed differently, and to sentences of our own.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.leave_out import monotony, own_sentences, typed, weaknesses
from benchmarks.leave_out.beside import Margins, beside, members_of
from benchmarks.leave_out.pairs import E2E, on_pairs
from benchmarks.leave_out.references import with_references
from benchmarks.leave_out.tables import page
from benchmarks.report import write
from naturalness.arrays import FloatArray
from naturalness.features import DEFAULT, column_names, resolve
from naturalness.pipelines.scorer import load_model
from training.arguments import command_parser
from training.default_model.measure import Material, figures_of, means, put_cross_fitted, read_material, table_of
from training.default_model.recipe import DAMAGE_WEIGHT, PENALTY, judged_by_leaving_out
from training.default_model.sets import MAIN, SETS, SIX, teaching


def of_the_model(material: Material, margins: Margins, corpora: Path, work: Path | None) -> dict[str, Any]:
    """Return the shipped model's scores of unrated texts, and its correlations by length."""
    model = load_model()

    def scored(name: str, texts: list[str]) -> FloatArray:
        return model.decide(table_of(name, texts, work, DEFAULT)[:, model.positions])[0]

    ladder = monotony.build(corpora)
    by_step = scored("damaged step by step", ladder.texts)
    listed = own_sentences.every()
    sentences = ladder.steps[0]
    return {
        "growing damage": monotony.figures_of(ladder, by_step),
        "typed otherwise": typed.figures_of(scored("typed", typed.typed(sentences))),
        "by length": weaknesses.by_length(material, margins),
        "natural sentences": weaknesses.natural(ladder.registers, sentences, by_step[: len(sentences)]),
        "own sentences": weaknesses.on_sentences(dict(zip(listed, scored("own", listed).tolist(), strict=True))),
    }


def with_all_groups(material: Material, work: Path | None) -> Material:
    """Return the sets on which single metrics are compared with the model, with the columns of all groups.

    Damage is what a detector finds that never saw the ratings of a set's family.
    """
    tables, columns = {}, tuple(column_names(resolve()))
    for name in (*SIX, E2E):
        texts = material.rated[name].texts
        tables[name] = table_of(name, texts, work)
        put_cross_fitted(name, tables[name], texts, columns, work)
    return replace(material, tables=tables, columns=columns)


def main() -> None:
    """Run the command."""
    options = command_parser(__doc__, "ratings", "corpora", "--work").parse_args()
    material = read_material(options.ratings, options.corpora, options.work, groups=DEFAULT)
    pool = material.pool()
    margins = {name: judged_by_leaving_out(name, pool, material.tables[name]) for name in material.rated}
    figures = {name: figures_of(material, name, margins_of) for name, margins_of in margins.items()}
    wide = with_all_groups(material, options.work)
    single = members_of(wide, options.work)
    data: dict[str, Any] = {
        "sets": figures,
        "mean_of_eight": means(figures),
        "mean_of_six": {key: round(float(np.mean([figures[name][key] for name in SIX])), 3) for key in means(figures)},
        "beside": beside(wide, margins, single, options.ratings),
        "pairs": on_pairs(wide, margins[E2E], options.ratings, options.work),
        "with references": with_references(material, margins, options.ratings, options.work),
        **of_the_model(material, margins, options.corpora, options.work),
    }
    write(
        "leave_out",
        "The default recipe on rated sets that it never saw",
        page(data),
        data,
        command="python -m benchmarks.leave_out RATINGS CORPORA",
        seed=0,
        penalty=PENALTY,
        damage_weight=DAMAGE_WEIGHT,
        main=list(MAIN),
        six=list(SIX),
        teaching=teaching(),
        licences={name: entry.licence for name, entry in SETS.items()},
    )


if __name__ == "__main__":
    main()
