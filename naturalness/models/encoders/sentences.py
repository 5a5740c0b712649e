"""Sentence encoders by name: `shipped`, the path of a folder, or `hf:NAME`.

The shipped encoder is the mean of the damage detector's last layer over a text's pieces. Others are Hugging
Face encoders, including Sentence-Transformers (Reimers & Gurevych 2019): a text's vector is the mean of the
last layer over its pieces, with start and end, or that of the first piece if `1_Pooling/config.json` says
so, scaled to length 1. Each text is a run of its own, without padding, in 32-bit floats on one thread, so
that its vector does not depend on other texts. A long text is read in parts, weighted by their number of
pieces. Nothing is downloaded, and no code of a model is run.
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
"""Width of the detector's layers."""
SHORTEST_VECTOR = 1e-12
"""Length below which a vector has no direction."""
POOLING, MODULES = "1_Pooling/config.json", "modules.json"
MODE = "pooling_mode_"
FIRST, MEAN = "cls_token", "mean_tokens"
SUPPORTED_STEPS = ("Transformer", "Pooling", "Normalize")
"""Modules of Sentence-Transformers that are supported."""
WIDTHS = ("hidden_size", "dim", "d_model", "n_embd")
"""Names of the last layer's width in configurations."""


class Encoder(Protocol):
    """Encoder of texts as vectors of length 1."""

    @property
    def width(self) -> int:
        """Length of a vector."""

    def embed(self, docs: Sequence[Doc]) -> FloatArray:
        """Return vectors of shape (n_docs, width); NaN for a text without a vector."""


def open_encoder(spec: str) -> Encoder:
    """Open the encoder of a name, once per process."""
    if spec == SHIPPED:
        return DetectorEncoder()
    folder = _folder(spec)
    return _open(folder, _state(folder))


def encoder_width(spec: str) -> int:
    """Return the width of an encoder without opening it."""
    return SHIPPED_WIDTH if spec == SHIPPED else _width(_folder(spec))


def encoder_checksum(spec: str) -> str:
    """Return a short checksum of an encoder's files."""
    if spec == SHIPPED:
        return load_manifest()[ASSET].checksum
    folder = _folder(spec)
    checksum, pooling = huggingface.checksum_of(folder), folder / POOLING
    if not pooling.is_file():
        return checksum
    return hashlib.sha256(f"{checksum};{POOLING}:{file_checksum(pooling)}".encode()).hexdigest()[:12]


def path_in(spec: str) -> str | None:
    """Return the path at the end of a spec; None for an encoder that is shipped or downloaded."""
    return None if spec == SHIPPED else huggingface.path_after(PREFIX, spec)


def files_of(spec: str) -> dict[str, Path | bytes]:
    """Return the files of an encoder at a path, by their names in a copy."""
    folder = _folder(spec)
    files: dict[str, Path | bytes] = {p.name: huggingface.copied_from(p) for p in huggingface.files_of(folder)}
    return files | ({POOLING: huggingface.copied_from(folder / POOLING)} if (folder / POOLING).is_file() else {})


def pooled(states: Iterable[FloatArray], width: int, *, first: bool = False) -> FloatArray:
    """Return the mean row over all parts of a text, scaled to length 1; NaN without rows.

    With ``first``, the first row of each part stands for all its rows.

    *Shapes:* each part (n_pieces, width); out (width,).
    """
    total, n = np.zeros(width), 0
    for part in states:
        total += len(part) * part[0] if first else part.sum(axis=0)
        n += len(part)
    length = float(np.sqrt((total**2).sum()))
    return total / length if n and length > SHORTEST_VECTOR * n else np.full(width, np.nan)


class DetectorEncoder:
    """The detector's last layer, sentence by sentence; each part of a long sentence is a run of its own."""

    width = SHIPPED_WIDTH

    def embed(self, docs: Sequence[Doc]) -> FloatArray:
        """Return vectors of shape (n_docs, width); NaN for a text without words."""
        vectors = [pooled(() if unusable(doc) else _states_of_stretches(doc), self.width) for doc in docs]
        return np.array(vectors, dtype=np.float64).reshape(len(docs), self.width)


def _states_of_stretches(doc: Doc) -> Iterator[FloatArray]:
    """Yield (pieces, width) of each part of a sentence, including start and end marks."""
    network, tokens = detector().network, view(doc)
    sentences = [[network.cut(text) for text in tokens.lower[start:end]] for start, end in tokens.sentences]
    start, end = (network.pieces.rows[mark] for mark in (START, END))
    for cut in sentences:
        for first, last in stretches(cut, network.max_pieces - 2):
            ids = [start, *(piece for word in cut[first:last] for piece in word), end]
            yield network.session.run(("states",), {"ids": [ids]})[0][0].astype(np.float64)


@dataclass(frozen=True, slots=True)
class HuggingFaceEncoder:
    """A Hugging Face sentence encoder."""

    width: int
    reader: Reader = field(repr=False)
    first: bool
    """Whether the first piece represents the text."""

    def embed(self, docs: Sequence[Doc]) -> FloatArray:
        """Return vectors of shape (n_docs, width); NaN for a text without words."""
        vectors = [self.vector("" if unusable(doc) else doc.text) for doc in docs]
        return np.array(vectors, dtype=np.float64).reshape(len(docs), self.width)

    def vector(self, text: str) -> FloatArray:
        """Return the vector of one text; NaN if the tokenizer leaves no pieces."""
        return pooled(self._states(text), self.width, first=self.first)

    def _states(self, text: str) -> Iterator[FloatArray]:
        """Yield the last layer over each part of a text: (pieces, width)."""
        ids, size = self.reader.pieces(text), self.reader.max_pieces
        for i in range(0, len(ids), size):
            states: FloatArray = self.reader.run(ids[i : i + size]).last_hidden_state[0].cpu().numpy()
            yield states.astype(np.float64)


def _folder(spec: str) -> Path:
    """Return the absolute path of an encoder's folder."""
    if not spec.startswith(PREFIX) and not exists(Path(spec) / CONFIG):
        raise ModelError(
            f"no sentence encoder {spec!r:.200}; expected the folder of a transformers encoder "
            f"(with {CONFIG}), {PREFIX}NAME after: hf download NAME, or shipped"
        )
    return huggingface.folder_of(spec.removeprefix(PREFIX)).resolve()


def _width(folder: Path) -> int:
    """Return the width given by the configuration."""
    config = huggingface.read_config(folder)
    for name in WIDTHS:
        if isinstance(config.get(name), int) and config[name] > 0:
            return int(config[name])
    raise ModelError(f"{folder / CONFIG} does not say how wide the network is; expected one of {', '.join(WIDTHS)}")


def _state(folder: Path) -> State:
    """Return the state of the encoder's files."""
    if not (folder / POOLING).is_file():
        return huggingface.state_of(folder)
    pooling = (folder / POOLING).stat()
    return (*huggingface.state_of(folder), (POOLING, pooling.st_mtime_ns, pooling.st_size))


@lru_cache(maxsize=huggingface.OPENED)
def _open(folder: Path, state: State) -> HuggingFaceEncoder:
    if huggingface.read_config(folder).get("is_encoder_decoder"):
        raise ModelError(f"{folder} is an encoder with a decoder; expected an encoder alone")
    first = _takes_first(folder)
    # Masked models lack the weights of the pooler, which is not used here.
    reader = huggingface.open_reader(folder, "AutoModel", idle="pooler.")
    return HuggingFaceEncoder(_width(folder), reader, first)


def _takes_first(folder: Path) -> bool:
    """Return whether the first piece represents a text; raise `ModelError` for unsupported pooling."""
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
