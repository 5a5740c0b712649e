"""Rated texts that are watched while a detector learns, and never learned from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from scipy.stats import spearmanr
from torch import Tensor

from naturalness.models.pieces import PADDING, Pieces
from training.detector.batches import Batch
from training.detector.drafts import Draft, Word
from training.detector.learning import said_by
from training.detector.teaching.stream import Slotted, arrays, pieces_of

TOGETHER = 512


@dataclass(frozen=True)
class Watched:
    """A set: the words of each sentence, the text that each belongs to, and the texts' ratings."""

    name: str
    sentences: list[list[str]]
    texts: np.ndarray
    ratings: np.ndarray


def write_watched(sets: Sequence[Watched], path: Path) -> None:
    """Write them, words between blanks."""
    columns = {}
    for rated in sets:
        columns[f"{rated.name}|sentences"] = np.array([" ".join(words) for words in rated.sentences])
        columns[f"{rated.name}|texts"], columns[f"{rated.name}|ratings"] = rated.texts, rated.ratings
    np.savez_compressed(path, **columns)


def read_watched(path: Path) -> list[Watched]:
    """What `write_watched` wrote."""
    with np.load(path) as columns:
        names = dict.fromkeys(name.split("|")[0] for name in columns.files)
        return [
            Watched(
                name,
                [text.split(" ") for text in columns[f"{name}|sentences"].tolist()],
                columns[f"{name}|texts"],
                columns[f"{name}|ratings"],
            )
            for name in names
        ]


def rows_of(sentences: Sequence[Sequence[str]], pieces: Pieces, device: torch.device) -> list[tuple[Tensor, Batch]]:
    """Batches of sentences of about one length, with the places of the sentences."""
    drafts = [Slotted(Draft([Word(text, "", "", -1, -1) for text in words]), {}) for words in sentences]
    order = sorted(range(len(drafts)), key=lambda i: pieces_of(drafts[i], pieces))
    out = []
    for at in range(0, len(order), TOGETHER):
        chosen = order[at : at + TOGETHER]
        batch = arrays([drafts[i] for i in chosen], pieces)
        out.append((torch.tensor(chosen), batch.batch(pieces.rows[PADDING], torch.zeros(0, device=device))))
    return out


def watch(model: torch.nn.Module, sets: Sequence[Watched], pieces: Pieces, device: torch.device) -> str:
    """Spearman of expected damage and of soundness with the ratings of each set."""
    shown, means = [], []
    for rated in sets:
        expected = np.zeros(len(rated.ratings))
        sound, parts = np.zeros(len(rated.ratings)), np.zeros(len(rated.ratings))
        for places, batch in rows_of(rated.sentences, pieces, device):
            with torch.compiler.set_stance("force_eager"), torch.no_grad():
                said = said_by(model, batch, half=True)
            damage = 1 - torch.softmax(said.kinds, -1)[:, 0]
            rows = (batch.kinds == 0).nonzero()[:, 0]
            sums = torch.zeros(len(places), device=device).index_add_(0, rows, damage).cpu().numpy()
            of_text = rated.texts[places.numpy()]
            np.add.at(expected, of_text, -sums)
            np.add.at(sound, of_text, said.sound.sigmoid().float().cpu().numpy())
            np.add.at(parts, of_text, 1)
        figures = [spearmanr(x, rated.ratings).statistic for x in (expected, sound / np.maximum(parts, 1))]
        means.append(figures)
        shown.append(f"{rated.name} {figures[0]:.3f} {figures[1]:.3f}")
    of_all = np.array(means)[:5].mean(0)
    return ", ".join(shown) + f"; first five {of_all[0]:.3f} {of_all[1]:.3f}"
