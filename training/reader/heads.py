"""Give the narrow detector its rating head: `python -m training.reader.heads RATINGS CORPORA FOLDER --work DIR`.

The body of the detector in FOLDER stays as it is, so marks and all else that depends on it are unchanged. The head is
linear: ridge regression, on the frozen vectors of the last layers, of the ratings that the wide detector expects for a
sample of texts (distillation: Hinton et al. 2015). It is written into the detector's files.

``DIR/rating_fast.npz`` has ratings from which a linear model can learn: it must not learn from better ratings than it
will read later, and the wide detector knows the ratings of nearly all sets. So for each fold of families, another head
learns without them: from differences within the other rated sets, as the linear model does
(`training.default_model.recipe`), and between corpus sentences and the same with one to three damages. Ratings are in
standard deviations over texts that are never used for training (GUG, CoLA).
"""

from __future__ import annotations

import operator
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from pathlib import Path
from typing import NamedTuple

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.files.resources import file_checksum, short_checksum
from naturalness.models.detector import NETWORK, Network, detector, open_network
from naturalness.models.learners.differences import centred
from naturalness.models.networks import OnnxSession
from naturalness.statistics.correlation import spearman
from training.arguments import command_parser
from training.default_model.damage import build
from training.default_model.recipe import log_odds
from training.detector.export import open_graph
from training.manifest import ASSETS, figures_of, record
from training.onnx_graph import Floats
from training.reader.folds import FOLDS
from training.reader.rated import HIDDEN, Rated, read_rated, read_texts, sources_of

SAMPLE = 30_000
"""Texts for which the wide detector's ratings are learned."""
PENALTY, PENALTY_OF_WIDE = 0.3, 0.01
"""Of ridge regression on standardised vectors, per unit of weight: of people's ratings, and of the wide detector's,
which have no noise."""
POWER = 0.25
"""Exponent of the number of texts in the weight of a set."""
DAMAGE_WEIGHT = 0.3
"""Weight of the damaged sentences, relative to all rated sets."""
SEED = 1
"""Of the damaged sentences: they are not those that the linear model learns from."""
LAYERS = 4
"""Number of last layers that the head reads."""


class Equations(NamedTuple):
    """Sums over rows, with which ridge regressions of several parts of the data can be put together."""

    gram: FloatArray
    goal: FloatArray
    weight: float


def summaries(folder: Path, layers: int, texts: Sequence[str], work: Path) -> Floats:
    """Return the summaries of the last layers for each text (n, 3 width of each); they are kept in ``work``."""
    graph, _ = open_graph(folder)
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / NETWORK
        graph.save(path, {"summary": (graph.summaries(layers), ("texts", "numbers"))})
        stored = work / f"summaries-{short_checksum([file_checksum(path), *texts])}.npy"
        if not stored.exists():
            network = replace(open_network(folder), session=OnnxSession(path))
            np.save(stored, outputs_of(network, "summary", texts).astype(np.float16))
    return np.load(stored).astype(np.float32)


def outputs_of(network: Network, output: str, texts: Sequence[str]) -> Floats:
    """Return an output of a detector's network for each text, (n, width)."""
    read = [[ids[1:-1]] for ids in read_texts(texts, network.pieces)]
    by_text = {i: vector for i, (vector,) in network.every_piece((output,), read)}
    return np.stack([by_text[i] for i in range(len(texts))])


def put_on(folder: Path, weights: Mapping[str, Floats], layers: int) -> None:
    """Replace the rating head in a detector's file by one with these weights."""
    graph, outputs = open_graph(folder)
    graph.weights = weights
    graph.save(folder / NETWORK, {**outputs, "rating": (graph.rating(layers), ("texts", 1))})


def equations(vectors: Floats, goal: FloatArray, centre: IntArray, weight: float) -> Equations:
    """Return the normal equations of ridge regression of a goal on vectors, both centred within groups.

    ``centre``: the group of each row; ``weight``: of all rows.
    """
    alike = np.full(len(vectors), 1 / len(vectors))
    goal = centred(goal, alike, centre)
    rows = centred(vectors, alike, centre).astype(np.float32)
    gram = (rows.T @ rows).astype(np.float64)
    return Equations(
        weight * gram / len(rows), weight * (rows.T @ goal.astype(np.float32)) / len(rows) / goal.std(), weight
    )


def total(parts: Iterable[Equations]) -> Equations:
    """Return the sum of normal equations."""
    return reduce(lambda one, other: Equations(*map(operator.add, one, other)), parts)


def learned(parts: Iterable[Equations], penalty: float) -> Floats:
    """Return the weights that solve the sum of normal equations."""
    gram, goal, weight = total(parts)
    weights: Floats = np.linalg.solve(gram + penalty * weight * np.eye(len(gram)), goal).astype(np.float32)
    return weights


def as_head(weight: Floats, intercept: float, mean: float, spread: float) -> dict[str, Floats]:
    """Return the two layers of a linear head, x = relu(x) - relu(-x), whose ratings are deviations from a mean."""
    known = {
        "p.weight": np.stack([weight, -weight]),
        "p.bias": np.array([intercept, -intercept]),
        "r.weight": np.array([[1.0, -1.0]]) / spread,
        "r.bias": np.array([-mean / spread]),
    }
    return {name: values.astype(np.float32) for name, values in known.items()}


def of_sets(vectors: Floats, data: Rated, families: Collection[str]) -> Iterator[Equations]:
    """Yield the normal equations of each set of these families, by its texts that train readers."""
    hidden = np.zeros(len(data.texts), bool)
    for one in data.sets.values():
        hidden[one.rows] |= one.about.family in HIDDEN
    for one in data.sets.values():
        rows, places = (values[one.taught & ~hidden[one.rows]] for values in (one.rows, one.places))
        if one.about.family in families and one.about.share and len(rows) > 1:
            weight = one.about.share * len(rows) ** POWER
            odds = log_odds(places.astype(np.float64))
            yield equations(vectors[rows], odds, np.zeros(len(rows), int), weight)


def main() -> None:
    """Run the command."""
    args = command_parser(__doc__, "ratings", "corpora", "folder", work=True).parse_args()
    data, damaged = read_rated(args.ratings), build(args.corpora, seed=SEED)
    vectors = summaries(args.folder, LAYERS, [*data.texts, *damaged.texts], args.work)
    mean, spread = vectors.mean(axis=0), vectors.std(axis=0).clip(1e-4)
    vectors = (vectors - mean) / spread
    n = len(data.texts)
    sample = np.random.default_rng(0).permutation(n)[:SAMPLE]
    wide = outputs_of(detector().network, "rating", [data.texts[i] for i in sample])[:, 0].astype(np.float64)
    weights = learned([equations(vectors[sample], wide, np.zeros(len(sample), int), 1.0)], PENALTY_OF_WIDE)
    rating = vectors[:n] @ weights
    columns = data.standard(rating)
    folds = [total(of_sets(vectors[:n], data, fold)) for fold in FOLDS]
    of_damage = equations(
        vectors[n:], log_odds(damaged.shares), damaged.originals, DAMAGE_WEIGHT * sum(one.weight for one in folds)
    )
    for k, fold in enumerate(FOLDS):
        left_out = data.standard(vectors[:n] @ learned([*folds[:k], *folds[k + 1 :], of_damage], PENALTY))
        for one in data.sets.values():
            if one.about.family in fold:
                columns[one.rows] = left_out[one.rows]
    np.savez_compressed(args.work / "rating_fast.npz", keys=data.keys, rating=columns)
    figures = {name: spearman(columns[one.rows], one.ratings) for name, one in data.sets.items()}
    print("Spearman, families left out: " + "; ".join(f"{name} {value:.3f}" for name, value in figures.items()))
    weights /= spread
    put_on(args.folder, as_head(weights, -float(weights @ mean), *data.scale(rating)), LAYERS)
    if args.folder.resolve().parent == ASSETS:
        record(args.folder.name, figures_of(args.folder.name), sources=sources_of(args.folder.name))


if __name__ == "__main__":
    main()
