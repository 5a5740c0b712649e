"""The small language model: bits per character, and correlation with ratings that it never saw.

`python -m benchmarks.neural_lm RATINGS CORPORA`: bits per
character of each register's held-out text (the half on which the weight of the mixture was not
fitted; pieces that the n-grams do not know are left out for all), Spearman of its numbers with
human ratings beside those of the n-grams, CoLA's development part with a threshold from its train
part, pairs of E2E.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from benchmarks.report import markdown_table, write
from benchmarks.untrained import by_set, cola, pairs
from naturalness.arrays import FloatArray
from naturalness.models.language.base import TokenScores
from naturalness.models.language.likelihood import belonging, nce, slor
from naturalness.models.language.neural.model import Foretold, NeuralModel
from naturalness.models.language.shipped import neural
from naturalness.text.parsing import parse
from naturalness_replication.pseudo import pseudo
from training.arguments import command_parser
from training.language.corpora import REGISTERS
from training.neural_lm.weighing import both, held_out

MODELS = ("n-grams", "network", "mixed")
MEASURES: dict[str, Callable[[TokenScores], float]] = {
    "sum": lambda scores: float(scores.logprobs.sum()),
    "NCE": nce,
    "SLOR": slor,
    "belonging": belonging,
}
NUMBERS = tuple(f"{number}, {model}" for model in MODELS for number in MEASURES)
PSEUDO = ("PLL, sum", "PLL, mean")
PSEUDO_TEXTS = 150
"""Texts of each rated set, since every piece needs a run of the network."""


def numbers(foretold: Foretold) -> list[float]:
    """Return the numbers of a text, in the order of `NUMBERS`."""
    alternatives = (foretold.counted.logprobs, foretold.logs, foretold.mixed.logprobs)
    rows = [foretold.counted._replace(logprobs=logs) for logs in alternatives]
    return [measure(row) for row in rows for measure in MEASURES.values()]


def bits(model: NeuralModel, corpora: Path) -> dict[str, list[float]]:
    """Return bits per character by register and model, and the mean over registers."""
    out = {}
    for register in REGISTERS:
        texts = held_out(corpora, register, fitting=False)
        characters = sum(len(text) + 1 for text in texts)  # the end of a line too
        network, counted, mixed = both(model, texts)
        out[register] = [float(-logs.sum() / math.log(2) / characters) for logs in (counted, network, mixed)]
    out["mean"] = np.mean(list(out.values()), axis=0).tolist()
    return out


def main() -> None:
    """Run the command."""
    options = command_parser(__doc__, "ratings", "corpora").parse_args()
    model = neural()

    def measure(texts: Sequence[str]) -> FloatArray:
        return np.array([numbers(figures) for figures in model.foretell(list(parse(texts)))])

    def measure_pseudo(texts: Sequence[str]) -> FloatArray:
        logs = pseudo(model, list(parse(texts)))
        return np.array([[x.sum(), x.mean()] if len(x) else [np.nan] * 2 for x in logs])

    by_register = bits(model, options.corpora)
    rows = [[name, *figures, 1 - figures[2] / figures[0]] for name, figures in by_register.items()]
    by_rated = by_set(options.ratings, measure)
    tables = [
        f"Bits per character of held-out text (weight of the network {model.weight}):\n",
        markdown_table(["register", *MODELS, "share saved by mixing"], rows),
        "Spearman with ratings:\n",
        markdown_table(["set", *NUMBERS], [[name, *figures] for name, figures in by_rated.items()]),
    ]
    data: dict[str, object] = {
        "bits_per_character": by_register,
        "ratings": by_rated,
        "numbers": NUMBERS,
        "weight": model.weight,
    }
    by_pseudo = by_set(options.ratings, measure_pseudo, PSEUDO_TEXTS)
    matthews, won = cola(options.ratings, measure), pairs(options.ratings, measure)
    data |= {"pseudo": by_pseudo, "cola": matthews, "pairs": won}
    tables += [
        f"Spearman of the pseudo-log-likelihood, about {PSEUDO_TEXTS} texts of each set:\n",
        markdown_table(["set", *PSEUDO], [[name, *figures] for name, figures in by_pseudo.items()]),
        "CoLA: Matthews' correlation on its development part, threshold from its train part; "
        "pairs of E2E: share in which the preferred text has the higher number:\n",
        markdown_table(["", *NUMBERS], [["CoLA", *matthews], ["E2E pairs", *won]]),
    ]
    write(
        "neural_lm",
        "The small language model",
        "\n".join(tables),
        data,
        command="python -m benchmarks.neural_lm RATINGS CORPORA",
        seed=0,
    )


if __name__ == "__main__":
    main()
