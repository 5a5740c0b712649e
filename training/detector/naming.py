"""Refit the layer of kinds on a frozen network, using only labels.

Averaged networks are less certain than each network, and favour the frequent kinds of generators' damage over others.
Explanations name kinds in human-written texts, which have other errors.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import torch
from torch import nn

from naturalness.models.pieces import Pieces
from training.detector.batches import IGNORED, batches, collate
from training.detector.mixture import MIXTURE, Source, as_generators, possible_word
from training.detector.network import Body
from training.loop import Costs, rate_at, train

STEPS = 200
RATE = 1e-3
"""Falls to a hundredth."""
SEED = 77
BY_PEOPLE = {**MIXTURE, as_generators: 0.0, possible_word: 15.0}
"""The mixture without what generators do, and with fewer possible words."""


def name_anew(model: Body, source: Source, *, steps: int = STEPS) -> None:
    """Train only the last layer of kinds."""
    pieces = Pieces(model.vocabulary)

    def costs(first: int) -> Iterator[Costs]:
        model.eval()
        for drafts in batches(replace(source, mixture=BY_PEOPLE), SEED):
            batch = collate(drafts, pieces).to(model.kinds.weight.device)
            with torch.no_grad(), torch.autocast(batch.ids.device.type, torch.bfloat16):
                states = model.states(batch.ids, batch.mask)[-1]
            first_pieces = batch.kinds != IGNORED
            kinds = model.kinds(states[first_pieces].float())
            yield [{"kinds": nn.functional.cross_entropy(kinds, batch.kinds[first_pieces])}]

    rate = partial(rate_at, steps=steps, warm=1, decay=1.0)
    train(model, [*model.kinds.parameters()], costs, steps=steps, rate=rate, clip=math.inf, lr=RATE, weight_decay=0.0)
