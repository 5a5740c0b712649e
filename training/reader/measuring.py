"""What a reader is worth: correlations with ratings, and damaged words that it finds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from training.reader.batches import IGNORED, Data, Rows, padded, ranks
from training.reader.network import Reader

PIECES = {"cuda": 65_536, "cpu": 4_096}
"""Read at once."""
ALARMS = 1 / 200
"""Share of undamaged words at which damaged ones are counted as found."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Said:
    """Numbers of each row: rating, soundness (a logit) and damaged words to expect."""

    rating: Floats
    sound: Floats
    damage: Floats


def batches_of(rows: NDArray[np.int64], lengths: NDArray[np.int64], pieces: int) -> list[NDArray[np.int64]]:
    """Return places of rows in batches of like length."""
    order = np.argsort(lengths[rows], kind="stable")[::-1]
    out, at = [], 0
    while at < len(order):
        size = max(1, pieces // padded(int(lengths[rows[order[at]]])))
        out.append(order[at : at + size])
        at += size
    return out


@torch.no_grad()
def read_rows(reader: Reader, rows: Rows, chosen: NDArray[np.int64], *, half: bool) -> Said:
    """Return what a reader says of rows."""
    reader.eval()
    device = rows.ids.device
    places, parts = batches_of(chosen, rows.n_pieces, PIECES[device.type]), []
    for part in places:
        which = chosen[part]
        ids, mask, targets = rows.batch(torch.from_numpy(which).to(device), padded(int(rows.n_pieces[which].max())))
        with torch.autocast(device.type, torch.bfloat16, enabled=half):
            said = reader(ids, mask)
        wrong = (1 - said.kinds.softmax(-1)[..., 0]) * (targets != IGNORED)
        parts.append(torch.stack([said.rating, said.sound, wrong.sum(1)]))
    table = np.zeros((3, len(chosen)), np.float32)
    if parts:
        table[:, np.concatenate(places)] = torch.cat(parts, 1).cpu().numpy()
    return Said(*table)


def spearman(a: NDArray[np.floating], b: NDArray[np.floating]) -> float:
    """Return the rank correlation."""
    return float(np.corrcoef(ranks(a), ranks(b))[0, 1])


def correlations(data: Data, said: Said, names: tuple[str, ...]) -> dict[str, tuple[float, float, float]]:
    """Return for each set: Spearman and Pearson of the rating, Spearman of the damage to expect."""
    out = {}
    for one in data.sets:
        if one.name in names and len(one.rows) > 2:
            mine = said.rating[one.rows].astype(np.float64)
            out[one.name] = (
                spearman(mine, one.ratings),
                float(np.corrcoef(mine, one.ratings)[0, 1]),
                spearman(-said.damage[one.rows], one.ratings),
            )
    return out


@torch.no_grad()
def marks(reader: Reader, data: Data, *, half: bool, pairs: int | None = None) -> dict[str, float]:
    """Return how well a reader marks words of held-out sentences.

    ``found`` and ``named`` are shares of damaged words, at `ALARMS` in undamaged sentences; ``f1`` is of damaged words
    in damaged sentences at even odds; ``pairs``: share of pairs in which the better one is the sounder.
    """
    reader.eval()
    rows = data.damage.rows
    held_out = np.arange(2 * data.damage.held_out.start, 2 * data.damage.held_out.stop)[: pairs and 2 * pairs]
    device = rows.ids.device
    wrong_of, target_of, named_of, clean_of = [], [], [], []
    sound = np.zeros(len(held_out))
    for part in batches_of(held_out, rows.n_pieces, PIECES[device.type]):
        which = held_out[part]
        ids, mask, targets = rows.batch(torch.from_numpy(which).to(device), padded(int(rows.n_pieces[which].max())))
        with torch.autocast(device.type, torch.bfloat16, enabled=half):
            said = reader(ids, mask)
        words = targets != IGNORED
        clean = ((targets <= 0).all(1)[:, None] & words)[words]
        wrong_of.append((1 - said.kinds.softmax(-1)[..., 0])[words].cpu().numpy())
        named_of.append((said.kinds[..., 1:].argmax(-1) + 1)[words].cpu().numpy())
        target_of.append(targets[words].cpu().numpy())
        clean_of.append(clean.cpu().numpy())
        sound[part] = said.sound.cpu().numpy()
    wrong, target, named, clean = (np.concatenate(x) for x in (wrong_of, target_of, named_of, clean_of))
    bad = target > 0
    found = wrong > np.quantile(wrong[clean], 1 - ALARMS)
    said_bad = (wrong >= 0.5) & ~clean
    better, worse = sound[0::2], sound[1::2]
    right = float((said_bad & bad).sum())
    return {
        "found": float(found[bad].mean()),
        "named": float((found & (named == target))[bad].mean()),
        "f1": 2 * right / max(1.0, float(said_bad.sum() + bad.sum())),
        "pairs": float((better > worse).mean()),
    }


def shown(figures: Mapping[str, tuple[float, float, float]]) -> str:
    """Return correlations in one line."""
    return "; ".join(f"{name} " + " ".join(f"{x:.3f}" for x in three) for name, three in figures.items())
