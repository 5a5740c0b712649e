"""N-gram models, which score the units of Docs; KenLM maps their tables into memory."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, pairwise, takewhile
from pathlib import Path
from typing import Any

import numpy as np

from naturalness.arrays import BoolArray, FloatArray, IntArray
from naturalness.errors import ModelError, damage_as
from naturalness.files.resources import has_package, require_package
from naturalness.models.language.base import END, TokenScores
from naturalness.models.language.formats import HEAD, is_binary
from naturalness.models.language.tables import RESERVED
from naturalness.models.language.trie import TrieModel, check_file, open_trie
from naturalness.models.language.units import Reader, Stretch, Vocabulary
from naturalness.text.view import Doc, stored_beside, view

LN10 = math.log(10.0)
SHORTEST_LINE = 4
"""Minimum number of bytes that an n-gram can take in an ARPA file."""
BATCH = 1024
"""Number of Docs scored at a time. Their scores are slices of shared arrays, which stay in memory as long as any Doc of
the batch keeps its scores."""
ReadText = tuple[Sequence[Stretch], Sequence[int]]
"""The sentences of a text in units, and the index in the Doc of each token."""


def open_kenlm(path: Path, *, trusted: bool = False) -> Any:
    """Open a KenLM model from a binary file, which is mapped into memory rather than read, or from an ARPA file.

    If the kenlm package is not installed, our own reader (`trie`) opens binary files, with the same results. Unless
    the file is ``trusted``, it is first checked for contents that would make KenLM read outside the file.
    """
    advice = "expected its binary format or ARPA: see `naturalness lm train`"
    with damage_as(ModelError, path, advice, what="is not a readable n-gram model"):
        with path.open("rb") as file:
            binary = is_binary(file.read(HEAD))
        if not binary:
            _check_arpa(path)
            require_package("kenlm", user=f"ARPA file {str(path)!r}", extra="kenlm")
        elif not trusted:
            check_file(path)
        return _with_kenlm(path) if has_package("kenlm") else open_trie(path)


def _check_arpa(path: Path) -> None:
    """Raise `ValueError` for a file that is too small for the counts in its header.

    KenLM would reserve memory for all those n-grams. The counts of a compressed file are not read.
    """
    most = path.stat().st_size // SHORTEST_LINE
    with path.open("rb") as file:
        lines = iter(lambda: file.readline(1_000), b"")
        begin = next((line for line in lines if line.strip() and not line.startswith(b"#")), b"")
        if begin.strip() != b"\\data\\":
            raise ValueError("neither binary nor an uncompressed ARPA file")
        for line in takewhile(bytes.strip, lines):
            key, _, size = line.partition(b"=")
            if key.startswith(b"ngram ") and size.strip().isdigit() and int(size) > most:
                raise ValueError(f"it claims {int(size):,} n-grams, more than its size allows")


def _with_kenlm(path: Path) -> Any:
    import kenlm

    config = kenlm.Config()
    config.load_method = kenlm.LoadMethod.LAZY
    config.show_progress = False
    config.arpa_complain = kenlm.ARPALoadComplain.NONE
    return kenlm.Model(str(path), config)


@dataclass(frozen=True, slots=True)
class NgramModel:
    """An n-gram model over words, word pieces or tags; SLOR is undefined without a vocabulary."""

    name: str
    signature: str
    kenlm: Any
    read: Reader
    vocabulary: Vocabulary | None = None
    language: str = ""
    """Language code of the spaCy pipeline that tokenised the training text; empty if unknown."""

    @property
    def checksum(self) -> str:
        """Short checksum of the model's files."""
        return self.signature.rpartition(":")[2]

    @property
    def keeps_frequencies(self) -> bool:
        """Whether the model has the frequencies of its units."""
        return self.vocabulary is not None

    def token_logprobs(self, docs: Sequence[Doc]) -> list[TokenScores]:
        """Return the scores of each Doc, and store them beside it.

        Raises `ModelError` for Docs of another language, since their pipeline may split words into tokens differently.
        """
        if docs and self.language and docs[0].lang_ not in ("", self.language):
            raise ModelError(
                f"language model {self.name!r} was trained on text tokenised as {self.language!r}, but this text is "
                f"tokenised as {docs[0].lang_!r}; name the pipeline that it was trained with "
                "(`nlp` of the commands features and train)"
            )

        def in_batches(docs: Sequence[Doc]) -> Iterator[TokenScores]:
            for start in range(0, len(docs), BATCH):
                views = map(view, docs[start : start + BATCH])
                yield from self.scores([(self.read(seen), seen.positions) for seen in views])

        return stored_beside(docs, f"naturalness.lm.{self.signature}", in_batches)

    def spelled(self, units: Sequence[str]) -> float:
        """Return the natural log of a word's probability without context; ``units`` are its pieces.

        It is ln of the first unit's frequency plus, for each later unit, ln of its probability given the ones before.
        The context does not include the start of a sentence. NaN if the model has no frequencies.
        """
        (line,), logs, _ = self._look_up([*units, END], [len(units)])
        scores = self.kenlm.full_scores(line, False, False)
        return float(logs[0]) + LN10 * math.fsum(log for log, _, _ in islice(scores, 1, None))

    def scores(self, texts: Sequence[ReadText]) -> list[TokenScores]:
        """Return the scores of each text, as slices of arrays that all texts share; separate arrays would be slower."""
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
        tokens = _tokens_of(texts)
        return [
            TokenScores(units[a:b], tokens[a:b], logprobs[a:b], unigrams[a:b], lengths[a:b], unknown[a:b])
            for a, b in pairwise([0, *stops])
        ]

    def _look_up(self, units: list[str], ends: list[int]) -> tuple[list[str], FloatArray, BoolArray]:
        """Return the sentences as lines for KenLM, ln of each unit's frequency, and whether each unit is unknown."""
        if self.vocabulary is not None:
            known, logs, missing = self.vocabulary.look_up(units, ends)
        else:
            # KenLM splits at white space and would read a typed `</s>` as a sentence end.
            known = ["<unk>" if u in RESERVED else "_".join(u.split()) or "_" for u in units]
            logs, missing = np.full(len(units), np.nan), np.zeros(len(units), np.bool_)
        for i in ends:
            known[i] = "\n"  # no unit contains a line break
        return " ".join(known).split("\n")[:-1], logs, missing


def full_scores(model: Any, lines: Iterable[str]) -> tuple[FloatArray, IntArray, BoolArray]:
    """Return ln p, n-gram length, and whether the unit is unknown to KenLM, for each unit and sentence end.

    ``lines`` are sentences with spaces between units.
    """
    if isinstance(model, TrieModel):
        logprobs, lengths, unknown = model.score_lines(lines)
        return logprobs * LN10, lengths, unknown
    # Keep flat lists: a large number of live tuples would slow down the garbage collector.
    flat = list(chain.from_iterable(chain.from_iterable(map(model.full_scores, lines))))
    logprobs = np.fromiter(flat[::3], np.float64, len(flat) // 3)
    logprobs *= LN10
    lengths = np.frombuffer(bytes(flat[1::3]), np.uint8).astype(np.int64)
    return logprobs, lengths, np.frombuffer(bytes(flat[2::3]), np.bool_).copy()


def _tokens_of(texts: Sequence[ReadText]) -> IntArray:
    """Return the index in the Doc of each unit's token; -1 for sentence ends."""
    owners: list[int] = []
    for stretches, positions in texts:
        for stretch in stretches:
            tokens = [positions[i] for i in stretch.tokens]
            owners += tokens if stretch.counts is None else np.repeat(tokens, stretch.counts).tolist()
            owners.append(-1)
    return np.array(owners, np.int64)
