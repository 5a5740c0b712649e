"""Weights by which candidate edits are ranked before the classifier sees them.

`python -m benchmarks.edits_weights CORPORA [-n 30] [--seed 1]`: held-out sentences under one damage
each, as in `benchmarks.edits`, other ones than those that figures are reported on (seed 0). Among
all candidates of a sentence the one that undoes the damage shall come first: a conditional logit
with a small penalty, once over `ranking.COUNTED`, once over `ranking.READ` of the best of those.
Prints the two tables of naturalness/explaining/ranking.py, and how many repairs are among
the first by four-fold cross-validation.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from benchmarks.edits import UNDAMAGED, Case, cases, plain
from naturalness.arrays import FloatArray
from naturalness.explaining.candidates import candidates
from naturalness.explaining.ranking import COUNTED, READ, by_counts, by_networks
from naturalness.explaining.rewriting import Candidate, Text
from naturalness.features.rules import rule_checker
from naturalness.models.marks import marks
from naturalness.text.matches import checked
from naturalness.text.parsing import parse

PENALTY = 0.05
FOLDS = 4
READ_MOST = 60
"""Candidates of a sentence from which the second table is learned."""


class Choice(NamedTuple):
    """The candidates of a sentence, by numbers, and which of them undo its damage."""

    numbers: FloatArray
    right: NDArray[np.bool_]


class Sentence(NamedTuple):
    """A damaged sentence with its candidates."""

    text: Text
    edits: list[Candidate]
    choice: Choice


def sentence(case: Case) -> Sentence | None:
    """Candidates by counts; None where none undoes the damage."""
    docs = parse([case.damaged.text])
    text = Text(docs[0])
    edits = candidates(text, marks(docs)[0], checked(rule_checker(), docs)[0].matches)
    right = [plain(text.rewrite(c).text) == plain(case.damaged.original) for c in edits]
    if not any(right):
        return None
    return Sentence(text, edits, Choice(by_counts(text, edits), np.array(right)))


def second(sentence: Sentence, weights: FloatArray) -> Choice:
    """The best candidates, and the right one, by networks."""
    counted = sentence.choice.numbers @ weights
    order = np.argsort(-counted, kind="stable")
    choices = np.union1d(order[:READ_MOST], np.flatnonzero(sentence.choice.right))
    numbers = by_networks(sentence.text, [sentence.edits[i] for i in choices], counted[choices])
    return Choice(numbers, sentence.choice.right[choices])


def fit(choices: Sequence[Choice]) -> FloatArray:
    """Weights under which right candidates are most probable."""
    width = choices[0].numbers.shape[1]
    spread = np.std(np.vstack([choice.numbers for choice in choices]), axis=0)
    spread[spread == 0] = 1.0

    def loss(w: FloatArray) -> tuple[float, FloatArray]:
        value, slope = 0.0, np.zeros(width)
        for numbers, right in choices:
            x = numbers / spread
            z = x @ w
            p = np.exp(z - z.max())
            chosen = p[right].sum()
            value -= float(np.log(chosen / p.sum()))
            slope -= p[right] @ x[right] / chosen - p @ x / p.sum()
        n = len(choices)
        return value / n + PENALTY * float(w @ w) / 2, slope / n + PENALTY * w

    weights: FloatArray = minimize(loss, np.zeros(width), jac=True, method="L-BFGS-B").x
    return weights / spread


def ranks_of(choices: Sequence[Choice]) -> NDArray[np.int64]:
    """Place of the right candidate by weights of the other folds, from 1."""
    ranks = np.zeros(len(choices), dtype=np.int64)
    for fold in range(FOLDS):
        weights = fit([choice for i, choice in enumerate(choices) if i % FOLDS != fold])
        for i in range(fold, len(choices), FOLDS):
            z = choices[i].numbers @ weights
            ranks[i] = 1 + int((z > z[choices[i].right].max()).sum())
    return ranks


def tell(name: str, columns: Sequence[str], weights: FloatArray, at: NDArray[np.int64]) -> None:
    """Print one table and how well it does."""
    print(name, {c: round(float(w), 2) for c, w in zip(columns, weights, strict=True)})
    print({f"among {k}": round(float(np.mean(at <= k)), 2) for k in (1, 3, 6, 10, 25, 40)})


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("-n", type=int, default=30, help="sentences of each kind")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    drawn = [c for c in cases(options.corpora, options.n, options.seed) if c.kind != UNDAMAGED]
    sentences = [drawn_sentence for drawn_sentence in map(sentence, drawn) if drawn_sentence is not None]
    print(f"{len(sentences)} of {len(drawn)} damages can be undone by some candidate")
    counted = fit([drawn_sentence.choice for drawn_sentence in sentences])
    tell("BY_COUNTS", COUNTED, counted, ranks_of([drawn_sentence.choice for drawn_sentence in sentences]))
    choices = [second(drawn_sentence, counted) for drawn_sentence in sentences]
    tell("BY_NETWORKS", READ, fit(choices), ranks_of(choices))


if __name__ == "__main__":
    main()
