"""What a language model counts: a text's words, word pieces or tags, sentence by sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, Literal, NamedTuple

from naturalness.errors import ModelError, damage_as
from naturalness.models.language.vocabulary import OTHER
from naturalness.models.sentences import bounds, spelled
from naturalness.text.view import View

Kind = Literal["words", "pieces", "tags"]
KINDS: tuple[Kind, ...] = ("words", "pieces", "tags")
REMEMBERED, LONGEST_REMEMBERED = 1 << 14, 64
"""Words whose pieces are kept, and the letters of the longest: texts may hold any."""


class Stretch(NamedTuple):
    """The units of one sentence and the tokens (by place in the view) that they belong to."""

    units: list[str]
    tokens: Sequence[int]
    counts: Sequence[int] | None = None
    """Units of each token; None: each token is one."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Turns a view into the units of its sentences."""

    kind: Kind
    capitals: Mapping[str, str] = field(default_factory=dict)
    """Lower-case form -> the form that is meant, for texts typed without capitals."""
    cut: Callable[[str], list[str]] | None = None
    """A word to its pieces."""
    encoder: str = ""
    """Checksum of the pieces' model, by which it is told whether two models cut alike."""

    def __call__(self, view: View) -> list[Stretch]:
        """Return the sentences of a view; none where it has no word."""
        if self.kind == "tags":
            return [Stretch(view.tags[a:b], range(a, b)) for a, b in bounds(view)]
        texts = spelled(view, self.capitals)
        if self.cut is None:
            return [Stretch(texts[a:b], range(a, b)) for a, b in bounds(view)]
        stretches = []
        for a, b in bounds(view):
            parts = list(map(self.cut, texts[a:b]))
            stretches.append(Stretch(list(chain.from_iterable(parts)), range(a, b), list(map(len, parts))))
        return stretches


def words(capitals: Mapping[str, str]) -> Reader:
    """Read words and marks, one per token."""
    return Reader("words", capitals)


def tags() -> Reader:
    """Read Penn tags, one per token."""
    return Reader("tags")


class Cuts(dict[str, list[str]]):
    """Words with their pieces, cut when first asked for; a cache that keeps an order is slower."""

    def __init__(self, encode: Callable[[str], list[str]]) -> None:
        super().__init__()
        self.encode = encode

    def __missing__(self, word: str) -> list[str]:
        cut = self.encode(word) or [OTHER]
        if len(word) <= LONGEST_REMEMBERED:
            if len(self) >= REMEMBERED:
                self.clear()
            self[word] = cut
        return cut


def pieces(encode: Callable[[str], list[str]], capitals: Mapping[str, str], encoder: str = "") -> Reader:
    """Read word pieces: each token is cut on its own, so that spacing makes no difference."""
    return Reader("pieces", capitals, Cuts(encode).__getitem__, encoder)


def open_pieces(path: Path) -> Callable[[str], list[str]]:
    """Open the encoder of a SentencePiece model: a word to its pieces."""
    with damage_as(ModelError, path, "copy it again", what="is no SentencePiece model"):
        return encoder_of(path.read_bytes())


def encoder_of(model: bytes) -> Callable[[str], list[str]]:
    """Return the encoder of the bytes of a SentencePiece model."""
    import sentencepiece

    processor: Any = sentencepiece.SentencePieceProcessor()
    processor.LoadFromSerializedProto(model)

    def encode(word: str) -> list[str]:
        cut: list[str] = processor.EncodeAsPieces(word)
        return cut

    return encode
