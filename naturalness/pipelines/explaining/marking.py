"""A text cut into pieces, each with the findings that point at it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from naturalness.pipelines.explaining.explanation import Finding


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text; an empty one is where something is missing."""

    text: str
    findings: tuple[int, ...]
    """Places in the list of findings, the surest first; empty where nothing was found."""


def pieces(text: str, findings: Sequence[Finding]) -> list[Piece]:
    """The text in pieces, from the first to the last; together they are the text."""
    ends = {0, len(text)}
    for one in findings:
        ends |= {min(one.start, len(text)), min(one.end, len(text))}
    cuts = sorted(ends)
    found: list[Piece] = []
    for start, end in zip(cuts, [*cuts[1:], len(text)], strict=True):
        gaps = [i for i, one in enumerate(findings) if one.start == one.end == start]
        if gaps:
            found.append(Piece("", tuple(gaps)))
        if start < end:
            over = [i for i, one in enumerate(findings) if one.start <= start and end <= one.end]
            found.append(Piece(text[start:end], tuple(over)))
    return found
