"""Two parts of a text, as they are read together."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from naturalness.models.metrics.gruen.order import joined
from naturalness.models.pieces import END, START, Pieces

PIECES = Pieces.of([START, END, *map(str, range(8))])
ROWS = st.lists(st.integers(2, 9), min_size=1, max_size=30)


def test_marks_stand_around_both() -> None:
    """The first belong to the first part."""
    assert joined([5, 6], [7], PIECES, 20) == ([0, 5, 6, 1, 7, 1], [0, 0, 0, 0, 1, 1])


def test_what_does_not_fit_is_left_out_far_from_the_split() -> None:
    """Half of the room each; what one does not need the other has."""
    first, second = list(range(2, 10)), list(range(9, 1, -1))
    assert joined(first, second, PIECES, 9)[0] == [0, 7, 8, 9, 1, 9, 8, 7, 1]
    assert joined(first, [2], PIECES, 9)[0] == [0, 5, 6, 7, 8, 9, 1, 2, 1]
    assert joined([2], second, PIECES, 9)[0] == [0, 2, 1, 9, 8, 7, 6, 5, 1]


@given(first=ROWS, second=ROWS, places=st.integers(5, 40))
def test_all_room_is_used_and_no_more(first: list[int], second: list[int], places: int) -> None:
    """And each part keeps a piece at least."""
    ids, parts = joined(first, second, PIECES, places)
    assert len(ids) == len(parts) == min(places, len(first) + len(second) + 3)
    assert parts == sorted(parts) and parts.count(0) > 2 and parts.count(1) > 1
