"""An n-gram model at work: KenLM's tables, mapped into memory, over the units of Docs."""

from __future__ import annotations

import gzip
import math
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from naturalness.arrays import BoolArray, FloatArray, IntArray
from naturalness.errors import ModelError, damage_as
from naturalness.files.resources import has_package
from naturalness.models.language.arpa import read_arpa
from naturalness.models.language.base import END, TokenScores
from naturalness.models.language.binary import HEAD, is_binary, write_binary
from naturalness.models.language.trie import TrieModel, check_file, open_trie, trie_of
from naturalness.models.language.units import Reader, Stretch
from naturalness.models.language.vocabulary import RESERVED, Vocabulary
from naturalness.text.view import View, stored_beside, view

if TYPE_CHECKING:
    from spacy.tokens import Doc

LN10 = math.log(10.0)
SHORTEST_LINE = 4
"""Bytes of an n-gram in an ARPA file."""
BATCH = 1024
"""Docs that are scored at a time; they share arrays, which stay while one of them does."""
AT_END, ONE = (-1,), (1,)
"""Place and number of units of the end of a sentence."""
ReadText = tuple[Sequence[Stretch], Sequence[int]]
"""The sentences of a text, and the places of its tokens in the Doc."""


def open_kenlm(path: Path, *, trusted: bool = False) -> Any:
    """Open a KenLM model from its binary, which is mapped and not read, or from an ARPA file.

    Where the kenlm package is missing, our own reader opens it (`trie`), with the same digits. Unless the file is
    ``trusted``, it is first checked for what would lead KenLM beyond it.
    """
    advice = "expected its binary format or ARPA: see `naturalness lm train`"
    with damage_as(ModelError, path, advice, what="is no n-gram model that can be opened"):
        if not trusted:
            _check(path)
        return _with_kenlm(path) if has_package("kenlm") else _without_kenlm(path)


def _check(path: Path) -> None:
    """Check a binary file, or that the numbers in the head of an ARPA file fit its size: KenLM reserves memory."""
    with path.open("rb") as file:
        head = file.read(HEAD)
    if is_binary(head):
        return check_file(path)
    zipped = head.startswith(b"\x1f\x8b")
    most = path.stat().st_size * (1_000 if zipped else 1) // SHORTEST_LINE
    with gzip.open(path) if zipped else path.open("rb") as file:
        for line in iter(lambda: file.readline(1_000).strip(), b""):
            key, _, size = line.partition(b"=")
            if key.startswith(b"ngram ") and size.strip().isdigit() and int(size) > most:
                raise ValueError(f"{int(size):,} n-grams in so few bytes")


def _with_kenlm(path: Path) -> Any:
    import kenlm

    config = kenlm.Config()
    config.load_method = kenlm.LoadMethod.LAZY
    config.show_progress = False
    config.arpa_complain = kenlm.ARPALoadComplain.NONE
    return kenlm.Model(str(path), config)


def _without_kenlm(path: Path) -> TrieModel:
    """Open a binary trie; an ARPA file is made one first, in memory."""
    with path.open("rb") as file:
        if is_binary(file.read(HEAD)):
            return open_trie(path)
    with tempfile.TemporaryDirectory() as folder:
        binary = Path(folder) / "model.binary"
        write_binary(read_arpa(path), binary)
        return trie_of(np.frombuffer(binary.read_bytes(), np.uint8))


@dataclass(frozen=True, slots=True)
class NgramModel:
    """Scores words, word pieces or tags; without a vocabulary, SLOR is undefined."""

    name: str
    signature: str
    kenlm: Any
    read: Reader
    vocabulary: Vocabulary | None = None
    language: str = ""
    """That of the pipeline which read its text; empty where it is not known."""

    @property
    def order(self) -> int:
        """Length of the longest n-gram."""
        return int(self.kenlm.order)

    @property
    def checksum(self) -> str:
        """That of its files."""
        return self.signature.rpartition(":")[2]

    @property
    def keeps_frequencies(self) -> bool:
        """Whether it knows how frequent its units were in its text."""
        return self.vocabulary is not None

    def token_logprobs(self, docs: Sequence[Doc]) -> list[TokenScores]:
        """Score each Doc; scores are kept beside it.

        Refuses Docs of another language: read by its pipeline, words would be cut otherwise.
        """
        if docs and self.language and docs[0].lang_ not in ("", self.language):
            raise ModelError(
                f"language model {self.name!r} was made of text read as {self.language!r}, and "
                f"this is read as {docs[0].lang_!r}; name the pipeline of its making with --nlp "
                "(nlp=...)"
            )
        return score_beside(docs, self.signature, self.score_all)

    def score(self, seen: View) -> TokenScores:
        """Score a view."""
        return self.score_stretches(self.read(seen), seen.positions)

    def score_all(self, views: Sequence[View]) -> list[TokenScores]:
        """Score views together, with the numbers that `score` gives one by one."""
        return self._scores([(self.read(seen), seen.positions) for seen in views])

    def score_stretches(self, stretches: Sequence[Stretch], positions: Sequence[int]) -> TokenScores:
        """Score units that have been read; ``positions`` are those of the tokens in the Doc."""
        return self._scores([(stretches, positions)])[0]

    def spelled(self, units: Sequence[str]) -> float:
        """Return ln of the first unit's frequency times p of the others, with nothing before the first.

        Not even the start of a sentence. NaN where the model keeps no frequencies.
        """
        (line,), logs, _ = self._look_up([*units, END], [len(units)])
        scores = self.kenlm.full_scores(line, False, False)
        return float(logs[0]) + LN10 * math.fsum(log for log, _, _ in islice(scores, 1, None))

    def _scores(self, texts: Sequence[ReadText]) -> list[TokenScores]:
        """Score all texts in one set of arrays, of which each gets its part: that is faster."""
        units: list[str] = []
        ends: list[int] = []
        stops: list[int] = []
        for stretches, _ in texts:
            for stretch in stretches:
                units += stretch.units
                ends.append(len(units))
                units.append(END)
            stops.append(len(units))
        lines, unigrams, unknown = self._look_up(units, ends)
        logprobs, lengths, strange = full_scores(self.kenlm, lines)
        if self.vocabulary is None:
            unknown = strange
        tokens = _tokens_of(texts, len(units))
        scored = []
        start = 0
        for stop in stops:
            part = slice(start, stop)
            scores = TokenScores(
                units[part], tokens[part], logprobs[part], unigrams[part], lengths[part], unknown[part]
            )
            scored.append(scores)
            start = stop
        return scored

    def _look_up(self, units: list[str], ends: list[int]) -> tuple[list[str], FloatArray, BoolArray]:
        """Return sentences as KenLM may know them, ln of the frequency of each unit, whether it is unknown."""
        if self.vocabulary is not None:
            known, logs, missing = self.vocabulary.look_up(units, ends)
        else:
            # KenLM splits at white space and would take a typed `</s>` for an end.
            known = ["<unk>" if u in RESERVED else "_".join(u.split()) or "_" for u in units]
            logs, missing = np.full(len(units), np.nan), np.zeros(len(units), np.bool_)
        for i in ends:
            known[i] = "\n"  # which no known unit has
        return " ".join(known).split("\n")[:-1], logs, missing


def full_scores(model: Any, lines: Iterable[str]) -> tuple[FloatArray, IntArray, BoolArray]:
    """Return of each unit and end of sentence: ln p, length of the n-gram, whether KenLM lacks it.

    ``lines``: units with spaces between them, a sentence each.
    """
    if isinstance(model, TrieModel):
        logprobs, lengths, unknown = model.score_lines(lines)
        return logprobs * LN10, lengths, unknown
    # Flat, for many tuples held at once would keep the garbage collector busy.
    flat = list(chain.from_iterable(chain.from_iterable(map(model.full_scores, lines))))
    logprobs = np.fromiter(flat[::3], np.float64, len(flat) // 3)
    logprobs *= LN10
    lengths = np.frombuffer(bytes(flat[1::3]), np.uint8).astype(np.int64)
    return logprobs, lengths, np.frombuffer(bytes(flat[2::3]), np.bool_).copy()


def _tokens_of(texts: Sequence[ReadText], n: int) -> IntArray:
    """Return the index in the Doc of the token of each unit; -1 for ends."""
    tokens: list[Iterable[int]] = []
    counts: list[Iterable[int]] = []
    for stretches, positions in texts:
        moved = bool(positions) and positions[-1] != len(positions) - 1
        for stretch in stretches:
            tokens.append(map(positions.__getitem__, stretch.tokens) if moved else stretch.tokens)
            tokens.append(AT_END)
            if stretch.counts is not None:
                counts.append(stretch.counts)
                counts.append(ONE)
    if not counts:
        return np.fromiter(chain.from_iterable(tokens), np.int64, n)
    flat = np.fromiter(chain.from_iterable(tokens), np.int64)
    return np.repeat(flat, np.fromiter(chain.from_iterable(counts), np.int64))


def score_beside(
    docs: Sequence[Doc], signature: str, score: Callable[[Sequence[View]], Iterable[TokenScores]]
) -> list[TokenScores]:
    """Return the scores of Docs, which are stored beside them."""

    def in_batches(docs: Sequence[Doc]) -> Iterator[TokenScores]:
        for start in range(0, len(docs), BATCH):
            yield from score([view(doc) for doc in docs[start : start + BATCH]])

    return stored_beside(docs, f"naturalness.lm.{signature}", in_batches)
