"""The units that a language model knows and their counts, from which SLOR takes unigram probabilities.

Two files of gzipped text: counts with their units, and the words usually capitalised inside a sentence (`I`, `London`),
for texts typed without capitals.
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
"""Replacement for every unit outside the vocabulary, in training and scoring alike. It is counted and has n-grams like
any other unit, so that the language model and the unigram model treat unknown units the same way."""
RESERVED = frozenset({"<s>", END, "<unk>"})
UNKNOWN_TOO = "<UNK>"
"""Form that KenLM reads as `<unk>`."""
MIN_CAPITALISED = 5
"""Minimum number of occurrences inside sentences from which a word's capitalisation is learned."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Natural logs of the relative frequencies of units."""

    frequencies: Mapping[str, float]
    """Frequencies of known units. `END` and `OTHER` are not included: if they occur in a text, they are unknown
    units."""
    end: float
    """Frequency of sentence ends."""
    other: float
    """Total frequency of all unknown units."""

    def look_up(self, units: list[str], ends: Sequence[int] = ()) -> tuple[list[str], FloatArray, BoolArray]:
        """Return the units with unknown ones replaced by `OTHER`, ln of their frequencies, and which are unknown.

        ``ends`` are the positions of sentence ends, whatever unit is written there.
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
    """Read the table of units and their counts."""
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
    """Write units grouped by count, highest count first; this takes half the time to read of one unit per line."""
    groups: defaultdict[int, list[str]] = defaultdict(list)
    for unit, count in sorted(counts.items()):
        groups[count].append(unit)
    _write_lines(path, ("\t".join([str(count), *units]) for count, units in sorted(groups.items())[::-1]))


def known_units(counts: Mapping[str, int], sentences: int, least: int) -> dict[str, int]:
    """Return the counts of units seen at least ``least`` times and of sentence ends, and the rest as `OTHER`."""
    special = {*RESERVED, UNKNOWN_TOO, OTHER}
    known = {unit: n for unit, n in counts.items() if n >= least and unit not in special}
    known[OTHER] = max(1, sum(n for unit, n in counts.items() if unit not in known))
    known[END] = sentences
    return known


def capitalised(inside: Mapping[str, int], known: Container[str]) -> list[str]:
    """Return known words whose most frequent form inside a sentence is not lower case.

    ``inside`` counts the occurrences of each word after the first word of a sentence.
    """
    forms: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
    for word, n in inside.items():
        forms[word.lower()].append((n, word))
    best = (max(counts)[1] for counts in forms.values() if sum(n for n, _ in counts) >= MIN_CAPITALISED)
    return sorted(word for word in best if word != word.lower() and word in known)


def read_capitals(path: Path) -> dict[str, str]:
    """Read a table from lower-case forms to capitalised forms."""
    return {word.lower(): word for word in _read_text(path).split("\n")[:-1]}


def write_capitals(path: Path, words: Iterable[str]) -> None:
    """Write the capitalised forms that replace lower-case words in text without capitals."""
    _write_lines(path, sorted(words))


def _read_text(path: Path) -> str:
    with damage_as(ModelError, path, "copy it again"):
        return unzipped(path.read_bytes()).decode("utf-8")


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    text = "".join(f"{line}\n" for line in lines)
    path.write_bytes(gzip.compress(text.encode("utf-8"), mtime=0))
