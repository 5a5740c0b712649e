"""Rebuild the model of prose: ``python -m training.prose RATINGS --work DIR`` (eight minutes, one core, seed 0).

It learns from LAMP: paragraphs by language models and their versions after a professional writer's edit, rated by
writers.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from naturalness.features import resolve
from naturalness.judging.background import Background, herd, spread_of
from naturalness.judging.folder import write_model
from naturalness.judging.hashes import known_texts
from naturalness.judging.model import PROSE_MODEL, SHIPPED
from naturalness.judging.reference import quantiles_of
from naturalness.pipelines.card import LIMITS
from naturalness.pipelines.evaluation import pairs_within_sources
from naturalness.pipelines.saving import description_of
from training.arguments import command_parser
from training.default_model.card import card_template
from training.default_model.measure import table_of
from training.default_model.sets import SETS
from training.manifest import ASSETS, record
from training.prose.learning import GROUPS, LAMP, PENALTY, calibrated, figures, out_of_fold, read_paragraphs, repeated

COMMAND = "python -m training.prose RATINGS --work DIR"


def main() -> None:
    """Run the command."""
    options = command_parser(__doc__, "ratings", work=True).parse_args()
    data = read_paragraphs(options.ratings, options.work)
    measured = figures(data, out_of_fold(data))
    print(json.dumps(measured, indent=1))
    compiled, asset = calibrated(data), SHIPPED[PROSE_MODEL]
    sources = [{"name": LAMP, "licence": SETS[LAMP].licence}]
    n_pairs, n_fair = map(len, pairs_within_sources(data).values())
    groups = resolve(GROUPS)
    described = description_of(
        groups,
        compiled,
        nlp="en",
        classes=("unnatural", "natural"),
        threshold=0.5,
        scale=(0.0, 1.0),
        learner="mean of voice and ridge within sources",
        parameters={"penalty": PENALTY},
        training={"sources": [{**sources[0], "texts": len(data)}], "command": COMMAND},
    )
    card = card_template(Path(__file__).parent).render(
        figures=measured,
        texts=len(data),
        words=round(np.median(data.lengths).item() / 10) * 10,
        shorter=1 - n_fair / n_pairs,
        sources=sources,
        limits=LIMITS,
        penalty=PENALTY,
    )
    write_model(
        ASSETS / asset,
        described,
        compiled,
        seen=known_texts(data.texts),
        background=Background(
            herd(compiled.preparation.apply(data.table)),
            *spread_of(repeated(data, compiled.calibration)),
            quantiles=quantiles_of(table_of(LAMP, data.texts, options.work, GROUPS)),
        ),
        pages={
            "card.md": card.encode(),
            "metrics.json": (json.dumps({"left_out": measured}, indent=1) + "\n").encode(),
        },
        force=True,
    )
    record(asset, measured, sources=sources)


if __name__ == "__main__":
    main()
