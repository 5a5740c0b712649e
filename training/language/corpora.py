"""Corpus sentences as lines of tokens, tokenised as the package does, and cached on disk."""

from __future__ import annotations

import lzma
import random
import zlib
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path

REGISTERS = (
    "wikipedia",
    "books",
    "podcasts",
    "textbooks",
    "dialogues",
    "speeches",
    "government",
    "wikinews",
    "news",
    "blog",
    "techdocs",
)
SHARES = {"techdocs": 0.5}
"""Share of sentences used: half of the software documentation. The podcasts are about software too,
but the only speech there is: without half of them SLOR goes less well with ratings."""
BATCH = 5_000


def sentences(corpora: Path, register: str, part: str = "") -> Iterator[str]:
    """Yield the lines of a register's main part, or of its held-out part (``part=".dev"``)."""
    with lzma.open(corpora / f"{register}{part}.txt.xz", "rt", encoding="utf-8") as file:
        yield from (line.strip() for line in file if line.strip())


def is_for_tuning(line: str) -> bool:
    """Return whether a line of a held-out part is in the half on which explanations are tuned.

    `training.mender.acceptance` reads it too; the other half is for benchmarks.
    """
    return zlib.crc32(line.encode()) % 2 == 1


def documents(corpora: Path, register: str, part: str = "") -> list[list[str]]:
    """Return the documents of a part of a register, each as its lines; blank lines divide them."""
    with lzma.open(corpora / f"{register}{part}.txt.xz", "rt", encoding="utf-8") as file:
        parts = file.read().split("\n\n")
    return [[line.strip() for line in part.split("\n") if line.strip()] for part in parts]


def chosen(lines: Iterator[str], share: float, seed: str) -> Iterator[str]:
    """Return a share of the lines, sampled with a fixed seed."""
    rng = random.Random(seed)
    return (line for line in lines if share >= 1 or rng.random() < share)


def write_tokens(corpora: Path, register: str, part: str, out: Path) -> Path:
    """Write a file of space-separated tokens for a register, unless it exists."""
    path = out / f"{register}{part}.txt"
    if path.exists():
        return path
    from naturalness.text.parsing import short_memory, tokenise

    unfinished = path.with_suffix(".unfinished")
    with unfinished.open("w", encoding="utf-8") as file:
        remaining = sentences(corpora, register, part)
        while batch := list(islice(remaining, BATCH)):
            with short_memory():
                for doc in tokenise(batch):
                    words = [token.text for token in doc if not token.is_space]
                    if words:
                        file.write(" ".join(words) + "\n")
    unfinished.rename(path)
    return path


def tokens(corpora: Path, work: Path, jobs: int = 2) -> Path:
    """Return the folder of token files of all registers, main and held-out parts."""
    out = work / "tokens"
    out.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(jobs) as pool:
        runs = [
            pool.submit(write_tokens, corpora, register, part, out) for part in ("", ".dev") for register in REGISTERS
        ]
        for run in runs:
            run.result()
    return out


def token_lines(folder: Path, register: str, part: str = "") -> Iterator[str]:
    """Yield the token lines of a register; of the main part, only the register's share."""
    with (folder / f"{register}{part}.txt").open(encoding="utf-8") as file:
        share = 1.0 if part else SHARES.get(register, 1.0)
        yield from chosen((line.rstrip("\n") for line in file), share, register)
