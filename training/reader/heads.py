"""Give a shipped detector a rating head: `python -m training.reader.heads RATINGS PREPARED ANSWERS FOLDER --work DIR`.

The body of a detector learned from damage alone, and stays as it is: marks, trees and all that stands on it keep their
figures. What it makes of each rated text, read whole, is worked out once; a head of two layers learns from that, by
the losses of `training.reader.learning` and from what a reader of six layers says, whose whole body learned from
ratings (``answers.npz`` of `training.reader`). FOLDER has the detector's files, and gets them with this head.

Heads are cross-fitted: for each fold of families one is trained that saw neither their ratings nor a teacher that did.
``DIR/GROUP.npz`` gets each text's number by the head that never saw its family, in deviations over texts that teach
nothing (GUG, CoLA): what a linear model learns from must not be better than what it meets later.

With ``--licensed-only`` the ratings of sets with a stated free licence teach, and no reader, whose teachers had others;
the numbers of all texts are written, and no head.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from naturalness.files.resources import load_manifest
from naturalness.models.detector import NETWORK, Network, open_network
from naturalness.models.networks import Session
from naturalness.statistics.correlation import spearman
from training.arguments import command_parser
from training.default_model.sets import MAIN, SETS, SIX, key_of, read_named, teaching_readers
from training.detector.export import network_of, write, write_graph
from training.detector.imported import weights_of_file
from training.manifest import ASSETS, LARGE_ASSETS, record
from training.onnx_graph import Floats
from training.reader.answers import FOLD, WHOLE, fold_of_families, never_taught, of_keys, read_answers, standard
from training.reader.batches import Batch, Rated, RatedBatches, read_rated
from training.reader.learning import PLACE_WEIGHT, ranking_loss
from training.reader.network import RATED
from training.reader.prepare import read_texts

STEPS, ALONE = 800, 400
"""With a teacher, and from ratings alone: more of these learn them by heart."""
BATCH = 1_000_000
"""Pieces of a batch: more than any has, so that `RatedBatches` gives as many texts as it may."""
TAUGHT = 512
"""Texts of a step that the teacher speaks of."""
RATE, DECAY, DROPOUT = 1e-3, 0.03, 0.3
LAYERS = {"rating": 1, "rating_fast": 4, "rating_large": 1}
"""Of the network, the last ones, whose vectors the head of a group of features reads."""


def summaries(folder: Path, layers: int, ratings: Path, data: Rated) -> tuple[NDArray[np.int64], NDArray[np.float16]]:
    """Return the rows of texts, and of each what `Body.summary` makes of the last layers (n, 3 width of each).

    The texts are read anew, since not every detector has the pieces of ``data``.
    """
    network = reading_layers(open_network(folder), *weights_of_file(folder), layers=layers)
    known = {key_of(text): text for name in SETS for text in read_named(ratings, name).texts}
    there = np.array([i for i, key in enumerate(data.keys.tolist()) if key in known])
    read = read_texts([known[key] for key in data.keys[there].tolist()], network.pieces)
    out: NDArray[np.float16] | None = None
    for i, (vector,) in network.every_piece(("summary",), [[ids[1:-1]] for ids, _ in read]):
        if out is None:
            out = np.zeros((len(there), len(vector)), np.float16)
        out[i] = vector
    assert out is not None
    return there, out


def reading_layers(
    network: Network, weights: Mapping[str, Floats], vocabulary: Sequence[str] | None, *, layers: int
) -> Network:
    """Return a network of these weights with one output, ``summary``, of its last layers."""
    graph, states = network_of(weights, vocabulary)
    summary = graph.node("Concat", [graph.summary(x) for x in states[-layers:]], axis=1)
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / NETWORK
        write_graph(graph, path, {"summary": (summary, ("texts", "numbers"))}, vocabulary=vocabulary)
        return replace(network, session=Session(path))


class Texts:
    """What a body makes of rated texts, standardised; rows are those of the prepared data."""

    def __init__(self, rows: NDArray[np.int64], vectors: NDArray[np.float16]) -> None:
        x = torch.from_numpy(vectors.astype(np.float32))
        self.mean, self.spread = x.mean(0), x.std(0).clamp(min=1e-4)
        self.x = (x - self.mean) / self.spread
        self.rows = rows
        self.place = np.full(int(rows.max()) + 1, -1)
        self.place[rows] = np.arange(len(rows))

    def of(self, rows: NDArray[np.int64]) -> Tensor:
        """Return the vectors of rows."""
        return self.x[torch.from_numpy(self.place[rows])]


class Head(nn.Module):
    """Two layers on standardised vectors."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.p, self.r = nn.Linear(width, RATED), nn.Linear(RATED, 1)

    def forward(self, x: Tensor) -> Tensor:
        """Return ratings (b,)."""
        hidden = torch.relu(self.p(nn.functional.dropout(x, DROPOUT, self.training)))
        out: Tensor = self.r(nn.functional.dropout(hidden, DROPOUT, self.training)).squeeze(-1)
        return out

    def weights(self, texts: Texts, mean: float, spread: float) -> dict[str, Floats]:
        """Return the weights of a head that reads vectors as they are, its ratings in deviations from a mean."""
        weight = self.p.weight / texts.spread
        known = {
            "p.weight": weight,
            "p.bias": self.p.bias - weight @ texts.mean,
            "r.weight": self.r.weight / spread,
            "r.bias": (self.r.bias - mean) / spread,
        }
        return {name: values.detach().numpy() for name, values in known.items()}


def learn(
    texts: Texts,
    data: Rated,
    teacher: NDArray[np.float32] | None,
    *,
    without: set[str],
    licensed_only: bool = False,
    seed: int = 0,
    steps: int = STEPS,
) -> Head:
    """Train a head without some families; a ``teacher`` has a number for each of the texts."""
    torch.manual_seed(seed)
    head = Head(texts.x.shape[1])
    goal = None if teacher is None else torch.from_numpy((teacher - teacher.mean()) / teacher.std())
    slopes, intercepts = nn.Parameter(torch.ones(len(data.sets))), nn.Parameter(torch.zeros(len(data.sets)))
    optimizer = torch.optim.AdamW([*head.parameters(), slopes, intercepts], RATE, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1 - step / steps)
    rng = np.random.default_rng(seed + 9)
    batches = rated_batches(data, without, seed, licensed_only=licensed_only)
    for _ in range(steps):
        batch = next(batches)
        assert batch.places is not None
        ratings, places = head(texts.of(batch.rows)), torch.from_numpy(batch.places)
        scaled = slopes[batch.set] * ratings + intercepts[batch.set]
        graded = nn.functional.binary_cross_entropy_with_logits(scaled, places)
        loss = ranking_loss(ratings, places) + PLACE_WEIGHT * graded
        if goal is not None:
            some = torch.from_numpy(rng.choice(len(goal), min(TAUGHT, len(goal))))
            loss = loss + nn.functional.mse_loss(head(texts.x[some]), goal[some])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    return head.eval()


def rated_batches(data: Rated, without: set[str], seed: int, *, licensed_only: bool = False) -> Iterator[Batch]:
    """Yield batches of rated texts, without end."""
    batches = RatedBatches(data, np.random.default_rng(seed), BATCH, without=without, licensed_only=licensed_only)
    while True:
        batch = batches.next()
        if batch.kind == "rated":
            yield batch


@torch.no_grad()
def ratings_of(head: Head, texts: Texts) -> NDArray[np.float32]:
    """Return ratings of all rows of the prepared data; 0 for one that is not among the texts."""
    out = np.zeros(len(texts.place), np.float32)
    out[texts.rows] = head(texts.x).numpy()
    return out


def main() -> None:
    """Command line."""
    parser = command_parser(__doc__, "ratings", "prepared", "answers", "folder")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--group", default="rating", choices=LAYERS, help="of features that reads this head (rating)")
    parser.add_argument("--licensed-only", action="store_true")
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    data = read_rated(args.prepared, torch.device("cpu"))
    stored = args.work / f"{args.group}-pooled.npz"
    if not stored.exists():
        rows, vectors = summaries(args.folder, LAYERS[args.group], args.ratings, data)
        np.savez(stored, rows=rows, vectors=vectors)
    with np.load(stored, allow_pickle=False) as arrays:
        texts = Texts(arrays["rows"], arrays["vectors"])
    answers = of_keys(read_answers(args.answers), data.keys[texts.rows])

    def head_without(families: set[str], teacher: str) -> Head:
        said = None if args.licensed_only else answers[teacher].astype(np.float32)
        steps = ALONE if args.licensed_only else STEPS
        return learn(texts, data, said, without=families, licensed_only=args.licensed_only, steps=steps)

    whole = head_without(set(), WHOLE)
    rating = ratings_of(whole, texts)
    folds, of_text = fold_of_families(data), np.full(len(rating), -1, np.int8)
    for one in data.sets:
        if one.family in folds and one.name in SETS:
            of_text[one.rows] = folds[one.family]
    columns = standard(rating, data)
    for k, families in enumerate(data.folds):
        inside = of_text == k
        head = head_without(set(families), FOLD.format(k))
        columns[inside] = standard(ratings_of(head, texts), data)[inside]
        print(f"fold {k} of {len(data.folds)}", flush=True)
    if args.licensed_only:  # of texts that teach nothing the shipped head's number would be put in place of this one
        of_text[of_text < 0] = len(data.folds)
    keys = data.keys[: len(rating)]
    np.savez_compressed(args.work / f"{args.group}.npz", keys=keys, folds=of_text, rating=columns)
    figures = {one.name: spearman(columns[one.rows], one.ratings) for one in data.sets if one.name in SETS}
    print("Spearman, families left out: " + "; ".join(f"{name} {value:.3f}" for name, value in figures.items()))
    for names in (SIX, SIX[:5], MAIN):
        print(f"mean of {', '.join(names)}: {np.mean([figures[name] for name in names]):.3f}")
    if args.licensed_only:
        return
    never = rating[never_taught(data)]
    weights, vocabulary = weights_of_file(args.folder)
    head_weights = whole.weights(texts, float(never.mean()), float(never.std()))
    write({**weights, **head_weights}, args.folder, vocabulary=vocabulary)
    if args.folder.resolve().parent in (ASSETS, LARGE_ASSETS):
        record_head(args.folder.name, args.folder.resolve().parent)


def record_head(name: str, assets: Path) -> None:
    """Write the entry of a shipped detector: what it was made of, and the sets that taught its head."""
    known = load_manifest(assets)[name]
    sources = [source for source in known.sources if source["name"] not in SETS]
    record(
        name,
        kind=known.kind,
        description=known.description,
        licence=known.licence,
        sources=[*sources, *({"name": one, "licence": SETS[one].licence} for one in teaching_readers())],
        command=known.command,
        path=name,
        figures=known.figures,
        folder=assets,
    )


if __name__ == "__main__":
    main()
