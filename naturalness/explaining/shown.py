"""The parts of an explanation that are shown: the strongest causes, and the text cut into pieces at its findings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from naturalness.explaining.explanation import Contribution, Explanation, Finding

STRONGEST = 3
"""The largest number of causes named in a line."""
MIN_CONTRIBUTION = 0.05
"""The smallest absolute contribution, in log-odds or rating points, at which a cause is worth naming."""
SHOWN = 0.005
"""The smallest absolute contribution, in log-odds or rating points, that is not rounded to 0.00."""
SURE = 0.5
"""The smallest weight at which a finding is more likely right than wrong."""


def index_of(cause: str, contributions: Sequence[Contribution]) -> int:
    """Return the index of the contribution of a cause, or -1 if there is none."""
    return next((i for i, contribution in enumerate(contributions) if contribution.cause == cause), -1)


def strongest_causes(
    explained: Explanation, *, most: int = STRONGEST, least: float = MIN_CONTRIBUTION
) -> list[Contribution]:
    """Return the causes that move the score most; the main cause is always included, in the last place if necessary."""
    parts = explained.contributions
    named = index_of(explained.cause, parts)
    order = sorted(range(len(parts)), key=lambda i: (-abs(parts[i].value), i))
    order = [i for i in order if i == named or abs(parts[i].value) >= least]
    if named in order[most:]:
        order[most - 1] = named
    return [parts[i] for i in order[:most]]


EXCERPT_CHARACTERS = 600
"""The maximum number of characters of a text that reports show."""


class Piece(NamedTuple):
    """A piece of a text; joined in order, the pieces of a text give the whole text."""

    text: str
    findings: tuple[Finding, ...] = ()
    """The findings that cover the piece, the surest first."""

    @property
    def finding(self) -> Finding | None:
        """The surest finding; None if no finding covers the piece."""
        return self.findings[0] if self.findings else None

    @property
    def gap(self) -> bool:
        """Whether the piece is an empty position where something is missing."""
        return self.finding is not None and not self.text

    @property
    def sure(self) -> bool:
        """Whether a reader probably stumbles here, according to the surest finding."""
        return self.finding is not None and self.finding.weight >= SURE


def pieces(text: str, findings: Sequence[Finding]) -> list[Piece]:
    """Cut a text wherever a finding begins or ends, and return the pieces; findings outside the text are ignored."""
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
    """Return the pieces of the first `EXCERPT_CHARACTERS` characters of a text."""
    start = text if len(text) <= EXCERPT_CHARACTERS else f"{text[:EXCERPT_CHARACTERS]} …"
    return pieces(start, [finding for finding in findings if finding.end <= EXCERPT_CHARACTERS])
