"""Two parts of a text read together: what the order head takes."""

from __future__ import annotations

from collections.abc import Sequence

from naturalness.models.pieces import END, START, Pieces

MARKS = 3


def joined(
    first: Sequence[int], second: Sequence[int], pieces: Pieces, places: int
) -> tuple[list[int], list[int]]:
    """Pieces of both with their marks, and 0 or 1 for the part that each belongs to.

    What does not fit is left out at the far ends: what stands next to the split tells most. The
    shorter part keeps all it has, if that is less than half.
    """
    room = places - MARKS
    kept = max(room // 2, room - len(second))
    first = first[-kept:]
    second = second[: room - len(first)]
    start, end = pieces.places[START], pieces.places[END]
    ids = [start, *first, end, *second, end]
    return ids, [0] * (len(first) + 2) + [1] * (len(second) + 1)
