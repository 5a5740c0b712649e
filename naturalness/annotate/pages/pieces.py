"""A text in pieces that a page can show and mark: words, and what stands between them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

WORD = re.compile(r"\w+(?:[’'\-]\w+)*|[^\w\s]+")
"""A word with what is inside it (don't, well-known), or a run of other signs."""
Piece = tuple[str] | tuple[str, int, int]
"""A text between words, or a word with its start and end in characters.

Offsets are told by us and never counted by the page: JavaScript counts some characters as two.
"""


def pieces(text: str) -> list[Piece]:
    """All of a text in order."""
    found: list[Piece] = []
    last = 0
    for match in WORD.finditer(text):
        if match.start() > last:
            found.append((text[last : match.start()],))
        found.append((match.group(), match.start(), match.end()))
        last = match.end()
    if last < len(text):
        found.append((text[last:],))
    return found


def checked_marks(marks: Iterable[Sequence[int]], text: str) -> tuple[tuple[int, int], ...]:
    """Marks as the project keeps them: in order, inside the text, none twice."""
    found = set()
    for start, end in marks:
        if not 0 <= start < end <= len(text):
            raise ValueError(f"no mark from {start} to {end} in a text of {len(text)} characters")
        found.add((int(start), int(end)))
    return tuple(sorted(found))
