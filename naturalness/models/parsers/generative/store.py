"""Grammar files, which are archives (`files.archive`) of integer arrays and lists of names; and the shipped grammar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from numpy.typing import NDArray

from naturalness.errors import ModelError
from naturalness.files.archive import unpack
from naturalness.files.resources import locate, opened_once
from naturalness.models.parsers.generative.backoff import Backoff, from_arrays
from naturalness.models.parsers.generative.grammar import ALPHABET_START, Grammar, Symbols, WordModel

FORMAT_VERSION = 2
TYPES = ("|u1", "<u2", "<u4", "<u8", "<i8", "<f8")
"""Types that arrays in a file may have; counts have the smallest type that fits."""
GRAMMAR = "grammar"
"""Prefix of the names of arrays that do not belong to one of the tables."""


class Names(NamedTuple):
    """Names and word forms in a grammar file."""

    labels: Sequence[str]
    tags: Sequence[str]
    letters: Sequence[str]
    forms: Sequence[str]
    """Known word forms in ascending order."""

    @property
    def radices(self) -> dict[str, tuple[int, ...]]:
        """Number of possible values at each position of a context, for each table: the distributions over children,
        forms, letters of forms, and capitals.
        """
        symbols = Symbols(self.labels, self.tags).size
        letters = ALPHABET_START + len(self.letters)
        return {
            "rules": (symbols,) * 6,
            "counted": (symbols,) * 2,
            "spelled": (letters, symbols, letters),
            "cased": (2, symbols, len(self.forms) + 1),
        }

    def grammar(self, *, rules: Backoff, **tables: Backoff) -> Grammar:
        """Return the grammar, made from one distribution for each table."""
        return Grammar(Symbols(self.labels, self.tags), rules, WordModel(self.forms, self.letters, **tables))


def open_grammar(path: Path) -> Grammar:
    """Read a grammar file; raise `ModelError` if it is damaged."""
    try:
        arrays = unpack(path.read_bytes(), TYPES)
        version = arrays[f"{GRAMMAR}.version"].tolist()
        if version != [FORMAT_VERSION]:
            raise ValueError(f"format version {version!s:.20}; this release reads {FORMAT_VERSION}")
        names = Names(*(_names(name, arrays) for name in Names._fields))
        tables = {name: from_arrays(name, arrays, radix) for name, radix in names.radices.items()}
    except FileNotFoundError:
        raise ModelError(f"no grammar at {path}; reinstall naturalness") from None
    except (OSError, ValueError, KeyError, ModelError) as error:
        raise ModelError(f"{path} is not a grammar ({error!s:.200}); reinstall naturalness") from None
    return names.grammar(**tables)


def _names(name: str, arrays: Mapping[str, NDArray[Any]]) -> list[str]:
    """Return a list of names, which is stored as text with one name per line."""
    return arrays[f"{GRAMMAR}.{name}"].tobytes().decode("utf-8").removesuffix("\n").split("\n")


ASSET = "pcfg"


@opened_once
def grammar() -> Grammar:
    """Return the shipped grammar, estimated from GUM and CRAFT, with word counts from further corpora."""
    return open_grammar(locate(ASSET))
