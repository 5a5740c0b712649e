"""A Doc's text as LanguageTool is to read it, and the way back from its offsets.

Java counts UTF-16 units, of which characters beyond U+FFFF (emoji) take two. A paragraph that the
normalised text runs together with the next is parted again by an empty line, without which
LanguageTool would take a headline and what follows it for one sentence.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from naturalness.text.parsing import source_of

if TYPE_CHECKING:
    from spacy.tokens import Doc

GAP = "\n\n"
LAST_OF_ONE_UNIT = "\uffff"


@dataclass(frozen=True, slots=True)
class Sent:
    """A text as it is sent."""

    text: str
    breaks: tuple[int, ...] = ()
    """Where paragraphs begin, in ``text``."""
    units: Sequence[int] | None = None
    """UTF-16 offset of each character and of the end; None where these are the characters'."""

    def span(self, offset: int, length: int) -> tuple[int, int]:
        """Characters of the Doc's text for units of what was sent."""
        return self._place(offset), self._place(offset + length)

    def _place(self, unit: int) -> int:
        at = bisect_left(self.units, unit) if self.units is not None else unit
        at = min(max(at, 0), len(self.text))
        return at - bisect_right(self.breaks, at)


def sent(doc: Doc) -> Sent:
    """What is sent of a Doc."""
    return prepare(doc.text, source_of(doc).breaks)


def prepare(text: str, paragraphs: Sequence[int] = ()) -> Sent:
    """Part the paragraphs, which begin at these places behind a space, and count units."""
    pieces = [text[a:b] for a, b in zip((0, *paragraphs), (*paragraphs, len(text)), strict=True)]
    joined = GAP.join([*(piece[:-1] for piece in pieces[:-1]), pieces[-1]])
    breaks = tuple(place + i + 1 for i, place in enumerate(paragraphs))
    units = None
    if max(joined, default="") > LAST_OF_ONE_UNIT:
        units = tuple(accumulate((1 + (c > LAST_OF_ONE_UNIT) for c in joined), initial=0))
    return Sent(joined, breaks, units)
