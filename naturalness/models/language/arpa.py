"""Reads and writes ARPA files: text, one n-gram a line, tabs around it as KenLM wants them.

Written numbers are the shortest that read back as the same single-precision value, so a model
that went through a file is the model it was. A name that ends in `.gz` means a gzipped file.
"""

from __future__ import annotations

import gzip
import io
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TextIO

import numpy as np

from naturalness.arrays import Float32Array
from naturalness.errors import ModelError, excerpt
from naturalness.files.storage import new_part
from naturalness.models.language.tables import RESERVED, UNKNOWN, IdArray, Ngrams

ROWS = 200_000
"""n-grams that are put into words at a time."""
UNKNOWN_LOGPROB = -100.0
"""log10 probability of `<unk>` where a file has none; KenLM's choice."""


def write_arpa(ngrams: Ngrams, path: Path) -> None:
    """Write a model; the file appears under its name when it is complete."""
    part = new_part(path, path.parent)
    try:
        with _open_text(part, "w", zipped=path.suffix == ".gz") as file:
            file.write("\\data\\\n")
            file.writelines(f"ngram {k}={n}\n" for k, n in enumerate(ngrams.sizes, start=1))
            for k in range(1, ngrams.order + 1):
                file.write(f"\n\\{k}-grams:\n")
                for lines in _entries(ngrams, k):
                    file.write(lines)
            file.write("\n\\end\\\n")
        part.chmod(0o644)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def read_arpa(path: Path) -> Ngrams:
    """Read a model; without `<unk>` in the file, that word gets a log10 probability of -100."""
    with _open_text(path, "r", zipped=path.suffix == ".gz") as file:
        reader = _Lines(path, file)
        try:
            sizes = reader.sizes()
            words, logprobs, backoffs = _unigrams(reader, sizes[0])
            ids = {word: i for i, word in enumerate(words)}
            ids.setdefault("<UNK>", UNKNOWN)
            tables = [
                (np.arange(len(words), dtype=np.uint32)[:, None], logprobs, backoffs),
                *(_section(reader, k, n, ids) for k, n in enumerate(sizes[1:], start=2)),
            ]
            reader.finish()
        except (UnicodeDecodeError, EOFError, gzip.BadGzipFile) as error:
            raise ModelError(f"{path}: not an ARPA file, or damaged: {error}") from error
    rows, logs, weights = zip(*tables, strict=True)
    return Ngrams(words, tuple(rows), tuple(logs), tuple(weights[:-1]))


@contextmanager
def _open_text(path: Path, mode: str, *, zipped: bool) -> Iterator[TextIO]:
    """Open a text file, plain or gzipped; the same content gives the same bytes."""
    with path.open(f"{mode}b") as raw:
        packed = gzip.GzipFile("", f"{mode}b", 6, raw, mtime=0) if zipped else None
        with io.TextIOWrapper(packed or raw, encoding="utf-8", newline="\n") as file:
            yield file


def _entries(ngrams: Ngrams, k: int) -> Iterator[str]:
    """Yield the lines of one order, many at a time."""
    words = np.array(ngrams.vocabulary, dtype=object)
    rows = ngrams.ids[k - 1]
    numbers = [_texts(ngrams.logprobs[k - 1])]
    line = "%s\t" + " ".join(["%s"] * k)
    if k < ngrams.order:
        numbers.append(_texts(ngrams.backoffs[k - 1]))
        line += "\t%s"
    for start in range(0, len(rows), ROWS):
        part = slice(start, start + ROWS)
        columns = [words[rows[part, j]].tolist() for j in range(k)]
        (logprobs, *backoffs) = [texts[indices[part]].tolist() for texts, indices in numbers]
        yield "".join(map(f"{line}\n".__mod__, zip(logprobs, *columns, *backoffs, strict=True)))


def _texts(values: Float32Array) -> tuple[np.ndarray, np.ndarray]:
    """Return the different numbers as text, and the index of each value among them."""
    different, indices = np.unique(values, return_inverse=True)
    # Adding zero makes negative zero plain.
    texts = [str(value).removesuffix(".0") for value in different + np.float32(0)]
    return np.array(texts, dtype=object), indices


class _Lines:
    """The lines of an ARPA file, with their numbers for messages."""

    def __init__(self, path: Path, file: TextIO) -> None:
        self.path = path
        self.lines = enumerate((line.rstrip("\r\n") for line in file), start=1)

    def error(self, number: int, line: str, expected: str) -> ModelError:
        return ModelError(f"{self.path}, line {number}: found {excerpt(line)}, expected {expected}")

    def next_filled(self, expected: str) -> tuple[int, str]:
        """Return the next line that is not blank."""
        for number, line in self.lines:
            if line.strip():
                return number, line
        raise ModelError(f"{self.path}: ends before {expected}; the file is not complete")

    def expect(self, text: str) -> None:
        """Pass over a line that must be there."""
        number, line = self.next_filled(text)
        if line.strip() != text:
            raise self.error(number, line, f"'{text}'; are the counts at the top right?")

    def finish(self) -> None:
        """Pass over the end; reading on tells whether a gzipped file is whole."""
        self.expect("\\end\\")
        for number, line in self.lines:
            if line.strip():
                raise self.error(number, line, "nothing behind \\end\\")

    def sizes(self) -> list[int]:
        """Read the numbers of n-grams by order from the head of the file."""
        number, line = self.next_filled("\\data\\")
        while line.startswith("#"):
            number, line = self.next_filled("\\data\\")
        if line.strip() != "\\data\\":
            raise self.error(number, line, "'\\data\\', with which an ARPA file begins")
        sizes: list[int] = []
        for number, line in self.lines:
            if not line.strip():
                break
            head, _, size = line.partition("=")
            if head != f"ngram {len(sizes) + 1}" or not size.strip().isdecimal():
                raise self.error(number, line, f"'ngram {len(sizes) + 1}=NUMBER'")
            sizes.append(int(size))
        if not sizes:
            raise ModelError(f"{self.path}: has no 'ngram 1=NUMBER' behind \\data\\")
        return sizes

    def entries(self, k: int, n: int) -> Iterator[tuple[int, float, list[str], float]]:
        """Yield line number, log10 probability, words and back-off of each n-gram of one order."""
        self.expect(f"\\{k}-grams:")
        n_read = 0
        for number, line in islice(self.lines, n):
            try:
                logprob, text, *backoff = line.split("\t")
                value, weight = float(logprob), float(backoff[0]) if backoff else 0.0
            except ValueError:
                raise self.error(number, line, f"'LOG10 <tab> WORDS <tab> BACKOFF', one of {n:,} {k}-grams") from None
            words = text.split(" ")
            if len(words) != k or "" in words:
                raise self.error(number, text, f"{k} words with a space between them")
            if not (-np.inf < value <= 0 and -np.inf < weight < np.inf):
                raise self.error(number, line, "a log10 probability up to 0 and a finite back-off")
            n_read += 1
            yield number, value, words, weight
        if n_read < n:
            raise ModelError(f"{self.path}: has {n_read:,} of {n:,} {k}-grams; it is not complete")


def _unigrams(reader: _Lines, n: int) -> tuple[list[str], Float32Array, Float32Array]:
    """Read words with their numbers, the reserved ones first."""
    table: dict[str, tuple[float, float]] = {}
    for number, logprob, (word,), backoff in reader.entries(1, n):
        word = RESERVED[UNKNOWN] if word == "<UNK>" else word
        if word in table:
            raise reader.error(number, word, "each word once")
        table[word] = logprob, backoff
    table.setdefault(RESERVED[UNKNOWN], (UNKNOWN_LOGPROB, 0.0))
    if missing := [word for word in RESERVED if word not in table]:
        raise ModelError(
            f"{reader.path}: has no {' and no '.join(missing)} among its words; expected a model of sentences"
        )
    words = [*RESERVED, *(word for word in table if word not in RESERVED)]
    numbers = np.array([table[word] for word in words], np.float32)
    return words, numbers[:, 0].copy(), numbers[:, 1].copy()


def _section(reader: _Lines, k: int, n: int, ids: dict[str, int]) -> tuple[IdArray, Float32Array, Float32Array]:
    """Read the n-grams of one order from two up."""
    rows, logprobs, backoffs = array("I"), array("f"), array("f")
    for number, logprob, words, backoff in reader.entries(k, n):
        try:
            rows.extend([ids[word] for word in words])
        except KeyError as error:
            raise reader.error(number, str(error), "words that are among the 1-grams") from None
        logprobs.append(logprob)
        backoffs.append(backoff)
    return (np.array(rows, np.uint32).reshape(n, k), np.array(logprobs, np.float32), np.array(backoffs, np.float32))
