"""Read and write ARPA files: one n-gram per line, with tabs between its fields as KenLM requires.

Numbers are written with the fewest digits that preserve the single-precision value, so that writing a model and reading
it again does not change it. Gzipped files, whose names end in `.gz`, can also be read.
"""

from __future__ import annotations

import gzip
import math
from array import array
from collections.abc import Iterator
from itertools import islice, takewhile
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
    with opened(path, "rt", encoding="utf-8", newline="\n") as file:
        lines = _Lines(file)
        try:
            tables = [_section(lines, k, n, ids) for k, n in enumerate(_sizes(lines), start=1)]
            _expect(lines, "\\end\\")
            _expect(lines, "")  # reading to the end also verifies that a gzipped file is complete
        except (ValueError, EOFError, gzip.BadGzipFile) as error:
            raise ModelError(f"{path} is not an ARPA file, or damaged: line {lines.number}: {error}") from None
    rows, logprobs, backoffs = map(list, zip(*tables, strict=True))
    at = rows[0][:, 0]
    if missing := [word for word in RESERVED if ids[word] not in at and ids[word] != UNKNOWN]:
        raise ModelError(f"{path}: its words lack {' and '.join(missing)}; expected a model of sentences")
    # Unigrams are in order of id, reserved words first.
    numbers = np.zeros((2, len(ids)), np.float32)
    numbers[0, UNKNOWN] = UNKNOWN_LOGPROB
    numbers[:, at] = logprobs[0], backoffs[0]
    rows[0], (logprobs[0], backoffs[0]) = np.arange(len(ids), dtype=np.uint32)[:, None], numbers
    return Ngrams(list(ids), tuple(rows), tuple(logprobs), tuple(backoffs[:-1]))


class _Lines(Iterator[str]):
    """The lines of a file, with the number of the last one for messages."""

    def __init__(self, file: TextIO) -> None:
        self.file = file
        self.number = 0

    def __next__(self) -> str:
        line = next(self.file)
        self.number += 1
        return line.rstrip("\r\n")


def _expect(lines: _Lines, text: str) -> None:
    """Skip the next line that is not blank; raise `ValueError` unless it is ``text``, or no line if that is empty."""
    line = next(filter(str.strip, lines), "")
    if line.strip() != text:
        raise _unlike(line, text or "no more lines")


def _unlike(line: str, expected: str) -> ValueError:
    return ValueError(f"found {excerpt(line)}, expected {expected}")


def _sizes(lines: _Lines) -> list[int]:
    """Read the number of n-grams of each order from the header."""
    head = next((line for line in lines if line.strip() and not line.startswith("#")), "")
    if head.strip() != "\\data\\":
        raise _unlike(head, "\\data\\, with which an ARPA file begins")
    sizes: list[int] = []
    for line in takewhile(str.strip, lines):
        name, _, size = line.partition("=")
        if name != f"ngram {len(sizes) + 1}" or not size.strip().isdecimal():
            raise _unlike(line, f"ngram {len(sizes) + 1}=NUMBER")
        sizes.append(int(size))
    if not sizes:
        raise ValueError("no n-grams are announced; expected ngram 1=NUMBER")
    return sizes


def _section(lines: _Lines, k: int, n: int, ids: dict[str, int]) -> tuple[IdArray, Float32Array, Float32Array]:
    """Read the k-grams; return their word ids, log10 probabilities and log10 back-off weights.

    New unigrams are added to ``ids``, each with the next free id.
    """
    _expect(lines, f"\\{k}-grams:")
    rows, logprobs, backoffs = array("I"), array("f"), array("f")
    for line in islice(lines, n):
        logprob, _, rest = line.partition("\t")
        text, _, backoff = rest.partition("\t")
        words = [RESERVED[UNKNOWN] if word == "<UNK>" else word for word in text.split(" ")]
        if k == 1 and words[0]:
            ids.setdefault(words[0], len(ids))
        value, weight = float(logprob), float(backoff or 0)
        if len(words) != k or not ids.keys() >= set(words) or not (value <= 0 and math.isfinite(value + weight)):
            what = f"one of {n:,} {k}-grams: a logarithm up to 0, a tab, words among the 1-grams, a tab, a logarithm"
            raise _unlike(line, what)
        rows.extend([ids[word] for word in words])
        logprobs.append(value)
        backoffs.append(weight)
    if len(logprobs) < n or (k == 1 and len(set(rows)) < n):
        raise ValueError(f"{len(logprobs):,} {k}-grams, or words that repeat; expected {n:,} different ones")
    return np.array(rows, np.uint32).reshape(n, k), np.array(logprobs, np.float32), np.array(backoffs, np.float32)


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
