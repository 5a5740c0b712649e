"""Plain text: paragraphs between blank lines, and the comments that switch checking off and on."""

from __future__ import annotations

import re
from collections.abc import Iterator

from naturalness.text.mapped import MappedText


def lines_of(text: str) -> Iterator[MappedText]:
    """Yield the lines of a text without their ends."""
    start = 0
    while start < len(text):
        stop = text.find("\n", start)
        stop = len(text) if stop < 0 else stop
        end = stop - 1 if text[start:stop].endswith("\r") else stop
        yield MappedText.of(text, start, end)
        start = stop + 1


def passages(text: str) -> Iterator[list[MappedText]]:
    """Yield the lines of each paragraph; comments that switch checking off and on count here too."""
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
    """Return a paragraph unchanged: plain text has no markup inside a line."""
    return passage


OPENING = re.compile(r"(?<!`)(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`)|(?P<comment><!--)")
"""A comment, unless it stands between back-ticks."""
SWITCH = re.compile(r"\s*naturalness:\s*(on|off)\s*\Z", re.IGNORECASE)


class Comments:
    """The state of comments while a file is read line by line."""

    def __init__(self) -> None:
        self.off = False
        self._comment: str | None = None
        """The text of the open comment so far; None outside one."""

    @property
    def inside(self) -> bool:
        """Whether a comment is open."""
        return self._comment is not None

    def shown(self, line: MappedText) -> MappedText:
        """Return the part of a line that is neither in a comment nor switched off."""
        hidden: list[tuple[int, int]] = []
        at = 0
        while at < len(line.text):
            if self._comment is None:
                opening = next((m for m in OPENING.finditer(line.text, at) if m["comment"]), None)
                stop = opening.start() if opening else len(line.text)
                if self.off:
                    hidden.append((at, stop))
                if not opening:
                    break
                at, self._comment = opening.end(), ""
                hidden.append((stop, at))
            closing = line.text.find("-->", at)
            stop = len(line.text) if closing < 0 else closing
            self._comment += line.text[at:stop] + "\n" * (closing < 0)
            hidden.append((at, stop if closing < 0 else stop + 3))
            if closing < 0:
                break
            at = stop + 3
            self._close()
        return line.without(hidden) if hidden else line

    def _close(self) -> None:
        switch = SWITCH.match(self._comment or "")
        if switch:
            self.off = switch[1].lower() == "off"
        self._comment = None
