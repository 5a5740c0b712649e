"""Every text is in the categories that it belongs to, alone or in company."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from naturalness.explaining.explanation import Finding
from naturalness.reports.raters.categories import FOUND as KINDS
from naturalness.reports.raters.categories import NOTHING, band, categorise, find_odd

TEXTS = ["She left because it rained.", "Two dogs dogs sleep.", "", "The houses is old ."]


def finding(kind: str, weight: float = 0.9) -> Finding:
    """A finding of a kind."""
    return Finding(0, 1, "x", kind, "order", "odd", "rules", weight)


def fake(docs: Sequence[Any]) -> list[list[Finding]]:
    """Word order in the first text, a faint preposition in the others."""
    return [[finding("order")] if "rained" in d.text else [finding("preposition", 0.3)] for d in docs]


def test_categories_of_texts() -> None:
    """Faint findings do not count; a text without words is in no construction."""
    found = categorise(TEXTS, {"register": ["a", "b", "a", "a"]}, nlp="en", finder=fake)
    rows = {(one.dimension, one.name): one.rows.tolist() for one in found}
    assert rows["found", "word order"] == [True, False, False, False]
    assert rows["found", NOTHING] == [False, True, True, True]
    assert ("found", "preposition") not in rows
    assert rows["clauses", "subordinate clause"] == [True, False, False, False]
    assert rows["writing", "spaces before punctuation"] == [False, False, False, True]
    assert rows["register", "a"] == [True, False, True, True]
    names = [one.dimension for one in found]
    assert names == sorted(names, key=list(dict.fromkeys(names)).index)


def test_company_changes_nothing() -> None:
    """Each text alone is in the same categories."""
    together = categorise(TEXTS, {}, nlp="en", finder=fake)
    for row, text in enumerate(TEXTS):
        alone = {(one.dimension, one.name) for one in categorise([text], {}, nlp="en", finder=fake)}
        assert alone == {(one.dimension, one.name) for one in together if one.rows[row]}


@pytest.mark.parametrize(
    ("words", "told"),
    [(1, "1–5 words"), (5, "1–5 words"), (6, "6–10 words"), (40, "31–40 words"), (41, "over 40 words")],
)
def test_bands(words: int, told: str) -> None:
    """Bands meet without a gap."""
    assert band(words) == told


def test_real_findings_are_sorted_into_kinds() -> None:
    """What the detector and the rules say is known here by its kind."""
    texts = ["He go to school every day.", "We live on a small house small house."]
    found = categorise(texts, {}, nlp="en", finder=find_odd)
    odd = {one.name for one in found if one.dimension == "found"}
    assert "agreement" in odd or "verb form" in odd
    assert odd <= {*KINDS, NOTHING}
