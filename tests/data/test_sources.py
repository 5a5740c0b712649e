"""Rows that belong together, directly or through others."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from naturalness.data.sources import connected


def test_shared_keys_connect_rows() -> None:
    """a-b by source and b-c by text make one group; a row without keys stands alone."""
    rows = [["source 1", "text a"], ["source 2", "text b"], [], ["source 1", "text b"], ["text c"]]
    assert connected(rows) == [0, 0, 1, 0, 2]


def test_long_chains_are_one_group() -> None:
    """Grouping does not recurse, so a large table cannot exhaust the stack."""
    assert set(connected([i, i + 1] for i in range(50_000))) == {0}


@given(st.lists(st.lists(st.integers(0, 12), max_size=3), max_size=12))
def test_groups_are_connected_components(rows: list[list[int]]) -> None:
    """The groups equal connected components found by iteration, numbered by first appearance."""
    expected = list(range(len(rows)))
    for _ in rows:
        for i, one in enumerate(rows):
            for j, other in enumerate(rows):
                if set(one) & set(other):
                    expected[i] = expected[j] = min(expected[i], expected[j])
    numbers: dict[int, int] = {}
    assert connected(rows) == [numbers.setdefault(e, len(numbers)) for e in expected]
