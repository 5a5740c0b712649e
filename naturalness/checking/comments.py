"""Comments of Markdown and plain text: they are not read, and switch the reading off and on."""

from __future__ import annotations

import re

from naturalness.text.mapped import MappedText

OPENING = re.compile(r"(?<!`)(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`)|(?P<comment><!--)")
"""A comment, unless it stands between back-ticks."""
SWITCH = re.compile(r"\s*naturalness:\s*(on|off)\s*\Z", re.IGNORECASE)


class Comments:
    """What is open while a file is read line by line."""

    def __init__(self) -> None:
        self.off = False
        self._said: str | None = None
        """What the open comment says so far."""

    @property
    def inside(self) -> bool:
        """Whether a comment is open."""
        return self._said is not None

    def shown(self, line: MappedText) -> MappedText:
        """What of a line is neither comment nor switched off."""
        hidden: list[tuple[int, int]] = []
        place = 0
        while place < len(line.text):
            if self._said is None:
                opening = next((m for m in OPENING.finditer(line.text, place) if m["comment"]), None)
                stop = opening.start() if opening else len(line.text)
                if self.off:
                    hidden.append((place, stop))
                if not opening:
                    break
                place, self._said = opening.end(), ""
                hidden.append((stop, place))
            closing = line.text.find("-->", place)
            stop = len(line.text) if closing < 0 else closing
            self._said += line.text[place:stop] + "\n" * (closing < 0)
            hidden.append((place, stop if closing < 0 else stop + 3))
            if closing < 0:
                break
            place = stop + 3
            self._close()
        return line.without(hidden) if hidden else line

    def _close(self) -> None:
        switch = SWITCH.match(self._said or "")
        if switch:
            self.off = switch[1].lower() == "off"
        self._said = None
