"""Correlation of SLOR and related measures with human ratings, without any training on ratings.

`python -m benchmarks.language RATINGS [--model NAME=FOLDER]...`

Spearman's rho of SLOR, NCE and log-probability of the shipped models, and of others that are named,
of models of pieces also of SLOR per word:
`--model NAME=FOLDER`. The mean is that of GUG, Lau BNC and style transfer, by which the models were chosen.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path

import numpy as np

from benchmarks.report import markdown_table, write
from naturalness.arrays import FloatArray
from naturalness.models.language.base import TokenScores
from naturalness.models.language.likelihood import nce, slor, slor_per_word
from naturalness.models.language.ngram import NgramModel
from naturalness.models.language.spec import open_language_model
from naturalness.statistics.correlation import spearman
from naturalness.text.parsing import parse
from training.arguments import command_parser
from training.default_model.sets import SETS, read_set

CHOSEN_BY = ("GUG", "Lau BNC", "style transfer")
JUDGED = (*CHOSEN_BY, "SFHOTEL", "SFREST", "Topical-Chat")
Measure = Callable[[TokenScores], float]
MEASURES: dict[str, Measure] = {
    "SLOR": slor,
    "NCE": nce,
    "log-probability": lambda scores: float(scores.logprobs.sum()),
}


def measures_of(model: NgramModel) -> Mapping[str, Measure]:
    """Return the measures by name; a model of pieces has one more."""
    if model.read.kind != "pieces":
        return MEASURES
    cost = lru_cache(maxsize=None)(model.spelled)
    return {**MEASURES, "SLOR per word": partial(slor_per_word, cost=cost)}


def correlation(values: Sequence[float], ratings: FloatArray) -> float:
    """Return Spearman's rho over the texts with a value; a text without words has none."""
    numbers = np.array(values)
    defined = ~np.isnan(numbers)
    return round(float(spearman(numbers[defined], ratings[defined])), 4)


def named(value: str) -> tuple[str, str]:
    """Parse ``NAME=FOLDER``."""
    name, equals, folder = value.partition("=")
    if not (name and equals and Path(folder).exists()):
        raise argparse.ArgumentTypeError(f"expected NAME=FOLDER, found {value!r}")
    return name, folder


def main() -> None:
    """Run the command."""
    parser = command_parser(__doc__, "ratings")
    parser.add_argument("--model", action="append", type=named, default=[], metavar="NAME=FOLDER")
    options = parser.parse_args()
    models = {
        name: open_language_model(spec) for name, spec in [("words", "words"), ("pieces", "pieces"), *options.model]
    }
    measures = {name: measures_of(model) for name, model in models.items()}
    figures: dict[str, dict[str, float]] = {f"{m}, {w}": {} for m in models for w in measures[m]}
    for label in JUDGED:
        rated = read_set(options.ratings / SETS[label].file)
        docs = parse(rated.texts)
        for model_name, model in models.items():
            scored = model.token_logprobs(docs)
            for what, measure in measures[model_name].items():
                values = [measure(scores) for scores in scored]
                figures[f"{model_name}, {what}"][label] = correlation(values, rated.ratings)
    for row in figures.values():
        row["mean of three"] = round(float(np.mean([row[label] for label in CHOSEN_BY])), 4)
    columns = [*JUDGED, "mean of three"]
    rows = [[name, *(f"{row[c]:.3f}" for c in columns)] for name, row in figures.items()]
    write(
        "language",
        "Spearman of language models' scores with ratings, untrained",
        markdown_table(["model, measure", *columns], rows),
        {"figures": figures},
        command=" ".join(
            ["python -m benchmarks.language RATINGS", *(f"--model {name}=DIR" for name, _ in options.model)]
        ),
        models={name: model.signature for name, model in models.items()},
    )


if __name__ == "__main__":
    main()
