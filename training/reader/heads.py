"""Give the narrow detector its rating head: `python -m training.reader.heads RATINGS FOLDER --work DIR`.

The body of the detector in FOLDER stays as it is, so marks and all else that depends on it are unchanged. The head is
linear: ridge regression of a reader's ratings of a sample of texts (``DIR/NAME-answers.npy`` of `training.reader`) on
the frozen vectors of the last layers. It is written into the detector's files.

Heads are cross-fitted: for each fold of families, a head learns from the reader that never saw their ratings.
``DIR/rating_fast.npz`` has the rating of each text by the head of its fold, in standard deviations over texts that are
never used for training (GUG, CoLA): a linear model must not learn from better ratings than it will read later.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from naturalness.models.detector import NETWORK, open_network
from naturalness.models.networks import OnnxSession
from naturalness.statistics.correlation import spearman
from training.arguments import command_parser
from training.detector.export import open_graph
from training.manifest import ASSETS, figures_of, record
from training.onnx_graph import Floats
from training.reader.folds import FOLDS
from training.reader.rated import FOLD, WHOLE, read_rated, read_texts, sample_rows, sources_of

PENALTY = 300.0
"""Of ridge regression."""
LAYERS = 4
"""Number of last layers that the head reads."""


def summaries(folder: Path, layers: int, texts: Sequence[str]) -> Floats:
    """Return the summaries of the last layers for each text (n, 3 width of each)."""
    graph, _ = open_graph(folder)
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / NETWORK
        graph.save(path, {"summary": (graph.summaries(layers), ("texts", "numbers"))})
        network = replace(open_network(folder), session=OnnxSession(path))
        read = [[ids[1:-1]] for ids in read_texts(texts, network.pieces)]
        by_text = {i: vector for i, (vector,) in network.every_piece(("summary",), read)}
    return np.stack([by_text[i] for i in range(len(texts))])


def put_on(folder: Path, weights: Mapping[str, Floats], layers: int) -> None:
    """Replace the rating head in a detector's file by one with these weights."""
    graph, outputs = open_graph(folder)
    graph.weights = weights
    graph.save(folder / NETWORK, {**outputs, "rating": (graph.rating(layers), ("texts", 1))})


def ridge(vectors: Tensor, ratings: NDArray[np.float32], penalty: float = PENALTY) -> tuple[Tensor, float]:
    """Return weights and intercept of the ridge regression of standardised ratings on standardised vectors."""
    mean, spread = vectors.mean(0), vectors.std(0).clamp(min=1e-4)
    x, goal = (vectors - mean) / spread, torch.from_numpy((ratings - ratings.mean()) / ratings.std())
    gram = (x.T @ x).double() + penalty * torch.eye(x.shape[1])
    weight = (torch.linalg.solve(gram, (x.T @ goal).double()).float()) / spread
    return weight, -float(weight @ mean)


def as_head(weight: Tensor, intercept: float, mean: float, spread: float) -> dict[str, Floats]:
    """Return the two layers of a linear head, x = relu(x) - relu(-x), whose ratings are deviations from a mean."""
    known = {
        "p.weight": torch.stack([weight, -weight]),
        "p.bias": torch.tensor([intercept, -intercept]),
        "r.weight": torch.tensor([[1.0, -1.0]]) / spread,
        "r.bias": torch.tensor([-mean / spread]),
    }
    return {name: values.numpy() for name, values in known.items()}


def main() -> None:
    """Run the command."""
    args = command_parser(__doc__, "ratings", "folder", work=True).parse_args()
    data = read_rated(args.ratings)
    stored, sample = args.work / "rating_fast-pooled.npy", sample_rows(data)
    if not stored.exists():
        np.save(stored, summaries(args.folder, LAYERS, data.texts).astype(np.float16))
    vectors = torch.from_numpy(np.load(stored).astype(np.float32))

    def head_of(reader: str) -> tuple[Tensor, float, NDArray[np.float32]]:
        answers = np.load(args.work / f"{reader}-answers.npy").astype(np.float32)
        weight, intercept = ridge(vectors[sample], answers)
        return weight, intercept, (vectors @ weight + intercept).numpy()

    weight, intercept, rating = head_of(WHOLE)
    columns = data.standard(rating)
    for k, families in enumerate(FOLDS):
        *_, left_out = head_of(FOLD.format(k))
        for one in data.sets.values():
            if one.about.family in families:
                columns[one.rows] = data.standard(left_out)[one.rows]
    np.savez_compressed(args.work / "rating_fast.npz", keys=data.keys, rating=columns)
    figures = {name: spearman(columns[one.rows], one.ratings) for name, one in data.sets.items()}
    print("Spearman, families left out: " + "; ".join(f"{name} {value:.3f}" for name, value in figures.items()))
    put_on(args.folder, as_head(weight, intercept, *data.scale(rating)), LAYERS)
    if args.folder.resolve().parent == ASSETS:
        record(args.folder.name, figures_of(args.folder.name), sources=sources_of(args.folder.name))


if __name__ == "__main__":
    main()
