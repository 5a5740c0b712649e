"""The two files of a detector: what it knows by name, and the network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.errors import AssetError
from naturalness.models.networks import Session, read_description
from naturalness.models.pieces import END, PADDING, START, UNKNOWN, Pieces

FORMAT_VERSION = 1
DESCRIPTION, NETWORK = "detector.json", "detector.onnx"
SPECIAL = (PADDING, UNKNOWN, START, END)
OUTPUTS = {"kinds", "sound", "inner", "states"}
"""``inner`` and ``states`` are what pieces look like before the last layers and behind them."""
SOUND = "sound"
"""The first of the kinds: a word that is as it was written."""


@dataclass(frozen=True, slots=True)
class Network:
    """Words in; a logit of soundness and a row of log-probabilities per word out."""

    kinds: tuple[str, ...]
    pieces: Pieces
    places: int
    """Pieces that it takes at once, with the marks of start and end."""
    session: Session

    def cut(self, word: str) -> tuple[int, ...]:
        """Rows of a word's pieces, as many as fit at most."""
        return self.pieces.of_word(word)[: self.places - 2]

    def read(self, words: Sequence[Sequence[int]]) -> tuple[float, FloatArray]:
        """Soundness, and (words, kinds) log-probabilities, for the pieces of each word.

        A text is a run of its own: what onnxruntime makes of whole numbers of eight bits depends a
        little on how many rows go through together, and a text's score must not.
        """
        ids = [self.pieces.places[START]]
        first = []
        for pieces in words:
            first.append(len(ids))
            ids += pieces
        ids.append(self.pieces.places[END])
        kinds, sound = self.session.run(("kinds", "sound"), {"ids": [ids]})
        logits = kinds[0, first].astype(np.float64)
        logits -= logits.max(axis=1, keepdims=True)
        return float(sound[0, 0]), logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))


def open_network(folder: Path) -> Network:
    """Read a detector; the folder's checksums are the caller's to compare (`resources.locate`)."""
    try:
        about = read_description(folder / DESCRIPTION, FORMAT_VERSION)
        kinds, vocabulary = (_names(name, about[name]) for name in ("kinds", "vocabulary"))
        if missing := [piece for piece in SPECIAL if piece not in vocabulary]:
            raise ValueError(f"a vocabulary without {missing[0]}")
        if kinds[0] != SOUND or len(kinds) < 2:
            raise ValueError(f"kinds that do not begin with {SOUND!r}")
        places = about["places"]
        if not isinstance(places, int) or places < 3:
            raise ValueError(f"{places!r:.20} places")
        session = Session(folder / NETWORK)
        if session.inputs != ("ids",) or set(session.outputs) != OUTPUTS:
            raise ValueError("a network with other inputs and outputs")
        return Network(kinds, Pieces.of(vocabulary), places, session)
    except (OSError, ValueError, LookupError, TypeError, RecursionError) as error:
        raise AssetError(f"{folder} holds no detector ({error!s:.300}); reinstall naturalness") from None


def _names(name: str, listed: Any) -> tuple[str, ...]:
    if not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
        raise ValueError(f"{name} that are no list of names")
    if len(set(listed)) != len(listed) or not listed:
        raise ValueError(f"{name} that are empty or not distinct")
    return tuple(listed)
