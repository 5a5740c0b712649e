"""The file of a grammar: numpy arrays without pickle, read with suspicion."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from naturalness.errors import ModelError
from naturalness.models.parsers.generative.backoff import Backoff, Counts, from_arrays, to_arrays
from naturalness.models.parsers.generative.forms import Forms
from naturalness.models.parsers.generative.grammar import Grammar
from naturalness.models.parsers.generative.symbols import Symbols
from naturalness.models.parsers.generative.words import ALPHABET_START, CASES, WordModel

FORMAT_VERSION = 1
TABLES = ("rules", "counted", "spelled", "cased")
"""The distributions: children; forms; letters of forms; capitals."""
LISTS = ("labels", "tags", "letters")
MOST_BYTES = 64 << 20
"""Of all arrays together, unpacked."""


@dataclass(frozen=True, slots=True)
class Content:
    """What a file holds: names, and the counts of each of `TABLES` by length of context."""

    labels: Sequence[str]
    tags: Sequence[str]
    letters: Sequence[str]
    forms: Forms
    counts: Mapping[str, Sequence[Counts]]

    @property
    def shapes(self) -> dict[str, tuple[tuple[int, ...], int]]:
        """Of each table how many values each place of a context has, and how many outcomes."""
        symbols = Symbols(self.labels, self.tags).size
        letters = ALPHABET_START + len(self.letters)
        return {
            "rules": ((symbols,) * 6, symbols),
            "counted": ((symbols,) * 2, len(self.forms)),
            "spelled": ((letters, symbols, letters), letters),
            "cased": ((2, symbols, len(self.forms) + 1), CASES),
        }

    def grammar(self, tables: Mapping[str, Backoff] | None = None) -> Grammar:
        """The grammar, made of the counts or of tables made before."""
        made = tables or {
            name: Backoff(radix, self.counts[name]) for name, (radix, _) in self.shapes.items()
        }
        words = WordModel(
            self.forms, self.letters,
            counted=made["counted"], spelled=made["spelled"], cased=made["cased"],
        )  # fmt: skip
        return Grammar(Symbols(self.labels, self.tags), made["rules"], words)


def write_grammar(path: Path, content: Content) -> None:
    """Write a file; the same content gives the same bytes."""
    arrays: dict[str, Any] = {"version": np.array([FORMAT_VERSION])}
    for name in LISTS:
        arrays[name] = np.array(getattr(content, name))
    arrays["forms"] = np.frombuffer(content.forms.text, np.uint8)
    for name, (radix, _) in content.shapes.items():
        arrays |= to_arrays(name, radix, content.counts[name])
    with path.open("wb") as file:
        np.savez_compressed(file, **arrays)


def open_grammar(path: Path) -> Grammar:
    """Read a grammar's file; raises `ModelError` where it is none."""
    try:
        arrays = _read(path)
        version = arrays["version"].tolist()
        if version != [FORMAT_VERSION]:
            raise ModelError(
                f"{path} has format version {version}; this release reads {FORMAT_VERSION}: "
                "install assets and package of the same release"
            )
        lists = {name: _names(name, arrays[name]) for name in LISTS}
        if arrays["forms"].dtype != np.uint8:
            raise ValueError("the list of forms is no text")
        content = Content(**lists, forms=Forms(arrays["forms"].tobytes()), counts={})
        tables = {
            name: from_arrays(name, arrays, radix, outcomes)
            for name, (radix, outcomes) in content.shapes.items()
        }
    except FileNotFoundError:
        raise ModelError(f"no grammar at {path}; reinstall naturalness") from None
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error,
            NotImplementedError, RuntimeError) as error:  # fmt: skip
        raise ModelError(f"{path} is no grammar ({error!s:.200}); reinstall naturalness") from None
    return content.grammar(tables)


def _read(path: Path) -> dict[str, NDArray[Any]]:
    """All arrays, after a look at how large they say they are."""
    with zipfile.ZipFile(path) as archive:
        if (size := sum(entry.file_size for entry in archive.infolist())) > MOST_BYTES:
            raise ValueError(f"arrays of {size:,} bytes; at most {MOST_BYTES:,} are read")
    with np.load(path, allow_pickle=False) as archive:
        return {name: archive[name] for name in archive.files}


def _names(name: str, array: NDArray[Any]) -> list[str]:
    if array.dtype.kind != "U" or array.ndim != 1:
        raise ValueError(f"{name} is no list of names")
    names: list[str] = array.tolist()
    if len(set(names)) < len(names):
        raise ValueError(f"{name} repeat")
    return names
