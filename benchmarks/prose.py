"""Which of two versions of a paragraph a writer rated higher: `python -m benchmarks.prose RATINGS CORPORA`.

LAMP: paragraphs by three language models, and the same after a professional writer's edit, each with a writer's score.
A linear model learns from the differences of two versions, its penalty chosen within the training part; drafts of one
paragraph stay on one side of the split. Ten splits, a third for testing. Then how many paragraphs by people
(consecutive lines of books, news and blogs, about 200 words) fall below the score that finds half of the lower-rated
versions.
"""

from __future__ import annotations

import lzma
import random
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.report import context, markdown_table, write
from naturalness.arrays import FloatArray, IntArray
from naturalness.features import DEFAULT, column_names, resolve
from naturalness.features.measuring import measure
from naturalness.models.learners.prepared import learn_preparation
from naturalness.statistics.logistic import fit_logistic
from training.arguments import command_parser
from training.default_model.sets import read_rows

FILE = "lamp.quality.tsv.gz"
SPLITS, TEST_SHARE, FOLDS = 10, 1 / 3, 4
PENALTIES = (10.0, 30.0, 100.0, 300.0, 1000.0)
REGISTERS, PARAGRAPHS, WORDS = ("books", "news", "blog"), 250, 190
STOCK = "stock_phrases"
"""Their list was counted in these very paragraphs, scores aside: see the manifest for what it says of others."""
NEAR = 0.05
"""Largest difference of log lengths at which two texts count as equally long."""
KINDS = {"all": "pairs", "longer": "the longer is better", "near": "nearly as long"}


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of versions of a paragraph, the higher-rated first."""

    rows: IntArray
    source: NDArray[np.str_]
    lengths: FloatArray
    """Number of words of each text."""

    def of_kind(self) -> dict[str, NDArray[np.bool_]]:
        """Return which pairs are of each kind."""
        better, worse = self.lengths[self.rows[:, 0]], self.lengths[self.rows[:, 1]]
        near = np.abs(np.log(better / worse)) < NEAR
        return {"all": np.ones(len(better), dtype=bool), "longer": better > worse, "near": near}


def read(ratings: Path) -> tuple[list[str], Pairs]:
    """Return the texts and their pairs."""
    rows = read_rows(ratings / FILE)
    score = np.array([float(row["rating"]) for row in rows])
    sources = np.array([row["source"] for row in rows])
    pairs = []
    for source in np.unique(sources):
        versions = np.flatnonzero(sources == source).tolist()
        pairs += [(a, b) for a in versions for b in versions if score[a] > score[b]]
    index = np.array(pairs)
    lengths = np.array([len(row["text"].split()) for row in rows], dtype=np.float64)
    return [row["text"] for row in rows], Pairs(index, sources[index[:, 0]], lengths)


def direction(differences: FloatArray, penalty: float) -> FloatArray:
    """Fit logistic regression on differences, each with both signs."""
    both = np.vstack([differences, -differences])
    better = np.repeat([1.0, 0.0], len(differences))
    return np.asarray(fit_logistic(both, better, np.ones(len(both)), np.full(both.shape[1], penalty)))


def chosen_penalty(differences: FloatArray, source: NDArray[np.str_], seed: int) -> float:
    """Return the penalty that orders most pairs of held-out folds correctly."""
    names = np.unique(source)
    fold_of = dict(
        zip(np.random.default_rng(seed).permutation(names).tolist(), np.arange(len(names)) % FOLDS, strict=True)
    )
    fold = np.array([fold_of[name] for name in source])

    def right(penalty: float) -> float:
        return float(
            np.mean(
                np.concatenate(
                    [differences[fold == f] @ direction(differences[fold != f], penalty) > 0 for f in range(FOLDS)]
                )
            )
        )

    return max(PENALTIES, key=right)


def accuracies(table: FloatArray, pairs: Pairs) -> tuple[dict[str, float], FloatArray]:
    """Return the share of pairs ordered correctly by kind, and the mean weight of each prepared column."""
    shares: dict[str, list[float]] = {kind: [] for kind in KINDS}
    weights: FloatArray = np.zeros(table.shape[1])
    names = np.unique(pairs.source).tolist()
    for seed in range(SPLITS):
        test_names = set(random.Random(seed).sample(names, round(len(names) * TEST_SHARE)))
        test = np.array([name in test_names for name in pairs.source])
        preparation = learn_preparation(table[np.unique(pairs.rows[~test])])
        rows = preparation.apply(table)
        differences = rows[pairs.rows[:, 0]] - rows[pairs.rows[:, 1]]
        weight = direction(differences[~test], chosen_penalty(differences[~test], pairs.source[~test], seed))
        right = 0.5 + 0.5 * np.sign(differences @ weight)
        for kind, rows_of in pairs.of_kind().items():
            shares[kind].append(float(right[test & rows_of].mean()))
        weights += weight[: table.shape[1]] / SPLITS
    return {kind: float(np.mean(values)) for kind, values in shares.items()}, weights


def paragraphs(corpora: Path, register: str) -> list[str]:
    """Return consecutive lines of a register joined to about 200 words."""
    joined: list[str] = []
    lines: list[str] = []
    with lzma.open(corpora / f"{register}.txt.xz", "rt", encoding="utf-8") as file:
        for line in file:
            lines.append(line.strip())
            if sum(len(part.split()) for part in lines) >= WORDS:
                joined.append(" ".join(lines))
                lines = []
            if len(joined) == 16 * PARAGRAPHS:
                break
    return random.Random(0).sample(joined, PARAGRAPHS)


def main() -> None:
    """Command line."""
    options = command_parser(__doc__, "ratings", "corpora").parse_args()
    texts, pairs = read(options.ratings)
    prose = measure(texts, ["prose"], nlp="en").table
    default = measure(texts, list(DEFAULT), nlp="en").table
    names = [name.partition("__")[2] for name in column_names(resolve(["prose"]))]
    tables = {
        "length in words": pairs.lengths[:, None],
        "`prose`": prose,
        "default groups": default,
        "default groups and `prose`": np.hstack([default, prose]),
        "the same without stock phrases": np.hstack([default, np.delete(prose, names.index(STOCK), axis=1)]),
    }
    results = {what: accuracies(table, pairs) for what, table in tables.items()}
    shares = {
        what: {kind: round(share, 3) for kind, share in figures.items()} for what, (figures, _) in results.items()
    }
    alone = {name: round(accuracies(prose[:, [i]], pairs)[0]["all"], 3) for i, name in enumerate(names)}
    without = {name: round(accuracies(np.delete(prose, i, axis=1), pairs)[0]["all"], 3) for i, name in enumerate(names)}
    weights = dict(zip(names, results["`prose`"][1].round(2).tolist(), strict=True))
    preparation = learn_preparation(prose)
    rows = preparation.apply(prose)
    differences = rows[pairs.rows[:, 0]] - rows[pairs.rows[:, 1]]
    weight = direction(differences, chosen_penalty(differences, pairs.source, 0))
    threshold = float(np.median(rows[np.unique(pairs.rows[:, 1])] @ weight))
    alarms = {
        register: round(
            float(
                (
                    preparation.apply(measure(paragraphs(options.corpora, register), ["prose"], nlp="en").table)
                    @ weight
                    < threshold
                ).mean()
            ),
            3,
        )
        for register in REGISTERS
    }
    head = ["", *KINDS.values()]
    body = markdown_table(
        head, [[what, *(f"{figures[kind]:.3f}" for kind in KINDS)] for what, figures in shares.items()]
    )
    counts = {kind: int(rows_of.sum()) for kind, rows_of in pairs.of_kind().items()}
    same = sum(texts[a] == texts[b] for a, b in pairs.rows.tolist())
    body += (
        f"\nTies count as half correct; {same} pairs have the same text with two scores, so no measure can order them."
    )
    body += "\nPairs: " + ", ".join(f"{KINDS[kind]} {count:,}" for kind, count in counts.items()) + ".\n\n"
    body += (
        "The list of `stock_phrases` was counted in these paragraphs, including the test part, without using their "
        "scores; a list counted in one half orders 64 % of the pairs of the other half (`training.stock_phrases`).\n\n"
    )
    body += "Each column of `prose`: alone, left out, and its mean weight "
    body += "(above 0: the better version has higher values):\n\n"
    order = sorted(names, key=lambda name: -abs(weights[name]))
    body += markdown_table(
        ["column", "alone", "without it", "weight"],
        [[name, f"{alone[name]:.3f}", f"{without[name]:.3f}", f"{weights[name]:+.2f}"] for name in order],
    )
    body += "\nShare of human-written paragraphs below the score that identifies half of the lower-rated versions: "
    body += ", ".join(f"{register} {share:.1%}" for register, share in alarms.items()) + ".\n"
    about = context(command="python -m benchmarks.prose RATINGS CORPORA", splits=SPLITS, pairs=counts)
    data = {
        "context": about,
        "accuracy": shares,
        "alone": alone,
        "without": without,
        "weights": weights,
        "alarms": alarms,
    }
    write("prose", "Paragraphs by language models before and after a writer's edit", body, data)


if __name__ == "__main__":
    main()
