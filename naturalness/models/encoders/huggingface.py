"""Encoders of Hugging Face, among them those of Sentence-Transformers (Reimers & Gurevych 2019).

A text's vector is the mean of what the network's last layer says of its pieces, the marks of start
and end included, or where `1_Pooling/config.json` says so that of its first piece; scaled to length
1. A text is a run of its own, without padding, in whole floats on one thread, so that its vector is
the same in any company. One that is too long to be read at once is read in parts, each of which
counts as much as it has pieces. Nothing is fetched, and no code of a model is run.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.errors import ModelError
from naturalness.files.resources import file_checksum
from naturalness.models.encoders.base import pooled
from naturalness.models.huggingface import (
    CONFIG,
    PREFIX,
    Reader,
    State,
    checksum_of,
    files_of,
    folder_of,
    open_reader,
    read_config,
    state_of,
)
from naturalness.text.parsing import unusable

if TYPE_CHECKING:
    from spacy.tokens import Doc

POOLING, MODULES = "1_Pooling/config.json", "modules.json"
MODE = "pooling_mode_"
FIRST, MEAN = "cls_token", "mean_tokens"
KNOWN = ("Transformer", "Pooling", "Normalize")
"""Steps of Sentence-Transformers that are taken here."""
WIDTHS = ("hidden_size", "dim", "d_model", "n_embd")
"""What configurations call the width of the last layer."""
OPENED = 2
"""Encoders that are kept in memory."""


@dataclass(frozen=True, slots=True)
class HuggingFaceEncoder:
    """A network that is ready to read."""

    width: int
    reader: Reader = field(repr=False)
    first: bool
    """Whether the first piece stands for all."""

    def embed(self, docs: Sequence[Doc]) -> FloatArray:
        """Vectors of shape (n_docs, width); NaN for a text without words."""
        found = [self.vector("" if unusable(doc) else doc.text) for doc in docs]
        return np.array(found, dtype=np.float64).reshape(len(docs), self.width)

    def vector(self, text: str) -> FloatArray:
        """The vector of one text; NaN where the tokenizer leaves nothing of it."""
        return pooled(self._states(text), self.width, first=self.first)

    def _states(self, text: str) -> Iterator[FloatArray]:
        """What the last layer says of each part of a text: (pieces, width)."""
        ids, size = self.reader.pieces(text), self.reader.room
        for i in range(0, len(ids), size):
            states: FloatArray = self.reader.run(ids[i : i + size]).last_hidden_state[0].cpu().numpy()
            yield states.astype(np.float64)


def open_huggingface_encoder(spec: str) -> HuggingFaceEncoder:
    """Open an encoder, once per process: a folder, or ``hf:NAME`` of the hub's local cache."""
    folder = _folder(spec)
    return _open(folder, _state(folder))


def huggingface_width(spec: str) -> int:
    """Numbers of a vector, read from the configuration alone."""
    folder = _folder(spec)
    told = read_config(folder)
    for name in WIDTHS:
        if isinstance(told.get(name), int) and told[name] > 0:
            return int(told[name])
    raise ModelError(f"{folder / CONFIG} does not say how wide the network is; expected one of {', '.join(WIDTHS)}")


def huggingface_encoder_checksum(spec: str) -> str:
    """A short checksum of the files that an encoder is read from."""
    folder = _folder(spec)
    return _checksum(folder, _state(folder))


def files_of_encoder(spec: str) -> dict[str, Path]:
    """The files that an encoder is read from, by their names in its folder."""
    folder = _folder(spec)
    found = {path.name: path for path in files_of(folder)}
    return found | ({POOLING: folder / POOLING} if (folder / POOLING).is_file() else {})


def _folder(spec: str) -> Path:
    """The folder of an encoder, absolute."""
    if not spec.startswith(PREFIX) and not _is_encoder(spec):
        raise ModelError(
            f"no sentence encoder {spec!r:.200}; expected the folder of a transformers encoder "
            f"(with {CONFIG}), {PREFIX}NAME after: hf download NAME, or shipped"
        )
    return folder_of(spec.removeprefix(PREFIX)).resolve()


def _is_encoder(path: str) -> bool:
    try:
        return (Path(path) / CONFIG).is_file()
    except (OSError, ValueError):
        return False  # too long for a name, or with a NUL


def _state(folder: Path) -> State:
    """What changes when another model is put there."""
    if not (folder / POOLING).is_file():
        return state_of(folder)
    beside = (folder / POOLING).stat()
    return (*state_of(folder), (POOLING, beside.st_mtime_ns, beside.st_size))


@lru_cache(maxsize=16 * OPENED)
def _checksum(folder: Path, state: State) -> str:
    own = checksum_of(folder)
    pooling = folder / POOLING
    if not pooling.is_file():
        return own
    return hashlib.sha256(f"{own};{POOLING}:{file_checksum(pooling)}".encode()).hexdigest()[:12]


@lru_cache(maxsize=OPENED)
def _open(folder: Path, state: State) -> HuggingFaceEncoder:
    if read_config(folder).get("is_encoder_decoder"):
        raise ModelError(f"{folder} is an encoder with a decoder; expected an encoder alone")
    first = _takes_first(folder)
    # The pooler of BERT and its kin reads the last layer; masked models come without one.
    reader = open_reader(folder, "AutoModel", idle="pooler.")
    made = HuggingFaceEncoder(huggingface_width(str(folder)), reader, first)
    found = next(made._states("a")).shape[1]
    if found != made.width:
        raise ModelError(f"{folder}: {CONFIG} says {made.width} numbers, its network gives {found}")
    return made


def _takes_first(folder: Path) -> bool:
    """Whether the first piece stands for all; refuses what would need more than is done here."""
    try:
        steps = _json(folder / MODULES, [])
        kinds = [str(step["type"]).rpartition(".")[2] for step in steps]
        told = _json(folder / POOLING, {})
        modes = [name.removeprefix(MODE) for name in told if name.startswith(MODE) and told[name]]
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise ModelError(f"{folder}: {MODULES} or {POOLING} cannot be read ({error!s:.200})") from None
    unknown = [kind for kind in kinds if kind not in KNOWN]
    unknown += [mode for mode in modes if mode not in (FIRST, MEAN)]
    if unknown or len(modes) > 1:
        raise ModelError(
            f"{folder} makes a vector by {', '.join(unknown or modes):.200}; expected the mean of "
            "all pieces or the first piece alone"
        )
    return modes == [FIRST]


def _json(path: Path, otherwise: Any) -> Any:
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else otherwise
