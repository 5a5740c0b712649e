"""A stretch of a file's running text; each character knows the span of the file it stands for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Prose:
    """Text without its markup."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    @classmethod
    def of(cls, text: str, start: int, end: int) -> Prose:
        """``text[start:end]`` as it stands."""
        return cls(text[start:end], tuple(range(start, end)), tuple(range(start + 1, end + 1)))

    def cut(self, start: int, end: int) -> Prose:
        """A part of it."""
        return Prose(self.text[start:end], self.starts[start:end], self.ends[start:end])

    def stripped(self) -> Prose:
        """Without white space at its ends."""
        left = len(self.text) - len(self.text.lstrip())
        return self.cut(left, max(left, len(self.text.rstrip())))

    def without(self, ranges: Iterable[tuple[int, int]]) -> Prose:
        """Less some ranges, given in order; of two spaces that come together so, one goes too."""
        parts: list[Prose] = []
        last = 0
        for start, end in ranges:
            if start > last:
                parts.append(self.cut(last, start))
            last = max(last, end)
        parts.append(self.cut(last, len(self.text)))
        kept: list[Prose] = []
        for part in parts:
            after_space = not kept or kept[-1].text[-1:].isspace()
            here = part.cut(1, len(part.text)) if after_space and part.text[:1].isspace() else part
            if here.text:
                kept.append(here)
        return chained(kept)

    def replaced(self, start: int, end: int, new: str) -> Prose:
        """With other characters for a range; each of them stands for the whole of it."""
        at, stop = self.starts[start], self.ends[end - 1]
        middle = Prose(new, (at,) * len(new), (stop,) * len(new))
        return chained([self.cut(0, start), middle, self.cut(end, len(self.text))])

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The part of the file that ``text[start:end]`` stands for."""
        if start >= len(self.starts):
            place = self.ends[-1] if self.ends else 0
            return place, place
        if end <= start:
            return self.starts[start], self.starts[start]
        return self.starts[start], self.ends[min(end, len(self.ends)) - 1]


def chained(parts: Sequence[Prose]) -> Prose:
    """Parts one behind the other."""
    return Prose(
        "".join(part.text for part in parts),
        tuple(place for part in parts for place in part.starts),
        tuple(place for part in parts for place in part.ends),
    )


def joined(lines: Sequence[Prose]) -> Prose:
    """Lines of a paragraph, with a space for each line end and what is blank around it."""
    parts: list[Prose] = []
    for line in lines:
        here = line.stripped()
        if not here.text:
            continue
        if parts:
            parts.append(Prose(" ", (parts[-1].ends[-1],), (here.starts[0],)))
        parts.append(here)
    return chained(parts)
