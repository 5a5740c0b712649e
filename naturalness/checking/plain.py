"""Plain text: paragraphs with blank lines between."""

from __future__ import annotations

from collections.abc import Iterator

from naturalness.checking.comments import Comments
from naturalness.text.mapped import MappedText


def lines_of(text: str) -> Iterator[MappedText]:
    """The lines of a text without their ends."""
    start = 0
    while start < len(text):
        stop = text.find("\n", start)
        stop = len(text) if stop < 0 else stop
        end = stop - 1 if text[start:stop].endswith("\r") else stop
        yield MappedText.of(text, start, end)
        start = stop + 1


def passages(text: str) -> Iterator[list[MappedText]]:
    """The lines of each paragraph; comments that switch the reading are obeyed here too."""
    comments = Comments()
    passage: list[MappedText] = []
    for line in lines_of(text):
        shown = comments.shown(line).stripped()
        if shown.text:
            passage.append(shown)
        elif passage:
            yield passage
            passage = []
    if passage:
        yield passage


def as_written(passage: MappedText) -> MappedText:
    """Plain text has no markup inside a line."""
    return passage
