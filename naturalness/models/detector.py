"""The damage detector: which words of a sentence are out of place, and how sound it is as a whole.

An encoder (the six lower layers of MPNet, Song et al. 2020, in four bits) that learned to tell corpus sentences from
the same sentences under damage of fourteen kinds; no rating had a part in it. It knows no capitals. Docs are read
sentence by sentence, once: groups and metrics share what it says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.errors import AssetError
from naturalness.files.resources import load_manifest, locate, opened_once
from naturalness.models.networks import Session, read_description
from naturalness.models.pieces import END, PADDING, START, UNKNOWN, Pieces
from naturalness.text.parsing import unusable
from naturalness.text.view import view

if TYPE_CHECKING:
    from spacy.tokens import Doc


FORMAT_VERSION = 1
DESCRIPTION, NETWORK = "detector.json", "detector.onnx"
SPECIAL = (PADDING, UNKNOWN, START, END)
OUTPUTS = {"kinds", "sound", "inner", "states"}
"""``inner`` and ``states`` are the vectors of pieces before the last layers and after them."""
SOUND = "sound"
"""The first of the kinds: an undamaged word."""


@dataclass(frozen=True, slots=True)
class Network:
    """Reads words; returns a logit of soundness and a row of log-probabilities per word."""

    kinds: tuple[str, ...]
    pieces: Pieces
    max_pieces: int
    """At once, with the marks of start and end."""
    session: Session

    def cut(self, word: str) -> tuple[int, ...]:
        """Return the rows of a word's pieces, as many as fit."""
        return self.pieces.of_word(word)[: self.max_pieces - 2]

    def read(self, words: Sequence[Sequence[int]]) -> tuple[float, FloatArray]:
        """Return soundness, and (words, kinds) log-probabilities, for the pieces of each word.

        Each text is run alone: what onnxruntime makes of a batch depends a little on how many rows go
        through together, and a text's score must not.
        """
        ids = [self.pieces.rows[START]]
        first = []
        for pieces in words:
            first.append(len(ids))
            ids += pieces
        ids.append(self.pieces.rows[END])
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
        max_pieces = about["places"]
        if not isinstance(max_pieces, int) or max_pieces < 3:
            raise ValueError(f"{max_pieces!r:.20} places")
        session = Session(folder / NETWORK)
        if session.inputs != ("ids",) or set(session.outputs) != OUTPUTS:
            raise ValueError("a network with other inputs and outputs")
        return Network(kinds, Pieces.of(vocabulary), max_pieces, session)
    except (OSError, ValueError, LookupError, TypeError, RecursionError) as error:
        raise AssetError(f"{folder} holds no detector ({error!s:.300}); reinstall naturalness") from None


def _names(name: str, listed: Any) -> tuple[str, ...]:
    if not isinstance(listed, list) or not all(isinstance(text, str) for text in listed):
        raise ValueError(f"{name} that are not a list of names")
    if len(set(listed)) != len(listed) or not listed:
        raise ValueError(f"{name} that are empty or not distinct")
    return tuple(listed)


ASSET = "detector"
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


@opened_once
def detector() -> Detector:
    """Return the shipped detector, opened once per process."""
    network = open_network(locate(ASSET))
    if network.kinds != KINDS:
        raise AssetError(
            f"the detector knows other kinds of damage ({', '.join(network.kinds)}) than this "
            "release; install assets and package of the same release"
        )
    return Detector(f"{ASSET}:{load_manifest()[ASSET].checksum}", network)


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


NOTHING = Detected((), (), np.empty((0, 2)))
"""Of a text without words, or one that cannot be judged."""
TOO_LONG = replace(NOTHING, problem=f"a sentence of more than {MAX_SENTENCE_PIECES} word pieces")


def detect(docs: Sequence[Doc], judge: Detector | None = None) -> list[Detected]:
    """Return what a detector, by default the shipped one, says of each Doc, stored beside it."""
    judge = judge or detector()
    key = f"naturalness.damage.{judge.signature}"
    for doc in docs:
        if key not in doc.user_data:
            doc.user_data[key] = _read(doc, judge.network)
    return [doc.user_data[key] for doc in docs]


def _read(doc: Doc, network: Network) -> Detected:
    if unusable(doc):
        return NOTHING
    tokens = view(doc)
    parts: list[Part] = []
    read: list[int] = []
    logs: list[FloatArray] = []
    # Texts of thousands of lines repeat them: "-", "n/a", the same reply again.
    seen: dict[tuple[tuple[int, ...], ...], tuple[float, FloatArray]] = {}
    for start, end in tokens.sentences:
        cut = tuple(network.cut(text) for text in tokens.lower[start:end])
        if sum(map(len, cut)) > MAX_SENTENCE_PIECES:
            return TOO_LONG
        for first, last in stretches(cut, network.max_pieces - 2):
            stretch = cut[first:last]
            if stretch not in seen:
                seen[stretch] = network.read(stretch)
            soundness, word_logs = seen[stretch]
            parts.append(Part(start + first, start + last, soundness))
            read += range(start + first, start + last)
            logs.append(word_logs)
    return Detected(tuple(parts), tuple(read), np.concatenate(logs)) if logs else NOTHING


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
