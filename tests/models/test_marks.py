"""Words with surprisal and damage: places in the text as typed, sums over pieces."""

from __future__ import annotations

import math

import numpy as np

from naturalness.models.detector import DOUBTFUL, KINDS, detect
from naturalness.models.language import shipped
from naturalness.models.marks import marks
from naturalness.text.parsing import parse

TEXT = "  The  cats “sat”\t, unbelievably .\n\nIt rained !  "


def test_places_are_those_of_the_text_as_typed() -> None:
    """However it was spaced and quoted."""
    (row,) = marks(parse([TEXT]))
    typed = [TEXT[mark.start : mark.end] for mark in row]
    assert typed == ["The", "cats", "“", "sat", "”", ",", "unbelievably", ".", "It", "rained", "!"]


def test_pieces_add_up_to_words_and_words_to_the_text() -> None:
    """All but the ends of sentences."""
    docs = parse([TEXT])
    (row,), (said,) = marks(docs), shipped.neural().foretell(docs)
    inner = said.mixed.tokens >= 0
    assert inner.sum() > len(row), "a long word should have several pieces"
    total = sum(mark.surprisal for mark in row)
    assert math.isclose(total, -float(said.mixed.logprobs[inner].sum()))


def test_a_kind_is_named_where_damage_is_likely() -> None:
    """And nowhere else."""
    docs = parse(["She goed to school.", "She went to school."])
    for row, said in zip(marks(docs), detect(docs), strict=True):
        assert [mark.damage for mark in row] == said.damage.tolist()
        for mark in row:
            assert (mark.damage >= DOUBTFUL) == (mark.kind in KINDS[1:]) == bool(mark.kind)


def test_what_was_not_read_has_no_numbers() -> None:
    """A text without words, and one too long to be a sentence."""
    empty, long = marks(parse(["", "so it goes " * 400]))
    assert empty == [] and len(long) == 1200
    assert all(np.isnan([mark.surprisal, mark.damage]).all() and not mark.kind for mark in long)
