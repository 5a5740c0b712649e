"""Units of language models: the words, word pieces or tags of each sentence of a text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, Literal, NamedTuple

from naturalness.errors import ModelError, damage_as
from naturalness.models.language.vocabulary import OTHER
from naturalness.models.sentences import bounds, spelled
from naturalness.text.view import View

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
    with damage_as(ModelError, path, "copy it again", what="is not a SentencePiece model"):
        return encoder_of(path.read_bytes())


def encoder_of(model: bytes) -> Callable[[str], list[str]]:
    """Return a function that splits a word into pieces, given the bytes of a SentencePiece model."""
    import sentencepiece

    processor: Any = sentencepiece.SentencePieceProcessor()
    processor.LoadFromSerializedProto(model)

    def encode(word: str) -> list[str]:
        cut: list[str] = processor.EncodeAsPieces(word)
        return cut

    return encode
