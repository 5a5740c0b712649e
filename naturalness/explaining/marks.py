"""A text cut where findings begin and end, so that a page can mark them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from naturalness.explaining.explanation import SURE, Finding

EXCERPT_CHARACTERS = 600
"""Of a text that reports show; longer ones are cut behind them."""


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
    inside = [finding for finding in findings if 0 <= finding.start <= finding.end <= len(text)]
    order = sorted(inside, key=lambda finding: (-finding.weight, finding.start, finding.end))
    begin: dict[int, list[int]] = {}
    end_at: dict[int, list[int]] = {}
    for rank, finding in enumerate(order):
        begin.setdefault(finding.start, []).append(rank)
        end_at.setdefault(finding.end, []).append(rank)
    cuts = sorted({0, len(text), *begin, *end_at})
    out: list[Piece] = []
    over: set[int] = set()
    for start, end in zip(cuts, [*cuts[1:], cuts[-1]], strict=True):
        gaps = tuple(order[rank] for rank in begin.get(start, ()) if order[rank].end == start)
        if gaps:
            out.append(Piece("", gaps))
        over.update(begin.get(start, ()))
        over.difference_update(end_at.get(start, ()))
        if end > start:
            out.append(Piece(text[start:end], tuple(order[rank] for rank in sorted(over))))
    return out


def excerpt(text: str, findings: Sequence[Finding]) -> list[Piece]:
    """Return the pieces of the beginning of a text, at most `EXCERPT_CHARACTERS` long."""
    start = text if len(text) <= EXCERPT_CHARACTERS else f"{text[:EXCERPT_CHARACTERS]} …"
    return pieces(start, [finding for finding in findings if finding.end <= EXCERPT_CHARACTERS])
