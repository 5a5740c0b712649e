"""Hugging Face models as readers: a vector for each piece of a text, in its context.

A text is a run of its own, in whole floats on one thread, so that its vectors are the same in any
company. One with more pieces than the network reads at once is read in parts of like length, of
which none sees the others.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.errors import ModelError
from naturalness.models.huggingface import Reader, open_reader, opened_by_name

REMEMBERED = 256
"""Texts whose vectors are cached; a long one takes a megabyte."""
POOLER = "pooler."
"""Prefix of weights that piece vectors do not depend on; many files lack them."""
WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


class Encoded(NamedTuple):
    """An encoded text, without the pieces that the tokenizer adds before and after it."""

    vectors: FloatArray
    """(pieces, width)."""
    owners: tuple[int, ...]
    """Index of each piece's word; -1 for punctuation."""
    words: tuple[str, ...]
    """Lower-case words."""


@dataclass(frozen=True, eq=False, slots=True)
class Encoder:
    """A network that gives a vector per piece and layer."""

    signature: str
    reader: Reader = field(repr=False)
    layers: int

    def encode(self, text: str, layer: int | None = None) -> Encoded:
        """Return the vectors after a layer, by default the last; 0 is before the first."""
        return _encoded(self, text, self.depth(layer))

    def depth(self, layer: int | None) -> int:
        """Return the number of a layer; raise `ModelError` if there is no such layer."""
        if layer is None:
            return self.layers
        if not 0 <= layer <= self.layers:
            raise ModelError(f"layer {layer} of a model of {self.layers} layers; expected 0 to {self.layers}")
        return layer


@lru_cache(maxsize=REMEMBERED)
def _encoded(encoder: Encoder, text: str, layer: int) -> Encoded:
    reader = encoder.reader
    encoding = reader.cutter.encode(text, add_special_tokens=False)
    vectors = [_run(reader, part, layer) for part in parts(encoding.ids, reader.max_pieces)]
    spans = [match.span() for match in WORD.finditer(text)]
    return Encoded(
        np.concatenate(vectors) if vectors else np.empty((0, 0)),
        owners_of(spans, encoding.offsets, len(text)),
        words_of(text),
    )


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text, runs of letters, digits and inner apostrophes, in lower case."""
    return tuple(match[0].lower() for match in WORD.finditer(text))


def owners_of(words: Sequence[tuple[int, int]], pieces: Sequence[tuple[int, int]], length: int) -> tuple[int, ...]:
    """Return the word that covers most of each piece, given character spans; -1 for none."""
    letters = [-1] * length
    for number, (start, stop) in enumerate(words):
        letters[start:stop] = [number] * (stop - start)
    owners = []
    for start, stop in pieces:
        within = Counter(owner for owner in letters[start:stop] if owner >= 0)
        owners.append(within.most_common(1)[0][0] if within else -1)
    return tuple(owners)


def parts(pieces: Sequence[int], most: int) -> list[Sequence[int]]:
    """Split pieces into the fewest runs of at most ``most`` pieces, of similar length."""
    count = -(-len(pieces) // most)
    cuts = [len(pieces) * i // count for i in range(count + 1)] if count else []
    return [pieces[start:stop] for start, stop in pairwise(cuts)]


def _run(reader: Reader, pieces: Sequence[int], layer: int) -> FloatArray:
    states = reader.run(pieces, output_hidden_states=True).hidden_states[layer][0]
    vectors: FloatArray = states.cpu().numpy().astype(np.float64)
    return vectors[len(reader.before) : len(reader.before) + len(pieces)]


@opened_by_name
def open_encoder(folder: Path, signature: str) -> Encoder:
    """Open a model from a folder or the local cache of the hub's client."""
    reader = open_reader(folder, "AutoModel", idle=POOLER)
    config = reader.network.config
    if getattr(config, "is_encoder_decoder", False):
        raise ModelError(
            f"{folder} reads one text to write another; expected a model that only reads, such as BERT or RoBERTa"
        )
    return Encoder(signature, reader, int(config.get_text_config().num_hidden_layers))
