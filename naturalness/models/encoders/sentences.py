"""Sentence encoders by name: `shipped`, the path of a folder, or `hf:NAME`.

All encoders return unit vectors. The shipped encoder averages the damage detector's last layer over a text's pieces.
Others are Hugging Face encoders, including Sentence-Transformers (Reimers & Gurevych 2019): they average the last layer
over the text's pieces, including start and end, or take the vector of the first piece if `1_Pooling/config.json` says
so. Each text is run separately, without padding, in 32-bit floats on one thread, so that its vector does not depend on
other texts. A long text is read in parts, which are weighted by their numbers of pieces. Nothing is downloaded, and
code that comes with a model is not run.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.errors import ModelError
from naturalness.files.resources import file_checksum, load_manifest, short_checksum
from naturalness.files.storage import exists
from naturalness.models import huggingface
from naturalness.models.detector import ASSET, detector, sentence_parts
from naturalness.models.huggingface import CONFIG, PREFIX, State, TextNetwork
from naturalness.text.parsing import unusable
from naturalness.text.view import Doc

SHIPPED = "shipped"
SHIPPED_WIDTH = 768
"""Number of dimensions of the detector's vectors."""
SHORTEST_VECTOR = 1e-12
"""Norm of a mean vector below which its direction would be only rounding error."""
POOLING, MODULES = "1_Pooling/config.json", "modules.json"
MODE = "pooling_mode_"
FIRST, MEAN = "cls_token", "mean_tokens"
SUPPORTED_STEPS = ("Transformer", "Pooling", "Normalize")
"""Types of Sentence-Transformers modules that are supported."""
WIDTHS = ("hidden_size", "dim", "d_model", "n_embd")
"""Settings that may give the number of dimensions of the last layer, depending on the type of network."""


@dataclass(frozen=True, slots=True)
class Encoder:
    """An encoder that maps texts to unit vectors."""

    width: int
    """Number of dimensions of a vector."""
    states: Callable[[Doc], Iterable[FloatArray]] = field(repr=False)
    """A function that yields the output of the last layer for each part of a text, (pieces, width)."""
    first: bool = False
    """Whether the vector of the first piece represents the text; otherwise the mean over pieces does."""

    def embed(self, docs: Sequence[Doc]) -> FloatArray:
        """Return vectors of shape (n_docs, width); NaN for a text that has no vector, such as one without words."""
        vectors = [pooled(() if unusable(doc) else self.states(doc), self.width, first=self.first) for doc in docs]
        return np.array(vectors, dtype=np.float64).reshape(len(docs), self.width)


def open_encoder(spec: str) -> Encoder:
    """Open an encoder by name, once per process."""
    if spec == SHIPPED:
        return Encoder(SHIPPED_WIDTH, _states_of_stretches)
    folder = _folder(spec)
    return _open(folder, huggingface.state_of(folder, _files(folder)))


def encoder_width(spec: str) -> int:
    """Return the number of dimensions of an encoder's vectors, without opening it."""
    return SHIPPED_WIDTH if spec == SHIPPED else _width(_folder(spec))


def encoder_checksum(spec: str) -> str:
    """Return a short checksum of an encoder's files."""
    if spec == SHIPPED:
        return load_manifest()[ASSET].checksum
    folder = _folder(spec)
    checksum, pooling = huggingface.checksum_of(folder), folder / POOLING
    if not pooling.is_file():
        return checksum
    return short_checksum(f"{checksum};{POOLING}:{file_checksum(pooling)}")


def path_in(spec: str) -> str | None:
    """Return the path in an encoder's name; None if the encoder is the shipped one or was downloaded by name."""
    return None if spec == SHIPPED else huggingface.path_after(PREFIX, spec)


def files_of(spec: str) -> dict[str, Path | bytes]:
    """Return the files that a copy of a local encoder needs, keyed by their names in the copy."""
    folder = _folder(spec)
    return {path.relative_to(folder).as_posix(): huggingface.copied_from(path) for path in _files(folder)}


def pooled(states: Iterable[FloatArray], width: int, *, first: bool = False) -> FloatArray:
    """Return the mean row over all parts of a text, scaled to norm 1; NaN if there are no rows or the mean is zero.

    With ``first``, all rows of a part are taken to equal its first row.

    *Shapes:* each part (n_pieces, width); out (width,).
    """
    total, n = np.zeros(width), 0
    for part in states:
        total += len(part) * part[0] if first else part.sum(axis=0)
        n += len(part)
    length = float(np.sqrt((total**2).sum()))
    return total / length if n and length > SHORTEST_VECTOR * n else np.full(width, np.nan)


def _states_of_stretches(doc: Doc) -> Iterator[FloatArray]:
    """Yield the last layer for each sentence or part of one, (pieces, width), including start and end marks."""
    network = detector().network
    parts = [words for _, words in sentence_parts(doc, network) or ()]
    for _, (states,) in sorted(network.every_piece(("states",), parts), key=itemgetter(0)):
        yield states.astype(np.float64)


def _states_of_pieces(reader: TextNetwork, doc: Doc) -> Iterator[FloatArray]:
    """Yield the last layer for each part of a text; none if the tokenizer leaves no pieces."""
    ids, size = reader.pieces(doc.text), reader.max_pieces
    for i in range(0, len(ids), size):
        states: FloatArray = reader.run(ids[i : i + size]).last_hidden_state[0].cpu().numpy()
        yield states.astype(np.float64)


def _folder(spec: str) -> Path:
    """Return the absolute path of an encoder's folder."""
    if not spec.startswith(PREFIX) and not exists(Path(spec) / CONFIG):
        raise ModelError(
            f"no sentence encoder {spec!r:.200}; expected the folder of a transformers encoder "
            f"(with {CONFIG}), {PREFIX}NAME (first run: hf download NAME), or shipped"
        )
    return huggingface.folder_of(spec.removeprefix(PREFIX)).resolve()


def _width(folder: Path) -> int:
    """Return the number of dimensions that the configuration gives."""
    config = huggingface.read_config(folder)
    for name in WIDTHS:
        if isinstance(config.get(name), int) and config[name] > 0:
            return int(config[name])
    raise ModelError(f"{folder / CONFIG} does not state the width of the network; expected one of {', '.join(WIDTHS)}")


def _files(folder: Path) -> list[Path]:
    """Return the files that an encoder is read from."""
    pooling = folder / POOLING
    return huggingface.files_of(folder) + ([pooling] if pooling.is_file() else [])


@lru_cache(maxsize=huggingface.OPENED)
def _open(folder: Path, state: State) -> Encoder:
    if huggingface.read_config(folder).get("is_encoder_decoder"):
        raise ModelError(f"{folder} is an encoder with a decoder; expected an encoder without a decoder")
    first = _takes_first(folder)
    # Masked language models lack the weights of the pooler, which is not used here.
    reader = huggingface.open_reader(folder, "AutoModel", idle="pooler.")
    return Encoder(_width(folder), partial(_states_of_pieces, reader), first)


def _takes_first(folder: Path) -> bool:
    """Return whether the first piece's vector represents a text; raise `ModelError` for unsupported pooling."""
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
            f"{folder} pools vectors by {', '.join(unknown or modes):.200}; expected the mean of "
            "all pieces or the first piece alone"
        )
    return modes == [FIRST]


def _json(path: Path, default: Any) -> Any:
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else default
