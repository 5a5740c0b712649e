"""A reader: a detector's body with a head for ratings, which learns from damage and from ratings in every step."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice, repeat
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from naturalness.models.pieces import PADDING, Pieces
from training.detector.batches import batches, collate
from training.detector.learning import HEADS, KIND_WEIGHT, PAIR_WEIGHT, losses, pair_loss, said_by
from training.detector.mixture import Source
from training.detector.network import Body
from training.loop import Costs, rate_at, train
from training.reader.rated import MOST_TEXTS, Rated, rated_batches, read_texts

RATED = 256
"""Width of the hidden layer of the rating."""
PLACE_WEIGHT = 0.3
"""Of the cross-entropy of places, beside the loss of pairs."""
RATE, RATE_HEADS, DECAY = 3e-5, 1e-3, 0.01
WARM, FALL = 0.1, 0.7
"""Shares of the steps in which the rates rise, and fall."""
RATED_BATCHES = 2
"""Of a step."""
EDITS_SHARE = 0.08
"""Of the rated batches, pairs by post-editing."""
TOGETHER = 128
"""Texts that are padded to one length."""


@dataclass(frozen=True, slots=True)
class Run:
    """One training."""

    steps: int = 180
    damage: int = 1
    """Damage batches of a step, whose losses are averaged."""
    damage_weight: float = 1.0
    pieces: int = 24_000
    """Of a rated batch."""
    damage_pieces: int = 24_000
    """Of a damage batch."""
    seed: int = 0


class Reader(nn.Module):
    """A body with a rating head of two layers, ``p`` and ``r``.

    The lowest ``fixed`` layers do not learn, so what they make of a text can be kept.
    """

    def __init__(self, body: Body, fixed: int = 0) -> None:
        super().__init__()
        self.body, self.fixed = body, fixed
        width = body.norm.normalized_shape[0]
        self.p, self.r = nn.Linear(3 * width, RATED), nn.Linear(RATED, 1)
        if fixed:
            for part in (body.norm, body.distances, *body.layers[:fixed]):
                part.requires_grad_(False)

    def weights(self) -> dict[str, NDArray[np.float32]]:
        """Return all weights, but for the quantisation steps."""
        return {n: x.detach().cpu().numpy() for n, x in self.state_dict().items() if not n.endswith(".step")}

    def forward(self, rows: Sequence[Tensor]) -> Tensor:
        """Return the ratings of texts; texts of similar length are read together.

        A row has the pieces of a text, or their vectors after the fixed layers.
        """
        order = np.argsort([len(row) for row in rows], kind="stable")
        rated = torch.cat(
            [self._padded([rows[i] for i in order[at : at + TOGETHER]]) for at in range(0, len(rows), TOGETHER)]
        )
        return rated[torch.from_numpy(np.argsort(order)).to(rated.device)]

    def _padded(self, rows: Sequence[Tensor]) -> Tensor:
        device = self.r.weight.device
        x, mask = (t.to(device) for t in together(rows, self.body.vocabulary.index(PADDING)))
        with torch.autocast(x.device.type, torch.bfloat16):
            whole = rows[0].dim() == 1
            states = self.body.states(x, mask) if whole else self.body.above(x.float(), mask, self.fixed)
            rating: Tensor = self.r(torch.relu(self.p(self.body.summary(states[-1], mask)))).squeeze(-1)
        return rating.float()


def together(rows: Sequence[Tensor], padding: int) -> tuple[Tensor, Tensor]:
    """Return rows of pieces or vectors, padded to one length, and the mask of what they hold."""
    padded = pad_sequence([*rows], batch_first=True, padding_value=padding)
    lengths = torch.tensor([len(row) for row in rows], device=padded.device)
    return padded, torch.arange(padded.shape[1], device=padded.device) < lengths[:, None]


def rows_of(reader: Reader, data: Rated, store: Path) -> list[Tensor]:
    """Return what a reader reads of each rated text, then of each post-edit and its translation.

    These are their pieces or, if layers are fixed, the vectors after them, which are kept at ``store``.
    """
    texts = [*data.texts, *(text for pair in data.edits for text in pair)]
    device = reader.r.weight.device
    rows = [torch.tensor(ids, device=device) for ids in read_texts(texts, Pieces(reader.body.vocabulary))]
    return after_fixed(reader, rows, store) if reader.fixed else rows


@torch.no_grad()
def after_fixed(reader: Reader, rows: Sequence[Tensor], path: Path) -> list[Tensor]:
    """Return the vectors of each text after the fixed layers; they are kept at ``path``, as 16-bit floats."""
    ends = np.cumsum([len(row) for row in rows])
    if not path.exists():
        part, body = path.with_suffix(".part"), reader.body
        table = np.lib.format.open_memmap(part, "w+", np.float16, (int(ends[-1]), body.norm.normalized_shape[0]))
        order = np.argsort([len(row) for row in rows], kind="stable")
        for at in range(0, len(rows), TOGETHER):
            some = order[at : at + TOGETHER]
            ids, mask = together([rows[i] for i in some], body.vocabulary.index(PADDING))
            with torch.autocast(ids.device.type, torch.bfloat16):
                states = body.states(ids, mask, reader.fixed)[-1].half().cpu().numpy()
            for i, vectors in zip(some, states, strict=True):
                table[ends[i] - len(rows[i]) : ends[i]] = vectors[: len(rows[i])]
        table.flush()
        part.rename(path)
    stored = torch.from_numpy(np.load(path, mmap_mode="c"))
    if len(stored) != ends[-1]:
        raise SystemExit(f"{path} was written for other texts; delete it")
    return list(torch.tensor_split(stored, torch.from_numpy(ends[:-1])))


class RatedLoss(nn.Module):
    """The loss of a rated batch, with a slope and an intercept for each set, which are not saved."""

    def __init__(self, n_sets: int) -> None:
        super().__init__()
        self.slopes, self.intercepts = nn.Parameter(torch.ones(n_sets)), nn.Parameter(torch.zeros(n_sets))

    def forward(self, ratings: Tensor, places: Tensor, which: int) -> Tensor:
        """Return the loss of pairs, and that of places in the set ``which``."""
        scaled = self.slopes[which] * ratings + self.intercepts[which]
        graded = nn.functional.binary_cross_entropy_with_logits(scaled, places)
        return ranking_loss(ratings, places) + PLACE_WEIGHT * graded


def ranking_loss(rating: Tensor, places: Tensor) -> Tensor:
    """Return the loss of all pairs of a batch, weighted by the distance of their ranks."""
    apart = (places[:, None] - places[None, :]).clamp(min=0)
    each = nn.functional.softplus(rating[None, :] - rating[:, None])
    return (apart * each).sum() / apart.sum().clamp(min=1e-6)


def learn(
    reader: Reader, data: Rated, rows: Sequence[Tensor], source: Source, run: Run, *, without: Collection[str] = ()
) -> None:
    """Train a reader without some families, on the ``rows`` of all texts (`rows_of`)."""
    device, pieces = reader.r.weight.device, Pieces(reader.body.vocabulary)
    loss = RatedLoss(len(data.sets)).to(device)
    lengths = np.array([len(row) for row in rows], np.float64)
    lengths, both = lengths[: len(data.texts)], lengths[len(data.texts) :].reshape(-1, 2).sum(1)
    better, worse = rows[len(data.texts) :: 2], rows[len(data.texts) + 1 :: 2]
    places = [torch.from_numpy(one.places).to(device) for one in data.sets.values()]
    rng = np.random.default_rng(run.seed)
    damage = batches(source, run.seed, run.damage_pieces)
    rated = rated_batches(data, rng, lengths, run.pieces, without=without)
    sets = list(data.sets.values())

    def step() -> Costs:
        for drafts in islice(damage, run.damage):
            batch = collate(drafts, pieces).to(device)
            said = said_by(reader.body, batch)
            kind, graded = losses(said, batch)
            cost = KIND_WEIGHT * kind + graded + PAIR_WEIGHT * pair_loss(said.sound, batch.soundness)
            yield {"damage": run.damage_weight / run.damage * cost}
        for _ in range(RATED_BATCHES):
            if rng.random() < EDITS_SHARE:
                drawn = rng.integers(0, len(better), MOST_TEXTS // 2)
                pairs = drawn[: max(2, int((np.cumsum(both[drawn]) <= run.pieces).sum()))]
                good, bad = reader([side[i] for side in (better, worse) for i in pairs]).chunk(2)
                yield {"edits": nn.functional.softplus(bad - good).mean()}
            else:
                which, chosen = next(rated)
                ratings = reader([rows[i] for i in sets[which].rows[chosen]])
                yield {"rated": loss(ratings, places[which][chosen], which)}

    heads = [p for n, p in reader.named_parameters() if n.removeprefix("body.").startswith((*HEADS, "p.", "r."))]
    known = {id(p) for p in heads}
    body = [p for p in reader.parameters() if p.requires_grad and id(p) not in known]
    train(
        reader,
        [{"params": body, "lr": RATE}, {"params": [*heads, *loss.parameters()], "lr": RATE_HEADS}],
        lambda first: (step() for _ in repeat(None)),
        steps=run.steps,
        rate=partial(rate_at, steps=run.steps, warm=WARM * run.steps, decay=FALL),
        weight_decay=DECAY,
        betas=(0.9, 0.98),
    )
