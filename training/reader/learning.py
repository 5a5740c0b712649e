"""A reader: a detector's body with a head for ratings, which learns from damage and from ratings in every step."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice, repeat

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
    """Of a batch."""
    seed: int = 0


class Reader(nn.Module):
    """A body with a rating head of two layers, ``p`` and ``r``."""

    def __init__(self, body: Body) -> None:
        super().__init__()
        self.body = body
        width = body.norm.normalized_shape[0]
        self.p, self.r = nn.Linear(3 * width, RATED), nn.Linear(RATED, 1)

    def forward(self, rows: Sequence[Tensor]) -> Tensor:
        """Return the ratings of texts, each a row of pieces; texts of similar length are read together."""
        order = np.argsort([len(row) for row in rows], kind="stable")
        rated = torch.cat(
            [self._padded([rows[i] for i in order[at : at + TOGETHER]]) for at in range(0, len(rows), TOGETHER)]
        )
        return rated[torch.from_numpy(np.argsort(order)).to(rated.device)]

    def _padded(self, rows: Sequence[Tensor]) -> Tensor:
        ids = pad_sequence([*rows], batch_first=True, padding_value=self.body.vocabulary.index(PADDING))
        lengths = torch.tensor([len(row) for row in rows], device=ids.device)
        mask = torch.arange(ids.shape[1], device=ids.device) < lengths[:, None]
        with torch.autocast(ids.device.type, torch.bfloat16):
            joined = self.body.summary(self.body.states(ids, mask)[-1], mask)
            rating: Tensor = self.r(torch.relu(self.p(joined))).squeeze(-1)
        return rating.float()


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


def learn(reader: Reader, data: Rated, source: Source, run: Run, *, without: Collection[str] = ()) -> None:
    """Train a reader without some families."""
    device, pieces = reader.r.weight.device, Pieces(reader.body.vocabulary)
    loss = RatedLoss(len(data.sets)).to(device)
    rows, better, worse = (
        [torch.tensor(ids, device=device) for ids in read_texts(texts, pieces)]
        for texts in (data.texts, *zip(*data.edits, strict=True))
    )
    places = [torch.from_numpy(one.places).to(device) for one in data.sets.values()]
    rng = np.random.default_rng(run.seed)
    damage = batches(source, run.seed, run.pieces)
    lengths = np.array([len(row) for row in rows], np.float64)
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
                pairs = rng.integers(0, len(better), MOST_TEXTS // 2)
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


@torch.no_grad()
def rate_all(reader: Reader, texts: Sequence[str]) -> NDArray[np.float16]:
    """Return a reader's rating of each text."""
    device, rows = reader.r.weight.device, read_texts(texts, Pieces(reader.body.vocabulary))
    ratings: NDArray[np.float16] = reader([torch.tensor(ids, device=device) for ids in rows]).cpu().numpy()
    return ratings.astype(np.float16)
