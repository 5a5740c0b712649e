"""Flaws as compilers print errors, a line each; Vim's errorformat is ``%f:%l:%c: %m``."""

from __future__ import annotations

from naturalness.checking import telling
from naturalness.checking.check import Checked
from naturalness.explaining import wording


def as_lines(checked: Checked) -> str:
    """``file:line:column: score cause: message``; the place is that of the first finding named."""
    told = []
    for flaw in checked.flaws:
        place, name = telling.pointed(flaw), flaw.sentence.source.name
        said = "; ".join(telling.reasons(flaw))
        what = f"{telling.score(flaw)} {wording.title_of(flaw.explained)}"
        line = f"{name}:{place.line}:{place.column}: {what}" + (f": {said}" if said else "")
        told.append(" ".join(line.split()) + "\n")
    return "".join(told)
