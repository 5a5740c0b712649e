"""How surely the sentences of a text stand in their order (Zhu & Bhat, 2020).

The loss of sentence-order prediction (Lan et al., ALBERT, 2020): a text is parted between two
sentences, and a network says whether the parts are in their order or swapped. Ours makes a vector
of each sentence once, from what the damage detector's lower layers make of its words, and compares
the parts by the vectors.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from naturalness.arrays import Float32Array
from naturalness.errors import AssetError
from naturalness.files.resources import assets_folder, load_manifest, locate
from naturalness.models.detector import detector
from naturalness.models.metrics.gruen.text import States, Text
from naturalness.models.networks import Rows, Session

ASSET = "order"
SENTENCE, NETWORK = "sentence.onnx", "order.onnx"
PLACES = 8
"""Sentences from the beginning that are told apart by their place; later ones have the last's."""
INPUTS = {SENTENCE: {"inner"}, NETWORK: {"sentences", "places", "second"}}
OUTPUTS = {SENTENCE: {"sentence"}, NETWORK: {"order"}}


@dataclass(frozen=True, slots=True)
class OrderHead:
    """Tells whether two parts of a text stand in their order."""

    signature: str
    sentence: Session
    order: Session

    def vector(self, inner: States) -> Float32Array:
        """(1, width) of a sentence."""
        return self.sentence.run(("sentence",), {"inner": inner})[0]

    def logit(self, vectors: Float32Array, split: int) -> float:
        """Above 0 where the sentences (n, width) are likelier in their order than swapped there.

        ``split``: how many belong to the first part.
        """
        n = len(vectors)
        given: dict[str, Rows] = {
            "sentences": vectors[None],
            "places": [[min(i, PLACES - 1) for i in range(n)]],
            "second": [[int(i >= split) for i in range(n)]],
        }
        return float(self.order.run(("order",), given)[0][0, 0])

    def loss(self, text: Text) -> float:
        """Mean over all places to part a text, and both orders, of -ln p(right); 0 or more, nats.

        Lower is more coherent; ln 2 is a guess. NaN for fewer than two sentences.
        """
        if len(text.inner) < 2:
            return math.nan
        vectors = np.concatenate([self.vector(inner) for inner in text.inner])
        return float(np.mean([np.logaddexp(0.0, -logit) for logit in self._right(vectors)]))

    def _right(self, vectors: Float32Array) -> Iterator[float]:
        """Logits of the right answer at each place, for both orders."""
        for split in range(1, len(vectors)):
            yield self.logit(vectors, split)
            swapped = np.concatenate([vectors[split:], vectors[:split]])
            yield -self.logit(swapped, len(vectors) - split)


def order_head() -> OrderHead:
    """The shipped one, opened once per process."""
    return _open(str(assets_folder()))


@cache
def _open(folder: str) -> OrderHead:
    sessions = {}
    for name in (SENTENCE, NETWORK):
        session = sessions[name] = Session(locate(ASSET) / name)
        if set(session.inputs) != INPUTS[name] or set(session.outputs) != OUTPUTS[name]:
            raise AssetError(
                "the order head has other inputs and outputs than this release reads; install "
                "assets and package of the same release"
            )
    known = load_manifest()[ASSET].checksum
    return OrderHead(f"{ASSET}:{known},{detector().signature}", *sessions.values())
