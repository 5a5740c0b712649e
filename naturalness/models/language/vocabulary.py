"""The units that a language model knows, and how often each occurred: the unigram twin of SLOR.

Two files of gzipped text: counts with their units, and the words that are written with a capital inside a
sentence (`I`, `London`), for texts typed without any.
"""

from __future__ import annotations

import gzip
import math
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path

import numpy as np

from naturalness.arrays import BoolArray, FloatArray
from naturalness.errors import ModelError, damage_as
from naturalness.files.archive import unzipped
from naturalness.models.language.base import END

OTHER = "<oov>"
"""Stands for every unit outside the vocabulary, in training as in scoring: a word like any other,
with counts and n-grams of its own, so that both models treat what they do not know alike."""
RESERVED = frozenset({"<s>", END, "<unk>"})
UNKNOWN_TOO = "<UNK>"
"""KenLM takes it for `<unk>`."""
MIN_CAPITALISED = 5
"""Times a form must occur inside sentences before it tells how a word is capitalised."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Natural logs of relative frequencies."""

    frequencies: Mapping[str, float]
    """Of units. `END` and `OTHER` are not among them: typed ones are units that are not known."""
    end: float
    """Of ends of sentences."""
    other: float
    """Of all units that are not known, together."""

    def look_up(self, units: list[str], ends: Sequence[int] = ()) -> tuple[list[str], FloatArray, BoolArray]:
        """Return units with `OTHER` for the unknown, ln of their frequencies, and which are unknown.

        ``ends``: places of the ends of sentences, whatever is written there.
        """
        logs = np.fromiter(map(self.frequencies.get, units, repeat(math.nan)), np.float64, len(units))
        logs[list(ends)] = self.end
        unknown = np.isnan(logs)
        known = list(units)
        for i in np.flatnonzero(unknown).tolist():
            known[i] = OTHER
        logs[unknown] = self.other
        return known, logs, unknown


def read_vocabulary(path: Path) -> Vocabulary:
    """Read the table of counts and their units."""
    rows = [line.partition("\t") for line in _read_text(path).split("\n")]
    if rows.pop() != ("", "", ""):
        raise ModelError(f"{path} is no table of counts and units (it ends inside a line)")
    try:
        groups = [(int(count), units.split("\t")) for count, _, units in rows]
        size = sum(len(units) for _, units in groups)
        total = math.log(sum(count * len(units) for count, units in groups))
        table: dict[str, float] = {}
        for count, units in groups:
            log = math.log(count) - total
            table.update(dict.fromkeys(units, log))
    except ValueError as error:
        raise ModelError(f"{path} is no table of counts and units ({error})") from None
    if len(table) < size or "" in table or not {END, OTHER} <= table.keys():
        raise ModelError(f"{path}: units repeat or are empty, or lack {END} or {OTHER}")
    end, other = table.pop(END), table.pop(OTHER)
    return Vocabulary(table, end, other)


def write_vocabulary(path: Path, counts: Mapping[str, int]) -> None:
    """Write counts with their units, highest first: this is read in half the time of a unit per line."""
    groups: defaultdict[int, list[str]] = defaultdict(list)
    for unit, count in sorted(counts.items()):
        groups[count].append(unit)
    _write_lines(path, ("\t".join([str(count), *units]) for count, units in sorted(groups.items())[::-1]))


def known_units(counts: Mapping[str, int], sentences: int, least: int) -> dict[str, int]:
    """Return units seen at least so often, ends of sentences, and the rest under the name of `OTHER`."""
    special = {*RESERVED, UNKNOWN_TOO, OTHER}
    known = {unit: n for unit, n in counts.items() if n >= least and unit not in special}
    known[OTHER] = max(1, sum(n for unit, n in counts.items() if unit not in known))
    known[END] = sentences
    return known


def capitalised(inside: Mapping[str, int], known: Container[str]) -> list[str]:
    """Return known words whose most frequent form inside a sentence is not lower case.

    ``inside``: how often each word stands behind the first of a sentence.
    """
    forms: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
    for word, n in inside.items():
        forms[word.lower()].append((n, word))
    best = (max(counts)[1] for counts in forms.values() if sum(n for n, _ in counts) >= MIN_CAPITALISED)
    return sorted(word for word in best if word != word.lower() and word in known)


def read_capitals(path: Path) -> dict[str, str]:
    """Read a table from lower-case forms to the forms that are meant."""
    return {word.lower(): word for word in _read_text(path).split("\n")[:-1]}


def write_capitals(path: Path, words: Iterable[str]) -> None:
    """Write the words whose lower-case form stands for them."""
    _write_lines(path, sorted(words))


def _read_text(path: Path) -> str:
    with damage_as(ModelError, path, "copy it again"):
        return unzipped(path.read_bytes()).decode("utf-8")


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    text = "".join(f"{line}\n" for line in lines)
    path.write_bytes(gzip.compress(text.encode("utf-8"), mtime=0))
