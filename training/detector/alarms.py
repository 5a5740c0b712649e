"""Calibrate a detector so that undamaged text raises alarms at a chosen rate."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from naturalness.models.detector import SOUND, Network
from training.detector.drafts import Sentence
from training.detector.network import Body

WORDS_AN_ALARM, NARROW_WORDS_AN_ALARM = 160, 190
"""Undamaged training words per alarm, for the wide and the narrow detector; held-out words raise up to a quarter fewer.
"""
SENTENCES = 3_000


def calibrate(model: Body, network: Network, sentences: Sequence[Sentence], words: int = WORDS_AN_ALARM) -> None:
    """Shift the bias of *sound* to one alarm in so many undamaged words; ``network`` is that of the file."""
    texts = [[network.cut(word.text) for word in sentence] for sentence in sentences[:SENTENCES]]
    texts = [text for text in texts if sum(map(len, text)) <= network.max_pieces - 2]
    logs = np.concatenate([said.logs for said in network.read(texts)])
    # A word is called damaged where damage of any kind is more likely than none.
    odds = np.logaddexp.reduce(logs[:, 1:], axis=1) - logs[:, 0]
    with torch.no_grad():
        model.kinds.bias[network.kinds.index(SOUND)] += float(np.quantile(odds, 1 - 1 / words))
