"""Write n-gram models as ARPA files and in the binary format of KenLM, which maps files into memory.

An ARPA file has one n-gram per line, with tabs between its fields as KenLM requires. Numbers are written with the
fewest digits that preserve the single-precision value.

A binary file is an unquantised trie, byte for byte as `build_binary trie` writes it: `lm/binary_format.cc` (header),
`lm/vocab.cc` (hashes of the words), `lm/trie.cc` (nodes, packed by bits). The trie is traversed from the last word
backwards: n-grams that differ only in their first word are adjacent, sorted by the number of that word. A node is
therefore one word, and its children are the words that can precede it. The sign of a zero back-off records whether a
longer n-gram begins with this one (`lm/blank.hh`).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from naturalness.arrays import Float32Array, IntArray
from naturalness.models.language.tables import Ngrams, levels_of

Hashes = NDArray[np.uint64]
Field = tuple[NDArray[np.generic], int]

TRIE = 2  # KenLM's number for an unquantised trie
VERSION = 1  # version of the trie format
MULTIPLIER = 1.5  # size factor of hash tables; a trie has no hash table, but its header has the field
MAGIC = b"mmap lm http://kheafield.com/code format version 5\n"
PADDING = bytes(8)
"""Padding after each packed array: readers fetch eight bytes at once, and must not read beyond the end of the file."""
HEAD = 108
"""Number of bytes in the file before the n-gram counts."""
HEAD_FIELDS = struct.Struct("<B3xfI?3xI")
"""Header fields at offset `AT`: order, hash table multiplier, model type, whether the words are stored, format
version."""
AT = 88
ROWS = 65_536  # n-grams written at a time; a multiple of 8, so that each packed batch fills whole bytes


def write_binary(ngrams: Ngrams, path: Path) -> None:
    """Write a file that `kenlm.Model` can open."""
    words = [word.encode() for word in ngrams.vocabulary]
    hashes = murmur64(words[1:])
    turn = np.argsort(hashes)
    hashes = hashes[turn]
    numbers = np.zeros(len(words), np.int64)  # <unk> is 0 and has no hash
    numbers[1 + turn] = np.arange(1, len(words))
    nodes = arrange(ngrams, numbers)
    with path.open("wb") as file:
        sizes = [len(level.words) for level in nodes]
        # Format name, numbers that identify the byte order, kind of model, and sizes.
        head = struct.pack("<56s3f3IQ", MAGIC, 0.0, 1.0, -0.5, 1, 2**32 - 1, 0, 1)
        head += HEAD_FIELDS.pack(len(sizes), MULTIPLIER, TRIE, True, VERSION)
        head += struct.pack(f"<{len(sizes)}Q", *sizes)
        file.write(head + bytes(-len(head) % 8))
        file.write(struct.pack("<Q", len(hashes)) + hashes.tobytes() + PADDING)
        _write_unigrams(file, nodes[0])
        for level in nodes[1:]:
            _write_packed(file, level, len(words))
        file.write(b"\0".join([words[0], *(words[1 + i] for i in turn)]) + b"\0")


def murmur64(words: Sequence[bytes]) -> Hashes:
    """Return the MurmurHash64A of each word, with seed 0; words of equal length are hashed in one batch."""
    lengths = np.array([len(word) for word in words], np.int64)
    hashes = np.zeros(len(words), np.uint64)
    for length in np.unique(lengths).tolist():
        rows = np.flatnonzero(lengths == length)
        raw = np.frombuffer(b"".join([words[i] for i in rows.tolist()]), np.uint8)
        padded = np.zeros((len(rows), -(-length // 8) * 8), np.uint8)
        padded[:, :length] = raw.reshape(len(rows), length)
        hashes[rows] = _murmur_of_length(padded.view("<u8"), length)
    return hashes


def _murmur_of_length(blocks: Hashes, length: int) -> Hashes:
    """Return the hashes of words of equal length; each row holds a word in blocks of eight bytes, padded with zeros."""
    factor, shift = np.uint64(0xC6A4A7935BD1E995), np.uint64(47)
    mixed = np.full(len(blocks), length, np.uint64) * factor
    for i in range(blocks.shape[1]):
        block = blocks[:, i]
        if i < length // 8:
            block = block * factor
            block = (block ^ (block >> shift)) * factor
        mixed = (mixed ^ block) * factor
    mixed = (mixed ^ (mixed >> shift)) * factor
    return mixed ^ (mixed >> shift)


def _write_unigrams(file: BinaryIO, nodes: Nodes) -> None:
    """Write the unigrams, which are not packed, and two more entries.

    The first of these holds the end of the last unigram's children; the second is empty.
    """
    table = np.zeros(len(nodes.words) + 2, [("logprob", "<f4"), ("backoff", "<f4"), ("next", "<u8")])
    table["logprob"][:-2] = nodes.logprobs
    table["backoff"][:-2] = nodes.backoffs
    table["next"][:-1] = nodes.children
    file.write(table.tobytes())


def _write_packed(file: BinaryIO, nodes: Nodes, n_words: int) -> None:
    """Write the nodes of n-grams of two words or more; a final entry holds the end of the last node's children."""
    n = len(nodes.words) + 1
    signless = nodes.logprobs.astype("<f4").view("<u4") & np.uint32(2**31 - 1)  # the sign, always minus, is not stored
    fields: list[Field] = [(nodes.words, n_words.bit_length()), (signless, 31)]
    if len(nodes.children):
        backoffs = nodes.backoffs.astype("<f4").view("<u4")
        fields += [(backoffs, 32), (nodes.children, int(nodes.children[-1]).bit_length())]
    file.writelines(_pack(fields, n))
    file.write(PADDING)


def _pack(fields: Sequence[Field], n: int) -> Iterator[bytes]:
    """Yield the bytes of n rows of bit fields, lowest bit first; values missing at the end are 0."""
    for start in range(0, n, ROWS):
        rows = min(ROWS, n - start)
        bits = []
        for values, width in fields:
            column = np.zeros((rows, 1), "<u8")
            part = values[start : start + rows]
            column[: len(part), 0] = part
            bits.append(np.unpackbits(column.view(np.uint8), axis=1, count=width, bitorder="little"))
        yield np.packbits(np.concatenate(bits, axis=1), bitorder="little").tobytes()


class Nodes(NamedTuple):
    """The n-grams of one length in trie order."""

    words: IntArray
    """Number of each n-gram's first word; words are numbered in the order of their hashes."""
    logprobs: Float32Array
    backoffs: Float32Array
    """Back-off of each n-gram; negative zero if the n-gram does not begin a longer one."""
    children: IntArray
    """Index of each node's first child in the next level; a final entry is the end of the last node's children."""


def arrange(ngrams: Ngrams, numbers: IntArray) -> list[Nodes]:
    """Return the levels of a model's trie; ``numbers`` maps word ids to word numbers, which are in hash order."""
    levels = levels_of(ngrams)
    order, n_words = len(levels), len(numbers)
    nodes: list[Nodes] = []
    ranks = numbers
    turn = np.argsort(numbers)
    for k, level in enumerate(levels, start=1):
        if k > 1:
            turn = np.argsort(ranks[level.suffix] * n_words + numbers[level.first])
            above = ranks[level.suffix[turn]]
            children = np.searchsorted(above, np.arange(len(nodes[-1].words) + 1))
            nodes[-1] = nodes[-1]._replace(children=children)
            ranks = np.empty_like(turn)
            ranks[turn] = np.arange(len(turn))
        backoffs = np.zeros(0, np.float32)
        if k < order:
            # A zero is positive if a longer n-gram begins with this one, else negative.
            extended = np.zeros(len(level.first), np.bool_)
            extended[levels[k].prefix] = True
            backoffs = ngrams.backoffs[k - 1]
            backoffs = np.where(backoffs == 0, np.where(extended, np.float32(0.0), np.float32(-0.0)), backoffs)[turn]
        logprobs = ngrams.logprobs[k - 1][turn] + np.float32(0)
        nodes.append(Nodes(numbers[level.first[turn]], logprobs, backoffs, np.zeros(0, np.int64)))
    return nodes


def is_binary(head: bytes) -> bool:
    """Return whether a file begins like a KenLM binary of any version; ``head`` is its first bytes."""
    return head.startswith(MAGIC[:-2])


def write_arpa(ngrams: Ngrams, path: Path) -> None:
    """Write an ARPA file."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write("\\data\\\n")
        file.writelines(f"ngram {k}={n}\n" for k, n in enumerate(ngrams.sizes, start=1))
        for k in range(1, ngrams.order + 1):
            file.write(f"\n\\{k}-grams:\n")
            file.writelines(_entries(ngrams, k))
        file.write("\n\\end\\\n")


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
