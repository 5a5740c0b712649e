"""The damage detector: which words of a sentence are out of place, how sound it is, how people would rate a text.

An encoder (the six lower layers of MPNet, Song et al. 2020, in four bits) that learned to tell corpus sentences from
the same sentences under damage of fourteen kinds; people's ratings taught its rating head, and nothing else of it. It
knows no capitals. Docs are read sentence by sentence, once: groups and metrics share what it says; for a rating,
sentences are read together. A narrow one, for the fast model, learned from the same damage and from what a wide one
says of it; a large one, of all twelve layers, comes in a package of its own.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from naturalness.arrays import Float32Array, FloatArray
from naturalness.errors import AssetError
from naturalness.files.resources import load_manifest, locate, opened_once
from naturalness.models.networks import CPU, Session, device, read_description
from naturalness.models.piece_vectors import PieceVectors, piece_vectors
from naturalness.models.pieces import END, START, Pieces
from naturalness.text.parsing import unusable
from naturalness.text.view import stored_beside, view

if TYPE_CHECKING:
    from spacy.tokens import Doc


FORMAT_VERSION = 3
DESCRIPTION, NETWORK, DIRECTIONS_FILE = "detector.json", "detector.onnx", "directions.npy"
POOLINGS = ("mean", "largest")
"""How the vectors of words become one of a text."""
DIRECTIONS = 32
"""How many directions of each of them a detector has."""
READING = ("kinds", "sound", "rating", "states")
"""The outputs that a `Reading` is made of: ``inner`` and ``states`` are the vectors of pieces before the last layers
and after them."""
SOUND = "sound"
"""The first of the kinds: an undamaged word."""
TOGETHER, TOGETHER_ON_GPU = 512, 16_384
"""Pieces of texts of one length that go through the network at once."""
Words = Sequence[Sequence[int]]
"""The pieces of each word of a text."""
CutWords = tuple[tuple[int, ...], ...]
"""The same, to look things up by."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a network says of a text."""

    soundness: float
    """A logit."""
    rating: float
    """How people would rate it; higher is better, in deviations over sentences of learners and linguists."""
    logs: FloatArray
    """(words, kinds) log-probabilities."""
    states: Float32Array
    """(2, width): of the last layer's vectors of words, their sum and the largest of each number."""


@dataclass(frozen=True, slots=True)
class Network:
    """Reads words; returns a `Reading` of each text."""

    kinds: tuple[str, ...]
    pieces: Pieces
    max_pieces: int
    """At once, with the marks of start and end."""
    session: Session
    vectors: PieceVectors | None = None
    """Of the pieces, where the network has none of its own."""
    directions: Float32Array | None = None
    """(`POOLINGS`, 1 + `DIRECTIONS`, width): the mean over sentences of their vector, then the directions in which
    it varies most, in units of its deviation along the first."""
    together: int = TOGETHER
    """Pieces of texts of one length that it reads at once."""

    def cut(self, word: str) -> tuple[int, ...]:
        """Return the rows of a word's pieces, as many as fit."""
        return self.pieces.of_word(word)[: self.max_pieces - 2]

    def run(self, outputs: Sequence[str], ids: Sequence[Sequence[int]]) -> list[Float32Array]:
        """Return what the network makes of texts of equally many pieces: the outputs of these names."""
        inputs = {"ids": ids} if self.vectors is None else {"vectors": self.vectors.of(ids)}
        return self.session.run(outputs, inputs)

    def read(self, texts: Sequence[Words]) -> list[Reading]:
        """Return what the network says of texts, each a row of pieces for each of its words.

        Texts of equally many pieces go through together. Its sums are of whole numbers, or of one text at a time,
        so that a text's score does not depend on its company.
        """
        return [_reading(values) for values in self.outputs(READING, texts)]

    def read_pieces(self, texts: Sequence[Words]) -> Iterator[tuple[Reading, Float32Array]]:
        """Yield what `read` returns of each text, and (pieces, 2 width) vectors for heads on top.

        They are ``inner`` and ``states`` side by side, marks of start and end included.
        """
        read = dict(self.every_piece((*READING, "inner"), texts))
        for i, words in enumerate(texts):
            *values, inner = read.pop(i)
            yield _reading([_first_pieces(x, words) for x in values]), np.hstack([inner, values[-1]])

    def along(self, states: Float32Array) -> FloatArray:
        """Return how far a text's vectors lie from those of sentences, in each direction of each of `POOLINGS`."""
        if self.directions is None:
            raise AssetError(f"this detector has no {DIRECTIONS_FILE}; reinstall naturalness")
        table = self.directions.astype(np.float64)
        along: FloatArray = np.einsum("pdw,pw->pd", table[:, 1:], states - table[:, 0]).ravel()
        return along

    def outputs(self, names: Sequence[str], texts: Sequence[Words]) -> list[list[Float32Array]]:
        """Return of each text the outputs of these names: one of pieces for the first piece of each word."""
        read: dict[int, list[Float32Array]] = {}
        for i, values in self.every_piece(names, texts):
            read[i] = [_first_pieces(x, texts[i]) for x in values]
        return [read[i] for i in range(len(texts))]

    def every_piece(self, names: Sequence[str], texts: Sequence[Words]) -> Iterator[tuple[int, list[Float32Array]]]:
        """Yield the index of each text and the outputs of these names, texts of one length after another."""
        start, end = self.pieces.rows[START], self.pieces.rows[END]
        ids = [[start, *chain.from_iterable(words), end] for words in texts]
        for together in batches([len(row) for row in ids], self.together):
            for i, *values in zip(together, *self.run(names, [ids[i] for i in together]), strict=True):
                yield i, values


def _first_pieces(output: Float32Array, words: Words) -> Float32Array:
    """Return an output of pieces for the first piece of each word; one of a text as it is."""
    return output[np.cumsum([1, *map(len, words)])[:-1]] if output.ndim > 1 else output


def _reading(outputs: Sequence[Float32Array]) -> Reading:
    """Return what outputs `READING`, of words, say."""
    kinds, (logit,), (rating,), states = outputs
    return Reading(float(logit), float(rating), log_softmax(kinds), np.stack([states.sum(axis=0), states.max(axis=0)]))


def batches(lengths: Sequence[int], pieces: int = TOGETHER) -> Iterator[list[int]]:
    """Yield the indices of rows of one length, as many as go through together: of so many ``pieces``."""
    of_length: dict[int, list[int]] = {}
    for i, length in enumerate(lengths):
        of_length.setdefault(length, []).append(i)
    for length, rows in of_length.items():
        size = max(1, pieces // length)
        for at in range(0, len(rows), size):
            yield rows[at : at + size]


def log_softmax(logits: Float32Array) -> FloatArray:
    """Return log-probabilities of each row."""
    wide: FloatArray = logits.astype(np.float64)
    wide -= wide.max(axis=1, keepdims=True)
    logs: FloatArray = wide - np.log(np.exp(wide).sum(axis=1, keepdims=True))
    return logs


def open_network(folder: Path, device: str = CPU) -> Network:
    """Read a detector; the folder's checksums are the caller's to compare (`resources.locate`)."""
    try:
        about = read_description(folder / DESCRIPTION, FORMAT_VERSION)
        kinds, max_pieces = tuple(about["kinds"]), about["places"]
        vectors = piece_vectors() if about["vocabulary"] is None else None
        pieces = vectors.pieces if vectors else Pieces.of(about["vocabulary"])
        session = Session(folder / NETWORK, device)
        # A detector in training has no directions yet.
        path = folder / DIRECTIONS_FILE
        directions = np.load(path, allow_pickle=False).astype(np.float32) if path.is_file() else None
        together = TOGETHER if device == CPU else TOGETHER_ON_GPU
        return Network(kinds, pieces, max_pieces, session, vectors, directions, together)
    except (OSError, ValueError, LookupError, TypeError, RecursionError) as error:
        raise AssetError(f"{folder} holds no detector ({error!s:.300}); reinstall naturalness") from None


ASSET, FAST_ASSET, LARGE_ASSET = "detector", "fast_detector", "large_detector"
KINDS = (
    "sound",
    "agreement",
    "verb",
    "noun",
    "article",
    "preposition",
    "pronoun",
    "order",
    "repeated",
    "missing",
    "extra",
    "wrong",
    "form",
    "join",
    "spelling",
)
"""What a token may be. *missing* stands on the word behind a gap, *join* on the first one behind
the place where another sentence goes on; every other kind on the words that are wrong."""


@dataclass(frozen=True, slots=True)
class Detector:
    """A network, and the name under which its findings are stored."""

    signature: str
    network: Network


def detector(name: str = ASSET) -> Detector:
    """Return a shipped detector, ``detector``, ``fast_detector`` or ``large_detector``, opened once per process.

    It runs on the process's device (`networks.use_device`).
    """
    return _opened(name, device())


@opened_once
def _opened(name: str, device: str) -> Detector:
    network = open_network(locate(name), device)
    if network.kinds != KINDS:
        raise AssetError(
            f"the {name} knows other kinds of damage ({', '.join(network.kinds)}) than this "
            "release; install assets and package of the same release"
        )
    at = "" if device == CPU else f"@{device}"
    return Detector(f"{name}:{load_manifest()[name].checksum}{at}", network)


RATED_PIECES = 128
"""The longest text, marks of start and end included, by which a rating was learned; longer ones are read in parts."""
MAX_SENTENCE_PIECES = 1024
"""Anything longer is not a sentence, and reading it would take seconds."""
DOUBTFUL = 0.5
"""Probability of damage from which a word is doubtful."""


@dataclass(frozen=True, slots=True)
class Part:
    """A sentence, or a stretch of one that is too long for the network."""

    start: int
    end: int
    """Of its tokens, in the View."""
    soundness: float
    """Logit: the higher, the sounder."""


@dataclass(frozen=True, slots=True)
class Detected:
    """What a detector says of a text."""

    parts: tuple[Part, ...]
    tokens: tuple[int, ...]
    """Indices in the View of the tokens that were read."""
    logs: FloatArray
    """(tokens, kinds) log-probabilities; the first kind is *sound*."""
    states: Float32Array
    """(2, width): the mean over these tokens of the last layer's vectors; the mean over parts of the largest of each
    number."""
    problem: str = ""
    """Why a text with words was not read."""

    @property
    def damage(self) -> FloatArray:
        """Probability of each token read that something is wrong there."""
        wrong: FloatArray = 1.0 - np.exp(self.logs[:, 0])
        return np.clip(wrong, 0.0, 1.0)

    @property
    def log_odds(self) -> FloatArray:
        """Of damage against soundness, of each token read."""
        odds: FloatArray = np.logaddexp.reduce(self.logs[:, 1:], axis=1) - self.logs[:, 0]
        return odds


NOTHING = Detected((), (), np.empty((0, 2)), np.empty((2, 0), np.float32))
"""Of a text without words, or one that cannot be judged."""
TOO_LONG = replace(NOTHING, problem=f"a sentence of more than {MAX_SENTENCE_PIECES} word pieces")


def detect(docs: Sequence[Doc], judge: Detector | None = None) -> list[Detected]:
    """Return what a detector, by default the shipped one, says of each Doc, stored beside it."""
    judge = judge or detector()
    return stored_beside(docs, f"naturalness.damage.{judge.signature}", partial(_read, judge=judge))


def _read(docs: Sequence[Doc], judge: Detector) -> list[Detected]:
    parts = [_stretches(doc, judge.network, judge.network.max_pieces - 2) for doc in docs]
    readings = _read_once(docs, [[words for _, words in listed or ()] for listed in parts], judge)
    return [_detected(listed, readings) for listed in parts]


def _read_once(docs: Sequence[Doc], parts: Sequence[Sequence[CutWords]], judge: Detector) -> dict[CutWords, Reading]:
    """Read parts of Docs, each distinct one once: titles, "-" and short replies repeat."""
    readings = {words: read for doc in docs for words, read in readings_of(doc, judge).items()}
    new = [words for words in dict.fromkeys(chain.from_iterable(parts)) if words not in readings]
    readings.update(zip(new, judge.network.read(new), strict=True))
    for doc, listed in zip(docs, parts, strict=True):
        readings_of(doc, judge).update((words, readings[words]) for words in listed)
    return readings


def readings_of(doc: Doc, judge: Detector) -> dict[CutWords, Reading]:
    """Return what is known of parts of a Doc: a parser that has read sentences for its own ends adds it here."""
    readings: dict[CutWords, Reading] = doc.user_data.setdefault(f"naturalness.readings.{judge.signature}", {})
    return readings


def rate(docs: Sequence[Doc], judge: Detector | None = None) -> list[float]:
    """Return how people would rate each Doc, by a detector; NaN for one that is not read.

    Sentences are read together, as raters do, as many as make `RATED_PIECES`; of several parts it is the mean by words.
    """
    judge = judge or detector()
    parts = [rated_parts(doc, judge.network) for doc in docs]
    readings = _read_once(docs, parts, judge)
    totals = [sum(map(len, listed)) for listed in parts]
    return [
        sum(len(words) * readings[words].rating for words in listed) / total if total else math.nan
        for listed, total in zip(parts, totals, strict=True)
    ]


def rated_parts(doc: Doc, network: Network) -> list[CutWords]:
    """Return the text in parts of whole sentences, each short enough; a longer sentence is cut."""
    parts: list[CutWords] = []
    at_once = min(RATED_PIECES, network.max_pieces) - 2
    size = at_once
    for _, words in _stretches(doc, network, at_once) or ():
        pieces = sum(map(len, words))
        if size + pieces <= at_once:
            parts[-1] += words
            size += pieces
        else:
            parts.append(words)
            size = pieces
    return parts


Stretch = tuple[int, CutWords]
"""Where it starts in the View, and the pieces of its words."""


def _stretches(doc: Doc, network: Network, at_once: int) -> list[Stretch] | None:
    """The sentences of a Doc, or parts of those of more pieces than this; None if one is no sentence."""
    if unusable(doc):
        return []
    tokens = view(doc)
    listed: list[Stretch] = []
    for start, end in tokens.sentences:
        cut = tuple(network.cut(text) for text in tokens.lower[start:end])
        if sum(map(len, cut)) > MAX_SENTENCE_PIECES:
            return None
        listed += [(start + first, cut[first:last]) for first, last in stretches(cut, at_once)]
    return listed


def _detected(listed: Sequence[Stretch] | None, readings: Mapping[CutWords, Reading]) -> Detected:
    if listed is None:
        return TOO_LONG
    if not listed:
        return NOTHING
    parts = tuple(Part(start, start + len(words), readings[words].soundness) for start, words in listed)
    read = tuple(i for part in parts for i in range(part.start, part.end))
    logs = np.concatenate([readings[words].logs for _, words in listed])
    summed: Float32Array = np.sum([readings[words].states for _, words in listed], axis=0)
    counts: Float32Array = np.array([[len(read)], [len(listed)]], np.float32)
    states: Float32Array = summed / counts
    return Detected(parts, read, logs, states)


def stretches(cut: Sequence[Sequence[int]], max_pieces: int) -> list[tuple[int, int]]:
    """Return starts and ends of stretches of words, about equal, of at most ``max_pieces`` each."""
    ends = np.cumsum([len(pieces) for pieces in cut])
    count = -(-int(ends[-1]) // max_pieces)
    bounds: list[tuple[int, int]] = []
    first = 0
    while first < len(cut):
        before = int(ends[first - 1]) if first else 0
        left = max(1, count - len(bounds))
        goal = min(max_pieces, -(-(int(ends[-1]) - before) // left))
        last = max(first + 1, int(np.searchsorted(ends, before + goal, side="right")))
        bounds.append((first, last))
        first = last
    return bounds
