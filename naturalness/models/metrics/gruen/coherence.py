"""How surely the sentences of a text stand in their order (Zhu & Bhat, 2020).

The loss of sentence-order prediction (Lan et al., ALBERT, 2020): a text is parted between two
sentences, and a network says whether the parts are in their order or swapped. Ours are two layers
on top of the damage detector's lower ones.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain

import numpy as np

from naturalness.errors import AssetError
from naturalness.models.detector import detector
from naturalness.models.detector.network import Network
from naturalness.models.metrics.gruen.order import joined
from naturalness.models.networks import Session
from naturalness.resources import assets_folder, load_manifest, locate

ASSET, NETWORK = "order", "order.onnx"
INPUTS, OUTPUTS = {"inner", "second"}, {"order"}
Rows = Sequence[Sequence[int]]
"""Pieces of each sentence."""


@dataclass(frozen=True, slots=True)
class OrderHead:
    """Tells whether two parts of a text stand in their order."""

    signature: str
    below: Network
    session: Session

    def logit(self, first: Sequence[int], second: Sequence[int]) -> float:
        """Of the parts' being in their order: above 0 where that is likelier."""
        ids, parts = joined(first, second, self.below.pieces, self.below.places)
        (inner,) = self.below.session.run(("inner",), {"ids": [ids]})
        (found,) = self.session.run(("order",), {"inner": inner, "second": [parts]})
        return float(found[0, 0])

    def loss(self, sentences: Rows) -> float:
        """Mean over all places to part a text, and both orders, of -ln p(right); 0 or more, nats.

        Lower is more coherent; ln 2 is a guess. NaN for fewer than two sentences.
        """
        losses = []
        for split in range(1, len(sentences)):
            parts = [list(chain(*rows)) for rows in (sentences[:split], sentences[split:])]
            losses.append(np.logaddexp(0.0, -self.logit(*parts)))
            losses.append(np.logaddexp(0.0, self.logit(*reversed(parts))))
        return float(np.mean(losses)) if losses else math.nan


def order_head() -> OrderHead:
    """The shipped one, opened once per process."""
    return _open(str(assets_folder()))


@cache
def _open(folder: str) -> OrderHead:
    below = detector()
    session = Session(locate(ASSET) / NETWORK)
    if set(session.inputs) != INPUTS or set(session.outputs) != OUTPUTS:
        raise AssetError(
            "the order head has other inputs and outputs than this release reads; install assets "
            "and package of the same release"
        )
    known = load_manifest()[ASSET]
    return OrderHead(f"{ASSET}:{known.checksum},{below.signature}", below.network, session)
