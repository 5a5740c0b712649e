"""Give a shipped detector a rating head: `python -m training.reader.heads RATINGS ANSWERS FOLDER --work DIR`.

The body of the detector, trained on damage alone, is frozen, so that marks, trees and all other results that depend on
it are unchanged. Its vectors of each rated text are computed once. A head of two layers is trained on them, with the
losses of `training.reader.learning` and as a student of a reader of six layers, all of which was trained on ratings
(``answers.npz`` of `training.reader`). The narrow detector's head is linear: ridge regression on the reader's ratings
alone. FOLDER has the detector's files; the head is written into them.

Heads are cross-fitted: for each fold of families, a head is trained that saw neither their ratings nor a teacher that
did. ``DIR/GROUP.npz`` has the rating of each text by the head that never saw its family, in standard deviations over
texts that are never used for training (GUG, CoLA): a linear model must not learn from better ratings than it will read
later.

With ``--licensed-only`` heads are trained on sets with a stated free licence alone, without a teacher, which saw other
sets; only the ratings of all texts are written.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from naturalness.files.resources import load_manifest
from naturalness.models.detector import NETWORK, open_network
from naturalness.models.networks import OnnxSession
from naturalness.statistics.correlation import spearman
from training.arguments import command_parser
from training.default_model.sets import SETS, teaching_readers
from training.detector.export import open_graph
from training.loop import Costs, rate_at, train
from training.manifest import ASSETS, LARGE_ASSETS, record
from training.onnx_graph import Floats
from training.reader.learning import RATED, RatedLoss
from training.reader.rated import ANSWERS, FOLD, FOLDS, WHOLE, Rated, rated_batches, read_rated, read_texts

STEPS, ALONE = 800, 400
"""With a teacher, and with ratings alone, which more steps would overfit."""
TAUGHT = 512
"""Texts of a step on which the head imitates the teacher."""
RATE, DECAY, DROPOUT = 1e-3, 0.03, 0.3
PENALTY = 300.0
"""Of ridge regression."""
LINEAR = "rating_fast"
"""The feature group whose head is linear."""
LAYERS = {"rating": 1, "rating_fast": 4, "rating_large": 1}
"""Number of last layers that the head of a feature group reads."""


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


class Head(nn.Module):
    """Two layers on standardised vectors."""

    def __init__(self, vectors: Tensor, units: int = RATED) -> None:
        super().__init__()
        self.mean, self.spread = vectors.mean(0), vectors.std(0).clamp(min=1e-4)
        self.p, self.r = nn.Linear(vectors.shape[1], units), nn.Linear(units, 1)

    def forward(self, x: Tensor) -> Tensor:
        """Return ratings (b,)."""
        x = nn.functional.dropout((x - self.mean) / self.spread, DROPOUT, self.training)
        hidden = torch.relu(self.p(x))
        out: Tensor = self.r(nn.functional.dropout(hidden, DROPOUT, self.training)).squeeze(-1)
        return out

    def weights(self, mean: float, spread: float) -> dict[str, Floats]:
        """Return the weights of a head for vectors that are not standardised; ratings are deviations from a mean."""
        weight = self.p.weight / self.spread
        known = {
            "p.weight": weight,
            "p.bias": self.p.bias - weight @ self.mean,
            "r.weight": self.r.weight / spread,
            "r.bias": (self.r.bias - mean) / spread,
        }
        return {name: values.detach().numpy() for name, values in known.items()}


def standardised(ratings: NDArray[np.float32]) -> Tensor:
    """Return ratings in deviations from their mean."""
    return torch.from_numpy((ratings - ratings.mean()) / ratings.std())


@torch.no_grad()
def linear(vectors: Tensor, teacher: NDArray[np.float32]) -> Head:
    """Return a linear head by ridge regression: x is relu(x) - relu(-x)."""
    head = Head(vectors, 2).eval()
    x = (vectors - head.mean) / head.spread
    gram = (x.T @ x).double() + PENALTY * torch.eye(x.shape[1])
    weight = torch.linalg.solve(gram, (x.T @ standardised(teacher)).double())
    head.p.weight.copy_(torch.stack([weight, -weight]))
    head.r.weight.copy_(torch.tensor([[1.0, -1.0]]))
    head.p.bias.zero_()
    head.r.bias.zero_()
    return head


def learn(
    vectors: Tensor, data: Rated, teacher: NDArray[np.float32] | None, *, without: Collection[str], steps: int = STEPS
) -> Head:
    """Train a head without the ratings of some families.

    A ``teacher`` has a number for each text; without one, only sets with a stated free licence are used.
    """
    torch.manual_seed(0)
    head, loss, sets = Head(vectors), RatedLoss(len(data.sets)), list(data.sets.values())
    goal = None if teacher is None else standardised(teacher)
    rng = np.random.default_rng(0)

    def costs(first: int) -> Iterator[Costs]:
        lengths = np.zeros(len(data.texts))
        for which, chosen in rated_batches(data, rng, lengths, without=without, licensed_only=goal is None):
            one = sets[which]
            named = {"rated": loss(head(vectors[one.rows[chosen]]), torch.from_numpy(one.places[chosen]), which)}
            if goal is not None:
                some = torch.from_numpy(rng.choice(len(goal), min(TAUGHT, len(goal))))
                named["teacher"] = nn.functional.mse_loss(head(vectors[some]), goal[some])
            yield [named]

    parameters = [*head.parameters(), *loss.parameters()]
    rate = partial(rate_at, steps=steps, warm=1, decay=1.0)
    train(head, parameters, costs, steps=steps, rate=rate, clip=math.inf, lr=RATE, weight_decay=DECAY)
    return head


def main() -> None:
    """Run the command."""
    parser = command_parser(__doc__, "ratings", "answers", "folder", work=True)
    parser.add_argument("--group", default="rating", choices=LAYERS, help="of features that reads this head (rating)")
    parser.add_argument("--licensed-only", action="store_true")
    args = parser.parse_args()
    data = read_rated(args.ratings)
    stored = args.work / f"{args.group}-pooled.npy"
    if not stored.exists():
        np.save(stored, summaries(args.folder, LAYERS[args.group], data.texts).astype(np.float16))
    vectors = torch.from_numpy(np.load(stored).astype(np.float32))
    answers = dict(np.load(args.answers / ANSWERS))
    place = {key: i for i, key in enumerate(answers["keys"].tolist())}
    order = [place[key] for key in data.keys.tolist()]

    def head_without(families: Collection[str], teacher: str) -> tuple[Head, NDArray[np.float32]]:
        said = answers[teacher][order].astype(np.float32)
        if args.licensed_only:
            head = learn(vectors, data, None, without=families, steps=ALONE)
        elif args.group == LINEAR:
            head = linear(vectors, said)
        else:
            head = learn(vectors, data, said, without=families)
        with torch.no_grad():
            return head, head(vectors).numpy()

    whole, rating = head_without((), WHOLE)
    of_text, columns = np.full(len(rating), -1, np.int8), data.standard(rating)
    for k, families in enumerate(FOLDS):
        for one in data.sets.values():
            if one.about.family in families:
                of_text[one.rows] = k
        _, left_out = head_without(families, FOLD.format(k))
        columns = np.where(of_text == k, data.standard(left_out), columns)
    if args.licensed_only:  # of texts that teach nothing the shipped head's number would be put in place of this one
        of_text[of_text < 0] = len(FOLDS)
    np.savez_compressed(args.work / f"{args.group}.npz", keys=data.keys, folds=of_text, rating=columns)
    figures = {name: spearman(columns[one.rows], one.ratings) for name, one in data.sets.items()}
    print("Spearman, families left out: " + "; ".join(f"{name} {value:.3f}" for name, value in figures.items()))
    if not args.licensed_only:
        put_on(args.folder, whole.weights(*data.scale(rating)), LAYERS[args.group])
        if args.folder.resolve().parent in (ASSETS, LARGE_ASSETS):
            record_head(args.folder.name, args.folder.resolve().parent)


def record_head(name: str, assets: Path) -> None:
    """Write the entry of a shipped detector: its sources, and the sets that trained its head."""
    known = load_manifest(assets)[name]
    sources = [source for source in known.sources if source["name"] not in SETS]
    sources += [{"name": one, "licence": SETS[one].licence} for one in teaching_readers()]
    record(name, known.figures, sources=sources, folder=assets)


if __name__ == "__main__":
    main()
