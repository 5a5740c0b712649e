"""Rows of pieces on the device, and plans of which of them a training reads when.

Plans are drawn beforehand, so that nothing waits for anything while a network learns.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from naturalness.statistics.correlation import ranks
from training.detector.batches import IGNORED

MULTIPLE = 8
"""Lengths are padded to multiples of it."""
POOL = 8_192
"""Pairs that are sorted by length at a time."""
MOST_TEXTS = 512
"""Of a rated batch."""
NO_WORD = 255
"""What a piece is that begins no word."""
TEXTS, DAMAGE, ABOUT = "texts.npz", "damage.npz", "about.json"
NEVER_TAUGHT = {"gug"}
"""Families whose texts teach nothing where they are in other sets too."""
PARTS = 4
"""Into which a rated batch is cut by length, so that short texts are not padded to the longest one."""
PAIRS_SHARE = 0.08
"""Of the rated batches, pairs by post-editing."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of pieces, one behind the other, on the device; their lengths on the CPU."""

    ids: Tensor
    targets: Tensor
    offsets: Tensor
    lengths: Tensor
    n_pieces: NDArray[np.int64]
    padding: int

    @classmethod
    def of(cls, arrays: Mapping[str, NDArray[Any]], padding: int, device: torch.device) -> Rows:
        """Put columns on the device."""
        offsets = arrays["offsets"].astype(np.int64)
        lengths = np.diff(offsets)
        targets = arrays["targets"].astype(np.int16)
        targets[targets == NO_WORD] = IGNORED
        ids = arrays["ids"].astype(np.int16)  # fewer than 32,768 pieces
        columns = (ids, targets, offsets[:-1], lengths)
        return cls(*(torch.from_numpy(x).to(device) for x in columns), lengths, padding)

    def batch(self, rows: Tensor, longest: int) -> tuple[Tensor, Tensor, Tensor]:
        """Return ids (b, n), a mask of pieces that are there, and the target of each."""
        at = torch.arange(longest, device=self.ids.device)
        mask = at < self.lengths[rows][:, None]
        places = (self.offsets[rows][:, None] + at).clamp(max=len(self.ids) - 1)
        ids = torch.where(mask, self.ids[places].long(), self.padding)
        return ids, mask, torch.where(mask, self.targets[places].long(), IGNORED)


@dataclass(frozen=True, slots=True)
class Damage:
    """Pairs under damage: row 2 i is better than row 2 i + 1."""

    rows: Rows
    soundness: Tensor


@dataclass(frozen=True, slots=True)
class Set:
    """A rated set: rows of its texts, their ratings, and their places in the set, in (0, 1)."""

    name: str
    family: str
    licensed: bool
    share: float
    rows: NDArray[np.int64]
    ratings: NDArray[np.float64]
    places: NDArray[np.float32]
    taught: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Rated:
    """Rated texts and the sets that they are in, and pairs by post-editing."""

    texts: Rows
    sets: Sequence[Set]
    edits: NDArray[np.int64]
    keys: NDArray[np.uint64]
    folds: Sequence[Sequence[str]]

    @property
    def n(self) -> int:
        """Return how many texts are in a set: those of the edits come behind them."""
        return 1 + max(int(one.rows.max()) for one in self.sets)

    def families_of_texts(self, families: set[str]) -> NDArray[np.bool_]:
        """Tell of each text whether it is in a set of one of these families."""
        inside = np.zeros(len(self.keys), bool)
        for one in self.sets:
            if one.family in families:
                inside[one.rows] = True
        return inside


def read_rated(folder: Path, device: torch.device) -> Rated:
    """Read the rated texts that `training.reader.prepare` wrote."""
    about = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
    with np.load(folder / TEXTS, allow_pickle=False) as arrays:
        texts = {name: arrays[name] for name in arrays.files}
    sets = [_set(name, known, texts) for name, known in about["sets"].items()]
    rows = Rows.of(texts, about["padding"], device)
    return Rated(rows, sets, texts["edits"].astype(np.int64), texts["keys"], about["folds"])


def read_damage(folder: Path, device: torch.device) -> Damage:
    """Read the pairs under damage that `training.reader.prepare` wrote."""
    about = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
    with np.load(folder / DAMAGE, allow_pickle=False) as arrays:
        soundness = torch.from_numpy(arrays["soundness"].astype(np.float32)).to(device)
        return Damage(Rows.of(arrays, about["padding"], device), soundness)


def _set(name: str, known: Mapping[str, Any], texts: Mapping[str, NDArray[Any]]) -> Set:
    ratings = texts[f"ratings|{name}"].astype(np.float64)
    places = ((ranks(ratings) - 0.5) / len(ratings)).astype(np.float32)
    rows, taught = texts[f"rows|{name}"].astype(np.int64), texts[f"taught|{name}"]
    return Set(name, known["family"], known["licensed"], known["share"], rows, ratings, places, taught)


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of one batch, all padded to one length."""

    kind: str
    """``damage``, ``rated`` or ``edits``; pairs have the better ones first, then the worse in the same order."""
    rows: NDArray[np.int64]
    longest: int
    set: int = 0
    places: NDArray[np.float32] | None = None
    parts: Sequence[tuple[slice, int]] = ()
    """Stretches of the rows and the length that each is padded to; none where all go together."""


def padded(length: int) -> int:
    """Return the length to which a row is padded."""
    return -(-length // MULTIPLE) * MULTIPLE


def damage_batches(damage: Damage, rng: np.random.Generator, pieces: int) -> Iterator[Batch]:
    """Yield batches of about so many pieces, padding included, without end; each pair comes once before any again."""
    lengths = damage.rows.n_pieces.reshape(-1, 2).max(1)
    order = rng.permutation(len(lengths))
    at = 0
    while True:
        if at >= len(order):
            order, at = rng.permutation(order), 0
        pool = order[at : at + POOL]
        at += POOL
        pool = pool[np.argsort(lengths[pool], kind="stable")]
        plans: list[Batch] = []
        start = 0
        while start < len(pool):
            stop = start + 1
            while stop < len(pool) and 2 * padded(int(lengths[pool[stop]])) * (stop + 1 - start) <= pieces:
                stop += 1
            chosen = pool[start:stop]
            rows = np.concatenate([2 * chosen, 2 * chosen + 1])
            plans.append(Batch("damage", rows, padded(int(lengths[chosen[-1]]))))
            start = stop
        for i in rng.permutation(len(plans)):
            yield plans[i]


class RatedBatches:
    """Batches of rated texts, each of one set that is drawn by the root of its size, or of pairs by post-editing."""

    def __init__(
        self, data: Rated, rng: np.random.Generator, pieces: int, *, without: set[str], licensed_only: bool = False
    ) -> None:
        self.data, self.rng, self.pieces = data, rng, pieces
        hidden = data.families_of_texts(without | NEVER_TAUGHT)
        self.chosen: list[tuple[int, NDArray[np.int64]]] = []
        weights = []
        for i, one in enumerate(data.sets):
            if one.family in without or not one.share or (licensed_only and not one.licensed):
                continue
            members = np.flatnonzero(one.taught & ~hidden[one.rows])
            if len(members) > 1:
                self.chosen.append((i, members))
                weights.append(one.share * len(members) ** 0.5)
        self.weights = np.array(weights) / sum(weights)
        self.left: dict[int, NDArray[np.int64]] = {}

    def next(self) -> Batch:
        """Draw a batch."""
        if self.rng.random() < PAIRS_SHARE:
            return self._edits()
        which = int(self.rng.choice(len(self.chosen), p=self.weights))
        i, members = self.chosen[which]
        one = self.data.sets[i]
        left = self.left.get(i)
        if left is None or len(left) < min(MOST_TEXTS, len(members)):
            left = self.rng.permutation(members)
        chosen = left[: self._fitting(self.data.texts.n_pieces[one.rows[left[:MOST_TEXTS]]])]
        self.left[i] = left[len(chosen) :]
        chosen = chosen[np.argsort(self.data.texts.n_pieces[one.rows[chosen]], kind="stable")]
        rows = one.rows[chosen]
        lengths = self.data.texts.n_pieces[rows]
        return Batch("rated", rows, padded(int(lengths[-1])), i, one.places[chosen], parts_by_length(lengths))

    def _edits(self) -> Batch:
        pairs = self.data.edits[self.rng.integers(0, len(self.data.edits), MOST_TEXTS // 2)]
        longest = np.maximum.accumulate(self.data.texts.n_pieces[pairs].max(1))
        sizes = 2 * padded_all(longest) * np.arange(1, len(pairs) + 1)
        pairs = pairs[: max(2, int((sizes <= self.pieces).sum()))]
        rows = np.concatenate([pairs[:, 0], pairs[:, 1]])
        return Batch("edits", rows, padded(int(self.data.texts.n_pieces[rows].max())))

    def _fitting(self, lengths: NDArray[np.int64]) -> int:
        """Return how many texts of these lengths fit into a batch."""
        return max(2, int((np.cumsum(padded_all(lengths)) <= self.pieces).sum()))


def padded_all(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the lengths to which rows are padded."""
    return -(-lengths // MULTIPLE) * MULTIPLE


def parts_by_length(lengths: NDArray[np.int64]) -> list[tuple[slice, int]]:
    """Cut rows, the shortest first, into at most `PARTS` stretches of about as many pieces each."""
    sums = np.cumsum(lengths)
    bounds = np.searchsorted(sums, np.arange(1, PARTS) / PARTS * sums[-1]) + 1
    stops = sorted({*(int(stop) for stop in bounds if stop < len(lengths)), len(lengths)})
    return [
        (slice(start, stop), padded(int(lengths[stop - 1])))
        for start, stop in zip([0, *stops[:-1]], stops, strict=True)
    ]


Step = Sequence[Batch]
"""Batches whose gradients are added up."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Steps of a training, with all rows on the device."""

    steps: Sequence[Step]
    rows: Tensor
    places: Tensor
    starts: Sequence[Sequence[int]]

    @classmethod
    def of(cls, steps: Sequence[Step], device: torch.device) -> Plan:
        """Put rows and places on the device, at once."""
        starts: list[list[int]] = []
        at = 0
        for step in steps:
            starts.append([])
            for batch in step:
                starts[-1].append(at)
                at += len(batch.rows)
        every = [batch for step in steps for batch in step]
        none = [np.zeros(len(batch.rows), np.float32) if batch.places is None else batch.places for batch in every]
        rows = torch.from_numpy(np.concatenate([batch.rows for batch in every]))
        return cls(steps, rows.to(device), torch.from_numpy(np.concatenate(none)).to(device), starts)

    def batches(self, step: int) -> list[tuple[Batch, Tensor, Tensor]]:
        """Return the batches of a step, each with its rows and places on the device."""
        out = []
        for batch, start in zip(self.steps[step], self.starts[step], strict=True):
            there = slice(start, start + len(batch.rows))
            out.append((batch, self.rows[there], self.places[there]))
        return out
