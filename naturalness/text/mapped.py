"""Texts that can be edited while each character keeps a record of its span in the source."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from re import Match


@dataclass(frozen=True, slots=True)
class MappedText:
    """A text with the source span of each character; edits return a new text."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    @classmethod
    def of(cls, source: str, start: int = 0, end: int | None = None) -> MappedText:
        """Return ``source[start:end]`` as a text without edits."""
        stop = len(source) if end is None else end
        return cls(source[start:stop], tuple(range(start, stop)), tuple(range(start + 1, stop + 1)))

    def cut(self, start: int, end: int) -> MappedText:
        """Return ``text[start:end]``."""
        return MappedText(self.text[start:end], self.starts[start:end], self.ends[start:end])

    def stripped(self) -> MappedText:
        """Return the text without white space at either end."""
        left = len(self.text) - len(self.text.lstrip())
        return self.cut(left, max(left, len(self.text.rstrip())))

    def without(self, ranges: Iterable[tuple[int, int]]) -> MappedText:
        """Remove ranges, given in ascending order; if two spaces would then meet, remove one of them."""
        parts: list[MappedText] = []
        last = 0
        for start, end in ranges:
            if start > last:
                parts.append(self.cut(last, start))
            last = max(last, end)
        parts.append(self.cut(last, len(self.text)))
        pieces: list[MappedText] = []
        for part in parts:
            after_space = not pieces or pieces[-1].text[-1:].isspace()
            piece = part.cut(1, len(part.text)) if after_space and part.text[:1].isspace() else part
            if piece.text:
                pieces.append(piece)
        return chained(pieces)

    def substituted(self, pattern: re.Pattern[str], new: str | Callable[[Match[str]], str]) -> MappedText:
        """Replace each match; each new character maps to the whole match."""
        parts: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        last = 0
        for match in pattern.finditer(self.text):
            at, stop = match.span()
            fresh = new if isinstance(new, str) else new(match)
            if fresh == match.group():
                continue
            parts += [self.text[last:at], fresh]
            starts += self.starts[last:at]
            ends += self.ends[last:at]
            if at < stop:
                starts += [self.starts[at]] * len(fresh)
                ends += [self.ends[stop - 1]] * len(fresh)
            last = stop
        if not parts:
            return self
        text = "".join([*parts, self.text[last:]])
        return MappedText(text, (*starts, *self.starts[last:]), (*ends, *self.ends[last:]))

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the source span of ``text[start:end]``."""
        if start >= len(self.starts):
            stop = self.ends[-1] if self.ends else 0
            return stop, stop
        if end <= start:
            return self.starts[start], self.starts[start]
        return self.starts[start], self.ends[min(end, len(self.ends)) - 1]


def chained(parts: Sequence[MappedText]) -> MappedText:
    """Concatenate parts."""
    return MappedText(
        "".join(part.text for part in parts),
        tuple(start for part in parts for start in part.starts),
        tuple(end for part in parts for end in part.ends),
    )


def join_lines(lines: Sequence[MappedText]) -> MappedText:
    """Join the lines of a paragraph; each line end, with the blanks around it, becomes one space."""
    parts: list[MappedText] = []
    for line in lines:
        piece = line.stripped()
        if not piece.text:
            continue
        if parts:
            parts.append(MappedText(" ", (parts[-1].ends[-1],), (piece.starts[0],)))
        parts.append(piece)
    return chained(parts)
