"""Plain text: paragraphs with blank lines between."""

from __future__ import annotations

from collections.abc import Iterator

from naturalness.checking.comments import Comments
from naturalness.checking.prose import Prose


def lines_of(text: str) -> Iterator[Prose]:
    """The lines of a text without their ends."""
    start = 0
    while start < len(text):
        stop = text.find("\n", start)
        stop = len(text) if stop < 0 else stop
        end = stop - 1 if text[start:stop].endswith("\r") else stop
        yield Prose.of(text, start, end)
        start = stop + 1


def passages(text: str) -> Iterator[list[Prose]]:
    """The lines of each paragraph; comments that switch the reading are obeyed here too."""
    comments = Comments()
    passage: list[Prose] = []
    for line in lines_of(text):
        shown = comments.shown(line).stripped()
        if shown.text:
            passage.append(shown)
        elif passage:
            yield passage
            passage = []
    if passage:
        yield passage


def as_written(passage: Prose) -> Prose:
    """Plain text has no markup inside a line."""
    return passage
