"""Grammar files, which are archives (`files.archive`) of integer arrays and lists of names; and the shipped grammar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from naturalness.errors import ModelError
from naturalness.files.archive import pack, unpack
from naturalness.files.resources import locate, opened_once
from naturalness.models.parsers.generative.backoff import Backoff, Counts, from_arrays, to_arrays
from naturalness.models.parsers.generative.grammar import ALPHABET_START, Grammar, Symbols, WordModel

FORMAT_VERSION = 2
TYPES = ("|u1", "<u2", "<u4", "<u8", "<i8", "<f8")
"""Types that arrays in a file may have; counts have the smallest type that fits."""
TABLES = ("rules", "counted", "spelled", "cased")
"""Names of the tables, which are distributions over children, forms, letters of forms, and capitals."""
LISTS = ("labels", "tags", "letters", "forms")
GRAMMAR = "grammar"
"""Prefix of the names of arrays that do not belong to one of the tables."""


@dataclass(frozen=True, slots=True)
class Content:
    """Content of a grammar file: names, word forms, and the counts in `TABLES` for each context length."""

    labels: Sequence[str]
    tags: Sequence[str]
    letters: Sequence[str]
    forms: Sequence[str]
    """Known word forms in ascending order."""
    counts: Mapping[str, Sequence[Counts]]

    @property
    def radices(self) -> dict[str, tuple[int, ...]]:
        """Number of possible values at each position of a context, for each table."""
        symbols = Symbols(self.labels, self.tags).size
        letters = ALPHABET_START + len(self.letters)
        return {
            "rules": (symbols,) * 6,
            "counted": (symbols,) * 2,
            "spelled": (letters, symbols, letters),
            "cased": (2, symbols, len(self.forms) + 1),
        }

    def grammar(self, tables: Mapping[str, Backoff] | None = None) -> Grammar:
        """Return the grammar, made from the counts or, if given, from ``tables``."""
        by_name = tables or {name: Backoff(radix, self.counts[name]) for name, radix in self.radices.items()}
        words = WordModel(
            self.forms, self.letters, counted=by_name["counted"], spelled=by_name["spelled"], cased=by_name["cased"]
        )
        return Grammar(Symbols(self.labels, self.tags), by_name["rules"], words)


def write_grammar(path: Path, content: Content) -> None:
    """Write a grammar file; the same content always gives the same bytes."""
    arrays: dict[str, Any] = {f"{GRAMMAR}.version": np.array([FORMAT_VERSION], np.int64)}
    for name in LISTS:
        text = "\n".join(getattr(content, name)) + "\n" * (name == "forms")  # only this list ends in a line end
        arrays[f"{GRAMMAR}.{name}"] = np.frombuffer(text.encode(), np.uint8)
    for name, radix in content.radices.items():
        arrays |= to_arrays(name, radix, content.counts[name])
    path.write_bytes(pack(arrays, TYPES))


def open_grammar(path: Path) -> Grammar:
    """Read a grammar file; raise `ModelError` if it is damaged."""
    try:
        arrays = unpack(path.read_bytes(), TYPES)
        version = arrays[f"{GRAMMAR}.version"].tolist()
        if version != [FORMAT_VERSION]:
            raise ValueError(f"format version {version!s:.20}; this release reads {FORMAT_VERSION}")
        content = Content(**{name: _names(name, arrays) for name in LISTS}, counts={})
        tables = {name: from_arrays(name, arrays, radix) for name, radix in content.radices.items()}
    except FileNotFoundError:
        raise ModelError(f"no grammar at {path}; reinstall naturalness") from None
    except (OSError, ValueError, KeyError, ModelError) as error:
        raise ModelError(f"{path} is not a grammar ({error!s:.200}); reinstall naturalness") from None
    return content.grammar(tables)


def _names(name: str, arrays: Mapping[str, NDArray[Any]]) -> list[str]:
    """Return a list of names, which is stored as text with one name per line."""
    return arrays[f"{GRAMMAR}.{name}"].tobytes().decode("utf-8").removesuffix("\n").split("\n")


ASSET = "pcfg"


@opened_once
def grammar() -> Grammar:
    """Return the shipped grammar, estimated from GUM and CRAFT, with word counts from further corpora."""
    return open_grammar(locate(ASSET))
