"""Columns that mean something to a reader."""

from __future__ import annotations

from naturalness.explaining.causes import readable
from naturalness.features import column_names, resolve


def test_vectors_and_hashes_tell_nothing() -> None:
    """Neither their values nor their indicators mean anything; every other column says what a higher value means."""
    groups = resolve(["surface", "words:16", "embedding:shipped"])
    columns = [*column_names(groups), "undefined(words_16__h3)", "undefined(surface__word_length_std)"]
    meanings = readable(columns, groups)
    for i, column in enumerate(columns):
        assert (i in meanings) == ("surface__" in column), column
    assert meanings[columns.index("surface__n_characters")] == "longer"
    assert meanings[len(columns) - 1].startswith("has no value in this text (1)")
