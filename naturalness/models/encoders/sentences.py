"""A vector for a text: sentence encoders by name, `shipped`, the path of a folder, or `hf:NAME`.

The shipped one is the damage detector's last layer: the mean over a text's pieces. Others are encoders of Hugging Face,
among them those of Sentence-Transformers (Reimers & Gurevych 2019): a text's vector is the mean of the network's last
layer over its pieces, the marks of start and end included, or, where `1_Pooling/config.json` says so, that of its first
piece; scaled to length 1. Each text is run alone, without padding, in 32-bit floats on one thread, so that its vector
is the same in any company. A text that is too long to be read at once is read in parts, each of which counts for as
many pieces as it has. Nothing is fetched, and no code of a model is run.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.errors import ModelError
from naturalness.files.resources import file_checksum, load_manifest
from naturalness.files.storage import exists
from naturalness.models import huggingface
from naturalness.models.detector import ASSET, detector, stretches
from naturalness.models.huggingface import CONFIG, PREFIX, Reader, State
from naturalness.models.pieces import END, START
from naturalness.text.parsing import unusable
from naturalness.text.view import view

if TYPE_CHECKING:
    from spacy.tokens import Doc

SHIPPED = "shipped"
SHIPPED_WIDTH = 768
"""Of the detector's layers."""
SHORTEST_VECTOR = 1e-12
"""A shorter one has no direction."""
POOLING, MODULES = "1_Pooling/config.json", "modules.json"
MODE = "pooling_mode_"
FIRST, MEAN = "cls_token", "mean_tokens"
SUPPORTED_STEPS = ("Transformer", "Pooling", "Normalize")
"""Of Sentence-Transformers."""
WIDTHS = ("hidden_size", "dim", "d_model", "n_embd")
"""What configurations call the width of the last layer."""


class Encoder(Protocol):
    """Gives each text a vector of length 1."""

    @property
    def width(self) -> int:
        """Numbers in a vector."""

    def embed(self, docs: Sequence[Doc]) -> FloatArray:
        """Return vectors of shape (n_docs, width); NaN where a text has none."""


def open_encoder(spec: str) -> Encoder:
    """Open the encoder of a name, once per process."""
    if spec == SHIPPED:
        return DetectorEncoder()
    folder = _folder(spec)
    return _open(folder, _state(folder))


def encoder_width(spec: str) -> int:
    """Return how many numbers its vectors have; nothing is opened."""
    return SHIPPED_WIDTH if spec == SHIPPED else _width(_folder(spec))


def encoder_checksum(spec: str) -> str:
    """Return a short checksum of the files that an encoder is read from."""
    if spec == SHIPPED:
        return load_manifest()[ASSET].checksum
    folder = _folder(spec)
    checksum, pooling = huggingface.checksum_of(folder), folder / POOLING
    if not pooling.is_file():
        return checksum
    return hashlib.sha256(f"{checksum};{POOLING}:{file_checksum(pooling)}".encode()).hexdigest()[:12]


def path_in(spec: str) -> str | None:
    """Return the path that ends a spec; None where it names an encoder that is shipped or downloaded."""
    return None if spec == SHIPPED else huggingface.path_after(PREFIX, spec)


def files_of(spec: str) -> dict[str, Path | bytes]:
    """Return the files that an encoder at a path is read from, by their names in a copy of it."""
    folder = _folder(spec)
    files: dict[str, Path | bytes] = {p.name: huggingface.copied_from(p) for p in huggingface.files_of(folder)}
    return files | ({POOLING: huggingface.copied_from(folder / POOLING)} if (folder / POOLING).is_file() else {})


def pooled(states: Iterable[FloatArray], width: int, *, first: bool = False) -> FloatArray:
    """Return the mean of the rows of all parts of a text, of length 1; NaN where there is no row.

    With ``first`` the first row of each part stands for all of its rows.

    *Shapes:* each part (n_pieces, width); out (width,).
    """
    total, n = np.zeros(width), 0
    for part in states:
        total += len(part) * part[0] if first else part.sum(axis=0)
        n += len(part)
    length = float(np.sqrt((total**2).sum()))
    return total / length if n and length > SHORTEST_VECTOR * n else np.full(width, np.nan)


class DetectorEncoder:
    """The detector's last layer, sentence by sentence; each stretch of a sentence is run alone."""

    width = SHIPPED_WIDTH

    def embed(self, docs: Sequence[Doc]) -> FloatArray:
        """Return vectors of shape (n_docs, width); NaN for a text without words."""
        vectors = [pooled(() if unusable(doc) else _states_of_stretches(doc), self.width) for doc in docs]
        return np.array(vectors, dtype=np.float64).reshape(len(docs), self.width)


def _states_of_stretches(doc: Doc) -> Iterator[FloatArray]:
    """Yield (pieces, width) of each stretch, marks of start and end included."""
    network, tokens = detector().network, view(doc)
    sentences = [[network.cut(text) for text in tokens.lower[start:end]] for start, end in tokens.sentences]
    start, end = (network.pieces.rows[mark] for mark in (START, END))
    for cut in sentences:
        for first, last in stretches(cut, network.max_pieces - 2):
            ids = [start, *(piece for word in cut[first:last] for piece in word), end]
            yield network.session.run(("states",), {"ids": [ids]})[0][0].astype(np.float64)


@dataclass(frozen=True, slots=True)
class HuggingFaceEncoder:
    """A network that is ready to read."""

    width: int
    reader: Reader = field(repr=False)
    first: bool
    """Whether the first piece stands for all."""

    def embed(self, docs: Sequence[Doc]) -> FloatArray:
        """Return vectors of shape (n_docs, width); NaN for a text without words."""
        vectors = [self.vector("" if unusable(doc) else doc.text) for doc in docs]
        return np.array(vectors, dtype=np.float64).reshape(len(docs), self.width)

    def vector(self, text: str) -> FloatArray:
        """Return the vector of one text; NaN where the tokenizer leaves nothing of it."""
        return pooled(self._states(text), self.width, first=self.first)

    def _states(self, text: str) -> Iterator[FloatArray]:
        """Yield the last layer over each part of a text: (pieces, width)."""
        ids, size = self.reader.pieces(text), self.reader.max_pieces
        for i in range(0, len(ids), size):
            states: FloatArray = self.reader.run(ids[i : i + size]).last_hidden_state[0].cpu().numpy()
            yield states.astype(np.float64)


def _folder(spec: str) -> Path:
    """Return the absolute path of an encoder's folder."""
    if not spec.startswith(PREFIX) and not _is_encoder(spec):
        raise ModelError(
            f"no sentence encoder {spec!r:.200}; expected the folder of a transformers encoder "
            f"(with {CONFIG}), {PREFIX}NAME after: hf download NAME, or shipped"
        )
    return huggingface.folder_of(spec.removeprefix(PREFIX)).resolve()


def _is_encoder(path: str) -> bool:
    return exists(Path(path) / CONFIG)


def _width(folder: Path) -> int:
    """Return the numbers in a vector, read from the configuration alone."""
    config = huggingface.read_config(folder)
    for name in WIDTHS:
        if isinstance(config.get(name), int) and config[name] > 0:
            return int(config[name])
    raise ModelError(f"{folder / CONFIG} does not say how wide the network is; expected one of {', '.join(WIDTHS)}")


def _state(folder: Path) -> State:
    """Return what changes when another model is put there."""
    if not (folder / POOLING).is_file():
        return huggingface.state_of(folder)
    pooling = (folder / POOLING).stat()
    return (*huggingface.state_of(folder), (POOLING, pooling.st_mtime_ns, pooling.st_size))


@lru_cache(maxsize=huggingface.OPENED)
def _open(folder: Path, state: State) -> HuggingFaceEncoder:
    if huggingface.read_config(folder).get("is_encoder_decoder"):
        raise ModelError(f"{folder} is an encoder with a decoder; expected an encoder alone")
    first = _takes_first(folder)
    # The pooler of BERT and its kin reads the last layer; masked models come without one.
    reader = huggingface.open_reader(folder, "AutoModel", idle="pooler.")
    encoder = HuggingFaceEncoder(_width(folder), reader, first)
    width = next(encoder._states("a")).shape[1]
    if width != encoder.width:
        raise ModelError(f"{folder}: {CONFIG} says {encoder.width} numbers, its network gives {width}")
    return encoder


def _takes_first(folder: Path) -> bool:
    """Tell whether the first piece stands for all; refuse what would need more than is done here."""
    try:
        steps = _json(folder / MODULES, [])
        kinds = [str(step["type"]).rpartition(".")[2] for step in steps]
        settings = _json(folder / POOLING, {})
        modes = [name.removeprefix(MODE) for name in settings if name.startswith(MODE) and settings[name]]
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise ModelError(f"{folder}: {MODULES} or {POOLING} cannot be read ({error!s:.200})") from None
    unknown = [kind for kind in kinds if kind not in SUPPORTED_STEPS]
    unknown += [mode for mode in modes if mode not in (FIRST, MEAN)]
    if unknown or len(modes) > 1:
        raise ModelError(
            f"{folder} makes a vector by {', '.join(unknown or modes):.200}; expected the mean of "
            "all pieces or the first piece alone"
        )
    return modes == [FIRST]


def _json(path: Path, default: Any) -> Any:
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else default
