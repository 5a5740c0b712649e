"""Groups of rows that share keys, directly or through other rows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.data.sources import connected, source_note


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


@pytest.mark.parametrize("column", ["source", "Source_ID", "document", "prompt id", "original", "context"])
def test_a_column_of_sources_is_proposed(column: str) -> None:
    """The note counts the texts with a source and their sources."""
    rows = [(f"text {i}", {"rating": i % 2, column: max(i, 1)}) for i in range(14)] + [("text 14", {column: None})]
    assert source_note(rows, "texts", None) == (
        f"14 texts have 13 values of {column!r}: if these are their sources, `source_column={column}` keeps texts of "
        "the same source together"
    )
    assert source_note(rows, "texts", "rating") == "texts with the same 'rating' are kept together"


@pytest.mark.parametrize(
    "rows",
    [
        [(f"text {i}", {"system": i // 2}) for i in range(30)],
        [(f"text {i}", {"source": i}) for i in range(30)],
        [(f"text {i}", {"source": "the web"}) for i in range(30)],
        [(f"text {i}", {"source": i % 9}) for i in range(30)],
        [(f"text {i // 2}", {"source": i // 2}) for i in range(30)],
    ],
    ids=["another name", "all different", "all equal", "too few", "ratings of one text"],
)
def test_no_column_of_sources_is_proposed(rows: list[tuple[str, dict[str, object]]]) -> None:
    """There is no hint if no split would separate texts of one source, or if there are too few sources to split."""
    assert source_note(rows, "texts", None) == ""
