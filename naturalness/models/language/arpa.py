"""Read and write ARPA files: one n-gram per line, with tabs between its fields as KenLM requires.

Numbers are written with the fewest digits that preserve the single-precision value, so that writing a model and reading
it again does not change it. Gzipped files, whose names end in `.gz`, can also be read.
"""

from __future__ import annotations

import gzip
from array import array
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from naturalness.arrays import Float32Array
from naturalness.errors import ModelError, excerpt
from naturalness.files.unfinished import unfinished_file
from naturalness.models.language.tables import RESERVED, UNKNOWN, IdArray, Ngrams

ROWS = 200_000
"""Number of n-grams formatted at a time."""
UNKNOWN_LOGPROB = -100.0
"""log10 probability of `<unk>` if a file does not list that word; KenLM's default."""


def write_arpa(ngrams: Ngrams, path: Path) -> None:
    """Write a model under a temporary name; the file is renamed to ``path`` once it is complete."""
    with unfinished_file(path) as part:
        with part.open("w", encoding="utf-8", newline="\n") as file:
            file.write("\\data\\\n")
            file.writelines(f"ngram {k}={n}\n" for k, n in enumerate(ngrams.sizes, start=1))
            for k in range(1, ngrams.order + 1):
                file.write(f"\n\\{k}-grams:\n")
                file.writelines(_entries(ngrams, k))
            file.write("\n\\end\\\n")
        part.chmod(0o644)
        part.replace(path)


def read_arpa(path: Path) -> Ngrams:
    """Read a model from a plain or gzipped file; `<unk>` gets a log10 probability of -100 if it is not in the file."""
    ids = {word: i for i, word in enumerate(RESERVED)}
    opened: Any = gzip.open if path.suffix == ".gz" else open
    try:
        with opened(path, "rt", encoding="utf-8", newline="\n") as file:
            reader = _Lines(path, file)
            tables = [reader.section(k, n, ids) for k, n in enumerate(reader.sizes(), start=1)]
            reader.finish()
    except (UnicodeDecodeError, EOFError, gzip.BadGzipFile) as error:
        raise ModelError(f"{path}: not an ARPA file, or damaged: {error}") from error
    rows, logprobs, backoffs = map(list, zip(*tables, strict=True))
    at = rows[0][:, 0]
    if missing := [word for word in RESERVED if ids[word] not in at and ids[word] != UNKNOWN]:
        raise ModelError(f"{path}: has no {' and no '.join(missing)} among its words; expected a model of sentences")
    # Unigrams are in order of id, reserved words first.
    numbers = np.zeros((2, len(ids)), np.float32)
    numbers[0, UNKNOWN] = UNKNOWN_LOGPROB
    numbers[:, at] = logprobs[0], backoffs[0]
    rows[0], (logprobs[0], backoffs[0]) = np.arange(len(ids), dtype=np.uint32)[:, None], numbers
    return Ngrams(list(ids), tuple(rows), tuple(logprobs), tuple(backoffs[:-1]))


def _entries(ngrams: Ngrams, k: int) -> Iterator[str]:
    """Yield the lines of the k-grams, joined into strings of up to `ROWS` lines."""
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
    """Return the distinct values as strings, and for each value the index of its string."""
    different, indices = np.unique(values, return_inverse=True)
    # Adding zero turns negative zero into zero.
    texts = [str(value).removesuffix(".0") for value in different + np.float32(0)]
    return np.array(texts, dtype=object), indices


class _Lines:
    """The lines of an ARPA file, with line numbers for messages."""

    def __init__(self, path: Path, file: TextIO) -> None:
        self.path = path
        self.lines = enumerate((line.rstrip("\r\n") for line in file), start=1)

    def error(self, number: int, line: str, expected: str) -> ModelError:
        return ModelError(f"{self.path}, line {number}: found {excerpt(line)}, expected {expected}")

    def next_filled(self, expected: str) -> tuple[int, str]:
        """Return the number and text of the next line that is not blank."""
        for number, line in self.lines:
            if line.strip():
                return number, line
        raise ModelError(f"{self.path}: ends before {expected}; the file is not complete")

    def expect(self, text: str) -> None:
        """Skip the next line that is not blank; raise `ModelError` if its text is not ``text``."""
        number, line = self.next_filled(text)
        if line.strip() != text:
            raise self.error(number, line, f"'{text}'; are the counts at the top right?")

    def finish(self) -> None:
        """Check that nothing follows the end marker; reading on also verifies that a gzipped file is complete."""
        self.expect("\\end\\")
        for number, line in self.lines:
            if line.strip():
                raise self.error(number, line, "nothing behind \\end\\")

    def sizes(self) -> list[int]:
        """Read the number of n-grams of each order from the header."""
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

    def section(self, k: int, n: int, ids: dict[str, int]) -> tuple[IdArray, Float32Array, Float32Array]:
        """Read the k-grams; return their word ids, log10 probabilities and log10 back-off weights.

        New unigrams are added to ``ids``, each with the next free id.
        """
        self.expect(f"\\{k}-grams:")
        rows, logprobs, backoffs = array("I"), array("f"), array("f")
        seen: set[str] = set()
        for number, line in islice(self.lines, n):
            try:
                logprob, text, *backoff = line.split("\t")
                value, weight = float(logprob), float(backoff[0]) if backoff else 0.0
            except ValueError:
                raise self.error(number, line, f"'LOG10 <tab> WORDS <tab> BACKOFF', one of {n:,} {k}-grams") from None
            words = [RESERVED[UNKNOWN] if word == "<UNK>" else word for word in text.split(" ")]
            if len(words) != k or "" in words:
                raise self.error(number, text, f"{k} words with a space between them")
            if not (-np.inf < value <= 0 and -np.inf < weight < np.inf):
                raise self.error(number, line, "a log10 probability up to 0 and a finite back-off")
            if k == 1:
                if text in seen:
                    raise self.error(number, text, "each word once")
                seen.add(text)
                ids.setdefault(words[0], len(ids))
            try:
                rows.extend([ids[word] for word in words])
            except KeyError as error:
                raise self.error(number, str(error), "words that are among the 1-grams") from None
            logprobs.append(value)
            backoffs.append(weight)
        if len(logprobs) < n:
            raise ModelError(f"{self.path}: has {len(logprobs):,} of {n:,} {k}-grams; it is not complete")
        return np.array(rows, np.uint32).reshape(n, k), np.array(logprobs, np.float32), np.array(backoffs, np.float32)
