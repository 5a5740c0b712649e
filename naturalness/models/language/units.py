"""Units of language models: the words, word pieces or tags of each sentence of a text, and their counts.

SLOR gets unigram probabilities from the counts. They are stored in two files of gzipped text: one has the units grouped
by count; the other has the words that are usually capitalised even inside a sentence (`I`, `London`), for use with
texts written without capitals.
"""

from __future__ import annotations

import gzip
import math
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, repeat
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from naturalness.arrays import BoolArray, FloatArray
from naturalness.errors import ModelError, damage_as
from naturalness.files.archive import unzipped
from naturalness.models.language.base import END
from naturalness.models.language.tables import RESERVED
from naturalness.text.view import View, bounds, spelled

OTHER = "<oov>"
"""Replacement for every unit outside the vocabulary, in training and scoring alike. It has a count and occurs in
n-grams like any other unit, so that the language model and the unigram frequencies treat unknown units alike."""
MIN_CAPITALISED = 5
"""How often a word must occur inside sentences for its usual capitalisation to be learned."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The relative frequencies of units, all as natural logs."""

    frequencies: Mapping[str, float]
    """Log frequency of each known unit. `END` and `OTHER` are not included, so these strings are unknown units if a
    text contains them."""
    end: float
    """Log frequency of sentence ends."""
    other: float
    """Log of the total frequency of all unknown units."""

    def look_up(self, units: list[str], ends: Sequence[int] = ()) -> tuple[list[str], FloatArray, BoolArray]:
        """Return the units, with `OTHER` for unknown ones; ln of each unit's frequency; and whether each is unknown.

        ``ends`` are the positions of sentence ends; the units there are ignored.
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
    """Read a vocabulary from a table of units and their counts."""
    rows = [line.partition("\t") for line in _read_text(path).split("\n")]
    if rows.pop() != ("", "", ""):
        raise ModelError(f"{path} is not a table of counts and units (it ends inside a line)")
    try:
        groups = [(int(count), units.split("\t")) for count, _, units in rows]
        size = sum(len(units) for _, units in groups)
        total = math.log(sum(count * len(units) for count, units in groups))
        table: dict[str, float] = {}
        for count, units in groups:
            log = math.log(count) - total
            table.update(dict.fromkeys(units, log))
    except ValueError as error:
        raise ModelError(f"{path} is not a table of counts and units ({error})") from None
    if len(table) < size or "" in table or not {END, OTHER} <= table.keys():
        raise ModelError(f"{path}: a unit is empty or repeated, or {END} or {OTHER} is missing")
    end, other = table.pop(END), table.pop(OTHER)
    return Vocabulary(table, end, other)


def write_vocabulary(path: Path, counts: Mapping[str, int]) -> None:
    """Write units grouped by count, highest count first, which makes reading twice as fast as one unit per line."""
    groups: defaultdict[int, list[str]] = defaultdict(list)
    for unit, count in sorted(counts.items()):
        groups[count].append(unit)
    _write_lines(path, ("\t".join([str(count), *units]) for count, units in sorted(groups.items())[::-1]))


def known_units(counts: Mapping[str, int], sentences: int, least: int) -> dict[str, int]:
    """Return the counts of units seen at least ``least`` times, of `END`, and of all other units as `OTHER`."""
    special = {*RESERVED, "<UNK>", OTHER}  # KenLM takes <UNK> for <unk>
    known = {unit: n for unit, n in counts.items() if n >= least and unit not in special}
    known[OTHER] = max(1, sum(n for unit, n in counts.items() if unit not in known))
    known[END] = sentences
    return known


def capitalised(inside: Mapping[str, int], known: Container[str]) -> list[str]:
    """Return known words whose most frequent spelling inside a sentence is capitalised.

    ``inside`` has the number of occurrences of each word, not counting the first words of sentences.
    """
    forms: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
    for word, n in inside.items():
        forms[word.lower()].append((n, word))
    best = (max(counts)[1] for counts in forms.values() if sum(n for n, _ in counts) >= MIN_CAPITALISED)
    return sorted(word for word in best if word != word.lower() and word in known)


def read_capitals(path: Path) -> dict[str, str]:
    """Return the capitalised forms in a file, keyed by lower-case form."""
    return {word.lower(): word for word in _read_text(path).split("\n")[:-1]}


def write_capitals(path: Path, words: Iterable[str]) -> None:
    """Write the capitalised forms that are to replace lower-case words in texts written without capitals."""
    _write_lines(path, sorted(words))


def _read_text(path: Path) -> str:
    with damage_as(ModelError, path, "copy it again"):
        return unzipped(path.read_bytes()).decode("utf-8")


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    text = "".join(f"{line}\n" for line in lines)
    path.write_bytes(gzip.compress(text.encode("utf-8"), mtime=0))


Kind = Literal["words", "pieces", "tags"]
KINDS: tuple[Kind, ...] = ("words", "pieces", "tags")
REMEMBERED = 1 << 14
"""Maximum number of words whose pieces are cached."""


class Stretch(NamedTuple):
    """The units of one sentence, and the positions of its tokens in the view."""

    units: list[str]
    tokens: Sequence[int]
    counts: Sequence[int] | None = None
    """Number of units per token; None if each token is one unit."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Converts a view into the units of its sentences."""

    kind: Kind
    capitals: Mapping[str, str] = field(default_factory=dict)
    """Usual capitalised forms, keyed by lower-case form; they replace words in texts written without capitals."""
    cut: Callable[[str], list[str]] | None = None
    """Function that splits a word into pieces; None if units are not pieces."""
    encoder: str = ""
    """Checksum of the SentencePiece model, equal for models with the same pieces; empty if units are not pieces."""

    def __call__(self, view: View) -> list[Stretch]:
        """Return the units of each sentence of a view; an empty list if the view has no word."""
        texts = view.tags if self.kind == "tags" else spelled(view, self.capitals)
        if self.cut is None:
            return [Stretch(texts[a:b], range(a, b)) for a, b in bounds(view)]
        stretches = []
        for a, b in bounds(view):
            parts = list(map(self.cut, texts[a:b]))
            stretches.append(Stretch(list(chain.from_iterable(parts)), range(a, b), list(map(len, parts))))
        return stretches


def pieces(encode: Callable[[str], list[str]], capitals: Mapping[str, str], encoder: str = "") -> Reader:
    """Return a reader of word pieces; each token is split separately, so that spacing makes no difference."""
    return Reader("pieces", capitals, lru_cache(REMEMBERED)(lambda word: encode(word) or [OTHER]), encoder)


def open_pieces(path: Path) -> Callable[[str], list[str]]:
    """Open a SentencePiece model, and return a function that splits a word into pieces."""
    import sentencepiece

    processor: Any = sentencepiece.SentencePieceProcessor()
    with damage_as(ModelError, path, "copy it again", what="is not a SentencePiece model"):
        processor.LoadFromSerializedProto(path.read_bytes())

    def encode(word: str) -> list[str]:
        cut: list[str] = processor.EncodeAsPieces(word)
        return cut

    return encode
