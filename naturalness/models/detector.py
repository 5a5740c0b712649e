"""The damage detector: which words of a sentence are wrong, how sound the sentence is, and how people would rate it.

The detector is an encoder (the six lower layers of MPNet, Song et al. 2020, in four bits) trained to tell corpus
sentences from damaged copies of them, with fourteen kinds of damage, and to predict people's ratings. It ignores
capitals. Each sentence of a Doc is read once, and feature groups and metrics share the result; to rate a text, the
detector reads several sentences together. The narrow detector of the fast model was trained on the same kinds of damage
and on the outputs of a wide detector; ratings trained only its rating head, by way of the wide one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path

import numpy as np

from naturalness.arrays import Float32Array, FloatArray
from naturalness.errors import AssetError, damage_as
from naturalness.files.resources import load_manifest, locate, opened_once
from naturalness.models.networks import OnnxSession, read_description
from naturalness.models.pieces import END, START, Pieces, PieceVectors, piece_vectors
from naturalness.text.parsing import unusable
from naturalness.text.view import Doc, stored_beside, view

FORMAT_VERSION = 3
REINSTALL = "reinstall naturalness"
DESCRIPTION, NETWORK, DIRECTIONS_FILE = "detector.json", "detector.onnx", "directions.npy"
POOLINGS = ("mean", "largest")
"""Ways to pool the vectors of words into one vector of a text."""
DIRECTIONS = 32
"""Number of directions, for each of `POOLINGS`, along which a text's pooled vector is measured."""
READING = ("kinds", "sound", "rating", "states")
"""Names of the network outputs that make up a `Reading`. ``states`` holds the vectors of
pieces after the last layer; a further output, ``inner``, holds vectors from an earlier layer."""
SOUND = "sound"
"""The first damage kind, which means an undamaged word."""
TOGETHER = 512
"""Maximum number of pieces per batch; all texts of a batch have the same number of pieces."""
Words = Sequence[Sequence[int]]
"""The pieces of each word of a text."""
CutWords = tuple[tuple[int, ...], ...]
"""The pieces of each word of a text, as a hashable key for lookups."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A network's output for a text."""

    soundness: float
    """Log-odds that the text is undamaged; higher is sounder."""
    rating: float
    """Predicted human rating, in units of its standard deviation over sentences from learners and linguists; higher is
    better."""
    logs: FloatArray
    """Log-probability of each kind of damage for each word, (words, kinds)."""
    states: Float32Array
    """The sum and the maximum, over words, of the last layer's vectors; (2, width)."""


@dataclass(frozen=True, slots=True)
class Network:
    """A network that reads words and returns a `Reading` of each text."""

    kinds: tuple[str, ...]
    pieces: Pieces
    max_pieces: int
    """Maximum number of pieces read at once, including start and end marks."""
    session: OnnxSession
    vectors: PieceVectors | None = None
    """Input vectors of the pieces; None if the network contains them."""
    directions: Float32Array | None = None
    """Directions for each pooling, (`POOLINGS`, 1 + `DIRECTIONS`, width): the mean vector over sentences, then the
    directions of greatest variance, in units of the standard deviation along the first direction."""

    def cut(self, word: str) -> tuple[int, ...]:
        """Return the vocabulary indices of a word's pieces, truncated if the word is too long for the network."""
        return self.pieces.of_word(word)[: self.max_pieces - 2]

    def run(self, outputs: Sequence[str], ids: Sequence[Sequence[int]]) -> list[Float32Array]:
        """Return the named network outputs for texts with equal numbers of pieces."""
        inputs = {"ids": ids} if self.vectors is None else {"vectors": self.vectors.of(ids)}
        return self.session.run(outputs, inputs)

    def read(self, texts: Sequence[Words]) -> list[Reading]:
        """Return the network's reading of each text, given as the pieces of each word.

        Texts with equal numbers of pieces are read together. A text's score does not depend on the rest of the batch,
        since sums are over integers or within one text.
        """
        read = dict(self.every_piece(READING, texts))
        return [_reading(read[i], words) for i, words in enumerate(texts)]

    def read_pieces(self, texts: Sequence[Words]) -> Iterator[tuple[Reading, Float32Array]]:
        """Yield the reading of each text, and its vectors (pieces, 2 * width), which other networks take as input.

        The vectors are the outputs ``inner`` and ``states`` side by side, including start and end marks.
        """
        read = dict(self.every_piece((*READING, "inner"), texts))
        for i, words in enumerate(texts):
            *values, inner = read.pop(i)
            yield _reading(values, words), np.hstack([inner, values[-1]])

    def along(self, states: Float32Array) -> FloatArray:
        """Return how far a text's pooled vectors are from the sentence mean, along each of ``directions``."""
        if self.directions is None:
            raise AssetError(f"this detector has no {DIRECTIONS_FILE}; reinstall naturalness")
        table = self.directions.astype(np.float64)
        along: FloatArray = np.einsum("pdw,pw->pd", table[:, 1:], states - table[:, 0]).ravel()
        return along

    def every_piece(self, names: Sequence[str], texts: Sequence[Words]) -> Iterator[tuple[int, list[Float32Array]]]:
        """Yield the index and the named outputs of each text; texts are grouped by number of pieces."""
        start, end = self.pieces.rows[START], self.pieces.rows[END]
        ids = [[start, *chain.from_iterable(words), end] for words in texts]
        for together in batches([len(row) for row in ids]):
            for i, *values in zip(together, *self.run(names, [ids[i] for i in together]), strict=True):
                yield i, values


def _reading(outputs: Sequence[Float32Array], words: Words) -> Reading:
    """Return the reading of a text, given the network outputs named in `READING`; the first piece stands for a word."""
    kinds, (logit,), (rating,), states = outputs
    first = np.cumsum([1, *map(len, words)])[:-1]
    states = states[first]
    logs = log_softmax(kinds[first])
    return Reading(float(logit), float(rating), logs, np.stack([states.sum(axis=0), states.max(axis=0)]))


def batches(lengths: Sequence[int], pieces: int = TOGETHER) -> Iterator[list[int]]:
    """Yield batches of row indices; rows in a batch have the same length, and at most ``pieces`` pieces in total."""
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


def open_network(folder: Path) -> Network:
    """Read a detector; the caller verifies checksums (`resources.locate`)."""
    with damage_as(AssetError, folder, REINSTALL, what="holds no detector"):
        about = read_description(folder / DESCRIPTION, FORMAT_VERSION)
        kinds, max_pieces = tuple(about["kinds"]), about["places"]
        vectors = piece_vectors() if about["vocabulary"] is None else None
        pieces = vectors.pieces if vectors else Pieces(about["vocabulary"])
        session = OnnxSession(folder / NETWORK)
        # While a detector is being trained, it has no directions yet.
        path = folder / DIRECTIONS_FILE
        directions = np.load(path, allow_pickle=False).astype(np.float32) if path.is_file() else None
        return Network(kinds, pieces, max_pieces, session, vectors, directions)


ASSET, FAST_ASSET = "detector", "fast_detector"
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
"""Kinds of damage. *missing* marks the word after an omitted one, and *join* the first word of another sentence that
continues this one; the other kinds mark the wrong words themselves."""


@dataclass(frozen=True, slots=True)
class Detector:
    """A network, and the name under which its results are stored beside Docs."""

    signature: str
    network: Network


def detector(name: str = ASSET) -> Detector:
    """Return a shipped detector, `ASSET` or `FAST_ASSET`, opened once per process."""
    return _opened(name)


@opened_once
def _opened(name: str) -> Detector:
    network = open_network(locate(name))
    if network.kinds != KINDS:
        raise AssetError(
            f"the {name} predicts kinds of damage ({', '.join(network.kinds)}) other than those of this "
            "release; install assets and package of the same release"
        )
    return Detector(f"{name}:{load_manifest()[name].checksum}", network)


RATED_PIECES = 128
"""Number of pieces, including start and end marks, of the longest text on which the rating head was trained; longer
texts are rated in parts."""
MAX_SENTENCE_PIECES = 1024
"""Maximum number of pieces of a sentence; a Doc with a longer one is not read, since that would take seconds."""
DOUBTFUL = 0.5
"""Minimum probability of damage, 0 to 1, at which a word counts as doubtful."""


@dataclass(frozen=True, slots=True)
class Part:
    """A sentence, or a part of a sentence that is too long for the network."""

    start: int
    end: int
    """Index in the View after the part's last token."""
    soundness: float
    """Log-odds that the part is undamaged; higher is sounder."""


@dataclass(frozen=True, slots=True)
class Detected:
    """A detector's output for a text."""

    parts: tuple[Part, ...]
    tokens: tuple[int, ...]
    """Indices in the View of the tokens that were read."""
    logs: FloatArray
    """Log-probability of each kind of damage for each token, (tokens, kinds); the first kind is *sound*."""
    states: Float32Array
    """Vectors pooled from the last layer, (2, width): first the mean over ``tokens``, then the maximum within each
    part, averaged over parts."""
    problem: str = ""
    """Why a text with words was not read; empty if it was."""

    @property
    def damage(self) -> FloatArray:
        """Probability that each token read is damaged, 0 to 1."""
        wrong: FloatArray = 1.0 - np.exp(self.logs[:, 0])
        return np.clip(wrong, 0.0, 1.0)

    @property
    def log_odds(self) -> FloatArray:
        """Log-odds of damage for each token read."""
        odds: FloatArray = np.logaddexp.reduce(self.logs[:, 1:], axis=1) - self.logs[:, 0]
        return odds


NOTHING = Detected((), (), np.empty((0, 2)), np.empty((2, 0), np.float32))
"""Result for a text without words, or for one that cannot be judged."""
TOO_LONG = replace(NOTHING, problem=f"a sentence of more than {MAX_SENTENCE_PIECES} word pieces")


def detect(docs: Sequence[Doc], judge: Detector | None = None) -> list[Detected]:
    """Return the output of a detector (by default the shipped one) for each Doc; results are stored beside the Doc."""
    judge = judge or detector()
    return stored_beside(docs, f"naturalness.damage.{judge.signature}", partial(_read, judge=judge))


def _read(docs: Sequence[Doc], judge: Detector) -> list[Detected]:
    parts = [sentence_parts(doc, judge.network) for doc in docs]
    readings = _read_once(docs, [[words for _, words in listed or ()] for listed in parts], judge)
    return [_detected(listed, readings) for listed in parts]


def _read_once(docs: Sequence[Doc], parts: Sequence[Sequence[CutWords]], judge: Detector) -> dict[CutWords, Reading]:
    """Return the reading of each distinct part of the Docs; a part that recurs, such as "-", is read only once."""
    readings = {words: read for doc in docs for words, read in readings_of(doc, judge).items()}
    new = [words for words in dict.fromkeys(chain.from_iterable(parts)) if words not in readings]
    readings.update(zip(new, judge.network.read(new), strict=True))
    for doc, listed in zip(docs, parts, strict=True):
        readings_of(doc, judge).update((words, readings[words]) for words in listed)
    return readings


def readings_of(doc: Doc, judge: Detector) -> dict[CutWords, Reading]:
    """Return the Doc's cache of readings, keyed by the pieces of each part.

    A parser that has read the Doc's sentences adds its readings here.
    """
    readings: dict[CutWords, Reading] = doc.user_data.setdefault(f"naturalness.readings.{judge.signature}", {})
    return readings


def share_readings(docs: Sequence[Doc], doc: Doc) -> None:
    """Let variants of a Doc share its cache of the shipped detector's readings, so that equal parts are read once."""
    judge = detector()
    for variant in docs:
        variant.user_data[f"naturalness.readings.{judge.signature}"] = readings_of(doc, judge)


def rate(docs: Sequence[Doc], judge: Detector | None = None) -> list[float]:
    """Return the rating predicted by a detector for each Doc; NaN for a Doc that is not read.

    Like raters, the detector reads several sentences together, up to `RATED_PIECES`. A longer text is rated in parts;
    its rating is the mean over parts, weighted by their numbers of words.
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
    """Return the text as parts of whole sentences, each short enough to rate; a sentence that is too long is split."""
    parts: list[CutWords] = []
    at_once = min(RATED_PIECES, network.max_pieces) - 2
    size = at_once
    for _, words in sentence_parts(doc, network, at_once) or ():
        pieces = sum(map(len, words))
        if size + pieces <= at_once:
            parts[-1] += words
            size += pieces
        else:
            parts.append(words)
            size = pieces
    return parts


Stretch = tuple[int, CutWords]
"""Index in the View of the first token of a part, and the pieces of the part's words."""


def sentence_parts(doc: Doc, network: Network, at_once: int = 0) -> list[Stretch] | None:
    """Return a Doc's sentences, split if longer than ``at_once`` pieces (by default, as many as the network reads).

    Return None if a sentence exceeds `MAX_SENTENCE_PIECES`.
    """
    if unusable(doc):
        return []
    at_once = at_once or network.max_pieces - 2
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
    """Split a text into parts of about equal length, and return the start and end of each part.

    A part has at most ``max_pieces`` pieces.
    """
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
