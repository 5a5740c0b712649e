"""Writes a model as KenLM's own binary file, which the kenlm package maps into memory.

The trie without quantisation, byte for byte what `build_binary trie` writes: `lm/binary_format.cc`
(head), `lm/vocab.cc` (hashes of the words), `lm/trie.cc` (nodes, packed by bits).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from naturalness.errors import ModelError
from naturalness.models.language.estimated import Ngrams
from naturalness.models.language.trie import Nodes, arrange

Hashes = NDArray[np.uint64]
Field = tuple[NDArray[np.generic], int]

TRIE = 2  # model type
VERSION = 1  # of the trie
MULTIPLIER = 1.5  # of hash tables; a trie has none, but the head names it
MAGIC = b"mmap lm http://kheafield.com/code format version 5\n"
PADDING = bytes(8)
"""Behind each packed array, so that reading eight bytes at once never leaves it."""
ROWS = 65_536  # packed at a time; a multiple of 8, so that each batch fills whole bytes


def write_binary(ngrams: Ngrams, path: Path) -> None:
    """Write a model for `kenlm.Model`; the file appears under its name when it is complete."""
    if any((logprobs > 0).any() for logprobs in ngrams.logprobs):
        raise ModelError("the model has a log-probability above 0; expected at most 0")
    words = [word.encode() for word in ngrams.vocabulary]
    hashes = murmur64(words[1:])
    turn = np.argsort(hashes)
    hashes = hashes[turn]
    if (hashes[1:] == hashes[:-1]).any():
        raise ModelError("the model has two words that are the same to kenlm; expected each once")
    numbers = np.zeros(len(words), np.int64)  # <unk> is 0 and has no hash
    numbers[1 + turn] = np.arange(1, len(words))
    nodes = arrange(ngrams, numbers)
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as file:
            _write_head(file, [len(level.words) for level in nodes])
            file.write(struct.pack("<Q", len(hashes)) + hashes.tobytes() + PADDING)
            _write_unigrams(file, nodes[0])
            for level in nodes[1:]:
                _write_packed(file, level, len(words))
            file.write(b"\0".join([words[0], *(words[1 + i] for i in turn)]) + b"\0")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def murmur64(words: Sequence[bytes]) -> Hashes:
    """MurmurHash64A with seed 0 of each word; words of the same length are hashed together."""
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
    """Hashes of words given as blocks of eight bytes, the last one filled up with zeros."""
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


def _write_head(file: BinaryIO, sizes: Sequence[int]) -> None:
    """Format, numbers by which a reader tells its byte order, kind of model, sizes."""
    head = struct.pack("<56s3f3IQ", MAGIC, 0.0, 1.0, -0.5, 1, 2**32 - 1, 0, 1)
    head += struct.pack("<B3xfI?3xI", len(sizes), MULTIPLIER, TRIE, True, VERSION)
    head += struct.pack(f"<{len(sizes)}Q", *sizes)
    file.write(head + bytes(-len(head) % 8))


def _write_unigrams(file: BinaryIO, nodes: Nodes) -> None:
    """Single words are not packed; one entry more for the end, and one that stays empty."""
    table = np.zeros(
        len(nodes.words) + 2, [("logprob", "<f4"), ("backoff", "<f4"), ("next", "<u8")]
    )
    table["logprob"][:-2] = nodes.logprobs
    table["backoff"][:-2] = nodes.backoffs
    table["next"][:-1] = nodes.children
    file.write(table.tobytes())


def _write_packed(file: BinaryIO, nodes: Nodes, n_words: int) -> None:
    """Nodes of longer n-grams; one entry more, which says where the children of the last end."""
    n = len(nodes.words) + 1
    signless = nodes.logprobs.astype("<f4").view("<u4") & np.uint32(2**31 - 1)  # all are negative
    fields: list[Field] = [(nodes.words, n_words.bit_length()), (signless, 31)]
    if len(nodes.children):
        fields.append((nodes.backoffs.astype("<f4").view("<u4"), 32))
        fields.append((nodes.children, int(nodes.children[-1]).bit_length()))
    for packed in _pack(fields, n):
        file.write(packed)
    file.write(PADDING)


def _pack(fields: Sequence[Field], n: int) -> Iterator[bytes]:
    """Rows of fields, each so many bits wide, lowest bit first; missing last values are 0."""
    for start in range(0, n, ROWS):
        rows = min(ROWS, n - start)
        bits = []
        for values, width in fields:
            column = np.zeros((rows, 1), "<u8")
            part = values[start : start + rows]
            column[: len(part), 0] = part
            bits.append(
                np.unpackbits(column.view(np.uint8), axis=1, count=width, bitorder="little")
            )
        yield np.packbits(np.concatenate(bits, axis=1), bitorder="little").tobytes()
