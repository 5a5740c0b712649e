"""What a detector says of rated texts, none of which it learned from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.stats import spearmanr

from naturalness.models.pieces import Pieces
from naturalness.parsing import tokenise
from training.default_model.sets import SETS, read_set
from training.detector.batches import collate
from training.detector.drafts import QUOTES, Draft, Word
from training.detector.network import Detector

GOAL = ("GUG", "Lau BNC", "style transfer", "SFREST", "SFHOTEL")
BATCH = 64
Scores = Mapping[str, NDArray[np.float64]]


@torch.inference_mode()
def scores(model: Detector, texts: Sequence[str]) -> Scores:
    """Of each text: logit of soundness; sum, mean and least of the words' log-odds of *sound*."""
    pieces = Pieces.of(model.vocabulary)
    drafts = [Draft([_plain(t.text) for t in doc if t.text.strip()]) for doc in tokenise(texts)]
    found = {name: np.full(len(texts), np.nan) for name in ("sentence", "sum", "mean", "least")}
    order = sorted((i for i, d in enumerate(drafts) if d.words), key=lambda i: len(drafts[i].words))
    for start in range(0, len(order), BATCH):
        rows = order[start : start + BATCH]
        batch = collate([drafts[i] for i in rows], pieces)
        kinds, sound = model(batch.ids, batch.mask)
        log = torch.log_softmax(kinds, -1)
        odds = log[..., 0] - torch.log1p(-log[..., 0].exp().clamp(max=1 - 1e-6))
        words = batch.kinds >= 0
        sums = torch.where(words, log[..., 0], 0).sum(1)
        found["sentence"][rows] = sound.numpy()
        found["sum"][rows] = sums.numpy()
        found["mean"][rows] = (sums / words.sum(1)).numpy()
        found["least"][rows] = torch.where(words, odds, np.inf).amin(1).numpy()
    return found


def _plain(text: str) -> Word:
    return Word(text.translate(QUOTES).lower(), "", "", -1, -1)


def correlations(
    model: Detector, ratings: Path, names: Sequence[str] = GOAL, most: int = 10**6
) -> dict[str, dict[str, float]]:
    """Spearman's correlation with the ratings of each set, by score."""
    table = {}
    for name in names:
        rated = read_set(ratings / SETS[name].file)
        step = max(1, len(rated.texts) // most)
        found = scores(model, rated.texts[::step])
        table[name] = {
            key: float(spearmanr(values, rated.ratings[::step], nan_policy="omit").statistic)
            for key, values in found.items()
        }
    return table
