"""Colour on a terminal: when there is any, and what it is."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import IO

STYLES = {"bold": "1", "soft": "2", "good": "32", "bad": "31", "warning": "33", "sure": "4;31", "doubtful": "4;33"}
"""What things are on a screen; the numbers are those of ISO 6429."""


@dataclass(frozen=True, slots=True)
class Paint:
    """Puts text into a style, or leaves it as it is where there is no colour."""

    on: bool

    def __call__(self, text: str, style: str = "") -> str:
        return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if self.on and style and text else text


def paint_for(stream: IO[str]) -> Paint:
    """Colour where the stream is a terminal.

    NO_COLOR (no-color.org) takes it away, else FORCE_COLOR (force-color.org) gives it everywhere:
    the order in which Python itself asks.
    """
    if os.environ.get("NO_COLOR"):
        return Paint(False)
    if os.environ.get("FORCE_COLOR"):
        return Paint(True)
    return Paint(os.environ.get("TERM") != "dumb" and stream.isatty())
