"""Fit the kinds of words anew on a network that stays as it is, by labels alone.

What averaged networks say is less sure than what each of them says, and damage as generators make it, of which there is
much, is named at the cost of the rest. Names of kinds are for people, who make other errors.
"""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import nn

from naturalness.models.pieces import Pieces
from training.detector.batches import IGNORED, batches, collate
from training.detector.mixture import MIXTURE, Source, as_generators, possible_word
from training.detector.network import Body

STEPS = 200
RATE = 1e-3
"""Falls to a fiftieth."""
SEED = 77
BY_PEOPLE = {**MIXTURE, as_generators: 0.0, possible_word: 15.0}
"""The mixture without what generators do, and with fewer possible words."""


def name_anew(model: Body, source: Source, *, half: bool, steps: int = STEPS) -> None:
    """Train the last layer of kinds alone; ``half``: products below it in floats of sixteen bits."""
    model.eval()
    optimizer = torch.optim.AdamW(model.kinds.parameters(), lr=RATE, weight_decay=0.0)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: max(0.02, 1 - step / steps))
    pieces = Pieces.of(model.vocabulary)
    for _, drafts in zip(range(steps), batches(replace(source, mixture=BY_PEOPLE), SEED), strict=False):
        batch = collate(drafts, pieces)
        with torch.no_grad(), torch.autocast(batch.ids.device.type, torch.bfloat16, enabled=half):
            states = model.states(batch.ids, batch.mask)
        first = batch.kinds != IGNORED
        loss = nn.functional.cross_entropy(model.kinds(states[first].float()), batch.kinds[first])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
