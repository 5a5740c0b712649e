"""Columns whose values mean something to a reader."""

from __future__ import annotations

from naturalness.explaining.causes import readable
from naturalness.features import column_names, resolve


def test_coordinates_of_vectors_have_no_meaning() -> None:
    """Coordinates and their indicators have no meaning; every other column says what a higher value means."""
    groups = resolve(["surface", "embedding:shipped"])
    columns = [*column_names(groups), "undefined(embedding_shipped__x3)", "undefined(surface__word_length_std)"]
    meanings = readable(columns, groups)
    for i, column in enumerate(columns):
        assert (i in meanings) == ("surface__" in column), column
    assert meanings[columns.index("surface__n_characters")] == "longer"
    assert meanings[len(columns) - 1].startswith("has no value in this text (1)")
