"""Columns whose values mean something to a reader."""

from __future__ import annotations

from naturalness.explaining.causes import readable
from naturalness.features import column_names, resolve


def test_coordinates_of_vectors_are_not_readable() -> None:
    """Neither coordinates nor their indicators are readable; all other columns are."""
    groups = resolve(["surface", "embedding:shipped"])
    columns = [*column_names(groups), "undefined(embedding_shipped__x3)", "undefined(surface__word_length_std)"]
    assert readable(columns, groups) == [i for i, column in enumerate(columns) if "surface__" in column]
