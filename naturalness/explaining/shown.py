"""What of an explanation is shown: the strongest causes, and the text cut at its findings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from naturalness.explaining.explanation import Contribution, Explanation, Finding

STRONGEST = 3
"""Causes that are told in a line."""
MIN_CONTRIBUTION = 0.05
"""Log-odds, or points, below which a cause is not worth naming."""
SHOWN = 0.005
"""The same below which a number of two decimal places shows nothing."""
SURE = 0.5
"""Weight from which on a finding is likelier right than wrong."""


def strongest(
    values: Sequence[float], *, most: int = STRONGEST, least: float = MIN_CONTRIBUTION, named: int = -1
) -> list[int]:
    """Return the indices of at most ``most`` values of ``least`` or more, the largest first.

    ``named`` is always among them: where it would not be, it takes the last place.
    """
    order = sorted(range(len(values)), key=lambda i: (-abs(values[i]), i))
    order = [i for i in order if i == named or abs(values[i]) >= least]
    if named in order[most:]:
        order[most - 1] = named
    return order[:most]


def index_of(cause: str, causes: Sequence[str]) -> int:
    """Return the index of a cause, -1 where it is not among them."""
    return causes.index(cause) if cause in causes else -1


def strongest_causes(
    explained: Explanation, *, most: int = STRONGEST, least: float = MIN_CONTRIBUTION
) -> list[Contribution]:
    """Return the causes that move a score most, the one that is named always among them."""
    named = index_of(explained.cause, [contribution.cause for contribution in explained.contributions])
    values = [contribution.value for contribution in explained.contributions]
    order = strongest(values, most=most, least=least, named=named)
    return [explained.contributions[i] for i in order]


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
    """Return the pieces of a text in order, cut where findings begin and end; findings outside it are left out."""
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
