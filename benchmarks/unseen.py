"""The shipped models on rated sets whose texts trained no part of them: `python -m benchmarks.unseen RATINGS`.

Nothing is trained, and at most 2,000 texts of a set are scored. Six of CoLA's, such as *It rained.*, are in other sets
too, which taught the models; no other text is. The families of the quiz questions and of the translated abstracts did
teach, with other texts. GUG and CoLA are in `benchmarks.leave_out` as well, and some choices were made by looking at
them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np

from benchmarks.report import by_name, write
from naturalness import load_model
from naturalness.judging.model import DEFAULT_MODEL, FAST_MODEL
from naturalness.statistics.correlation import spearman
from training.arguments import command_parser
from training.default_model.sets import Ratings, read_named, read_set

OTHERS: Mapping[str, str] = {
    "paraphrases (APTY)": "apty.rank.tsv",
    "headlines (HUSE)": "huse_summarization.typicality.tsv",
    "quiz questions": "quiz_design.fluent.tsv",
    "detoxified comments": "textdetox2024.fluency.tsv",
    "translated abstracts (BIO-MQM)": "bio_mqm.fluency_style.tsv.gz",
}
SENSE: Mapping[str, str] = {"sense (ComVE)": "comve.sense.tsv", "plausible events": "event_plausibility.rating.tsv"}
"""Sets of fluent sentences, rated by whether they make sense; the mean does without them."""
MOST = 2_000
MODELS = (DEFAULT_MODEL, FAST_MODEL)


def sampled(rated: Ratings) -> Ratings:
    """Return at most `MOST` of the texts, evenly spaced."""
    chosen = np.unique(np.linspace(0, len(rated.texts) - 1, MOST).astype(int))
    return Ratings(tuple(rated.texts[i] for i in chosen), rated.ratings[chosen])


def main() -> None:
    """Run the command."""
    folder = command_parser(__doc__, "ratings").parse_args().ratings
    named = {name: partial(read_named, folder, name) for name in ("GUG", "CoLA")}
    named |= {name: partial(read_set, folder / file) for name, file in {**OTHERS, **SENSE}.items()}
    figures = {name: figures_of(sampled(read())) for name, read in named.items()}
    of_fluency = [row for name, row in figures.items() if name not in SENSE]
    figures["*mean, without the last two*"] = {
        model: float(np.mean([row[model] for row in of_fluency])) for model in MODELS
    }
    shown = {name: {model: f"{value:.3f}" for model, value in row.items()} for name, row in figures.items()}
    title = "Rated sets that trained no part of the models: Spearman"
    write("unseen", title, by_name("set", shown), figures, command="python -m benchmarks.unseen RATINGS")


def figures_of(rated: Ratings) -> dict[str, float]:
    """Return the rank correlation of each model's scores with the ratings, over the texts that it can score."""
    figures = {}
    for model in MODELS:
        scores = load_model(model).score(rated.texts).naturalness
        scored = ~np.isnan(scores)
        figures[model] = spearman(scores[scored], rated.ratings[scored])
    return figures


if __name__ == "__main__":
    main()
