"""Caches stay bounded."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from naturalness.files.recent import Recent


def test_the_least_recently_used_value_is_dropped() -> None:
    """The least recently used value is dropped first; a lookup counts as a use."""
    recent: Recent[int] = Recent(2, 100)
    recent.put("a", 1, 1)
    recent.put("b", 2, 1)
    assert recent.get("a") == 1
    recent.put("c", 3, 1)
    assert (recent.get("a"), recent.get("b"), recent.get("c")) == (1, None, 3)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 60))))
def test_number_and_size_are_bounded(puts: list[tuple[int, int]]) -> None:
    """The number and the size of values are bounded; a value larger than the cache is not kept."""
    recent: Recent[int] = Recent(3, 50)
    for key, size in puts:
        recent.put(key, size, size)
        held = [recent.get(key) for key in range(10)]
        assert len(recent) == sum(value is not None for value in held) <= 3
        assert sum(value or 0 for value in held) == recent._size <= 50
