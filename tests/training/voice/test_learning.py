"""Choice of the items of voice."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tests.support.piles import PLAIN, STALE, pile
from training.voice.learning import choose, measure
from training.voice.texts import Paragraph


def chosen(label: Callable[[int], dict[str, str]]) -> set[str]:
    """Return the items learned from 120 paragraphs per side; ``label(i)`` sets fields of the i-th model paragraph."""
    people = [Paragraph(row["text"], False, "a", "", "s", "s", f"p{i}") for i, row in enumerate(pile(PLAIN, 120))]
    models = [
        Paragraph(row["text"], True, "a", "m", "s", "s", f"m{i}")._replace(**label(i))
        for i, row in enumerate(pile(STALE, 120))
    ]
    models = [each._replace(text=f"{each.text} Fine, {each.kind} {each.model} {each.family}.") for each in models]
    table, _ = measure([*people, *models], 240)
    return {table.items[i] for i in choose(table, np.arange(240))}


def test_one_kind_and_one_model_suffice() -> None:
    """Items that are more frequent on one side are chosen; items common to both are not."""
    items = chosen(lambda i: {})
    assert {"crucial role", "testament", "mended", "trouble"} <= items
    assert "council" not in items


@pytest.mark.parametrize("field", ["kind", "family", "model"])
def test_an_item_of_one_group_is_left_out(field: str) -> None:
    """An item must be over-represented in two of three kinds or families, and in two of three series."""
    items = chosen(lambda i: {field: "xyz"[i % 3]})
    assert not {"x", "y", "z"} & items
    assert "testament" in items
