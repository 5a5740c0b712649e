"""A text cut where findings begin and end, so that a page can mark them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from naturalness.pipelines.explaining.explanation import SURE, Finding


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text; together the pieces are the text."""

    text: str
    findings: tuple[Finding, ...] = ()
    """Those that cover it, the surest first."""

    @property
    def finding(self) -> Finding | None:
        """The surest of them."""
        return self.findings[0] if self.findings else None

    @property
    def gap(self) -> bool:
        """Whether it is a place between characters, where something is missing."""
        return self.finding is not None and not self.text

    @property
    def sure(self) -> bool:
        """Whether a reader surely stumbles here."""
        return self.finding is not None and self.finding.weight >= SURE


def pieces(text: str, findings: Sequence[Finding]) -> list[Piece]:
    """The pieces of a text in order; findings with a place outside it are left out."""
    places = [one for one in findings if 0 <= one.start <= one.end <= len(text)]
    order = sorted(places, key=lambda one: (-one.weight, one.start, one.end))
    cuts = sorted({0, len(text), *(at for one in order for at in (one.start, one.end))})
    out: list[Piece] = []
    for start, end in zip(cuts, [*cuts[1:], cuts[-1]], strict=True):
        gaps = tuple(one for one in order if one.start == one.end == start)
        if gaps:
            out.append(Piece("", gaps))
        if end > start:
            over = (one for one in order if one.start <= start and end <= one.end)
            out.append(Piece(text[start:end], tuple(over)))
    return out
