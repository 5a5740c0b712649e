"""The shipped damage detector as an encoder: the mean of what it says of a text's pieces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.models.detector import detector
from naturalness.models.detector.reading import stretches
from naturalness.models.encoders.base import pooled
from naturalness.models.pieces import END, START
from naturalness.text.parsing import unusable
from naturalness.text.view import view

if TYPE_CHECKING:
    from spacy.tokens import Doc

WIDTH = 384
"""Of MiniLM's layers."""


class DetectorEncoder:
    """The detector's last layer, sentence by sentence; a stretch of a sentence is a run."""

    width = WIDTH

    def embed(self, docs: Sequence[Doc]) -> FloatArray:
        """Vectors of shape (n_docs, width); NaN for a text without words."""
        found = [pooled(() if unusable(doc) else _states(doc), WIDTH) for doc in docs]
        return np.array(found, dtype=np.float64).reshape(len(docs), WIDTH)


def _states(doc: Doc) -> Iterator[FloatArray]:
    """(pieces, width) of each stretch, marks of start and end included."""
    network, tokens = detector().network, view(doc)
    sentences = [[network.cut(text) for text in tokens.lower[start:end]] for start, end in tokens.sentences]
    start, end = (network.pieces.places[mark] for mark in (START, END))
    for cut in sentences:
        for first, last in stretches(cut, network.places - 2):
            ids = [start, *(piece for word in cut[first:last] for piece in word), end]
            yield network.session.run(("states",), {"ids": [ids]})[0][0].astype(np.float64)
