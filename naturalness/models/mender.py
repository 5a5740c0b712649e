"""The mender: which edit each word of a sentence needs, from a head on the shipped detector.

The head reads the detector's vectors of each word, with two narrow encoder layers of its own, and gives a probability
to each edit tag (`naturalness.explaining.tags`). It was trained on corpus sentences with the damage that learners do,
and on the tags that undo it. Like the detector, it ignores capitals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from naturalness.arrays import Float32Array, FloatArray
from naturalness.errors import AssetError, damage_as
from naturalness.files.resources import load_manifest, locate, opened_once
from naturalness.models.detector import (
    REINSTALL,
    CutWords,
    Detector,
    batches,
    detector,
    log_softmax,
    readings_of,
    sentence_parts,
)
from naturalness.models.networks import OnnxSession, read_description
from naturalness.text.view import Doc, stored_beside

ASSET = "mender"
FORMAT_VERSION = 1
DESCRIPTION, NETWORK = "mender.json", "mender.onnx"


@dataclass(frozen=True, slots=True)
class Tagged:
    """A sentence of a text, or a part of a sentence that is too long for the network, with probabilities of edits."""

    start: int
    """Index in the View of the part's first token."""
    logs: FloatArray
    """Log-probability of each tag for each token and for the end of the part, (tokens + 1, tags)."""


@dataclass(frozen=True, slots=True)
class Mender:
    """A head on a detector."""

    signature: str
    detector: Detector
    tags: tuple[str, ...]
    session: OnnxSession

    def read(self, docs: Sequence[Doc]) -> list[tuple[Tagged, ...]]:
        """Return the tagged parts of each Doc; none for a text that cannot be judged or is too long to be read.

        The results are stored beside the Doc, and so are the detector's readings.
        """
        return stored_beside(docs, f"naturalness.mender.{self.signature}", self._read)

    def _read(self, docs: Sequence[Doc]) -> Iterator[tuple[Tagged, ...]]:
        network = self.detector.network
        parts = [sentence_parts(doc, network) or [] for doc in docs]
        distinct = list(dict.fromkeys(words for listed in parts for _, words in listed))
        logs: dict[CutWords, FloatArray] = {}
        read = list(network.read_pieces(distinct))
        for together in batches([len(vectors) for _, vectors in read]):
            logits = self.session.run(["tags"], {"vectors": np.stack([read[i][1] for i in together])})[0]
            for i, values in zip(together, logits, strict=True):
                logs[distinct[i]] = _of_words(values, distinct[i])
        readings = dict(zip(distinct, (reading for reading, _ in read), strict=True))
        for doc, listed in zip(docs, parts, strict=True):
            readings_of(doc, self.detector).update((words, readings[words]) for _, words in listed)
            yield tuple(Tagged(start, logs[words]) for start, words in listed)


def _of_words(logits: Float32Array, words: CutWords) -> FloatArray:
    """Return the log-probabilities at the first piece of each word, and at the mark after the last."""
    return log_softmax(logits[np.cumsum([1, *map(len, words)])])


@opened_once
def mender() -> Mender:
    """Return the shipped mender, opened once per process."""
    return open_mender(locate(ASSET), detector(), load_manifest()[ASSET].checksum)


def open_mender(folder: Path, reader: Detector, checksum: str) -> Mender:
    """Read a mender; the caller verifies checksums (`resources.locate`)."""
    with damage_as(AssetError, folder, REINSTALL, what="holds no mender"):
        tags = tuple(read_description(folder / DESCRIPTION, FORMAT_VERSION)["tags"])
        if len(set(tags)) < len(tags) or not all(isinstance(tag, str) for tag in tags):
            raise ValueError("tags are not distinct texts")
        return Mender(f"{checksum}:{reader.signature}", reader, tags, OnnxSession(folder / NETWORK))
