"""Texts as a page lists them."""

from __future__ import annotations

from typing import Any

import pytest

from naturalness.reports.raters.listing import CHARACTERS, list_cases
from naturalness.reports.raters.report import Report
from naturalness.reports.raters.result import everything


@pytest.fixture(scope="module")
def data(report: Report) -> dict[str, Any]:
    """What a page is made of."""
    return everything(report)


def test_bars_are_shares_of_the_strongest(data: dict[str, Any]) -> None:
    """The strongest contribution of the list fills its side."""
    rows = list_cases("too-low", data["too_low"], data)["rows"]
    assert [one["width"] for one in rows[0]["causes"]] == [100, 67]


def test_marks_cover_sure_findings_alone(data: dict[str, Any]) -> None:
    """The pieces are the text; what is faint is listed and not marked."""
    row = list_cases("too-low", data["too_low"], data)["rows"][0]
    assert "".join(piece.text for piece in row["pieces"]) == row["text"]
    marked = [piece for piece in row["pieces"] if piece.finding]
    assert [piece.finding.kind for piece in marked] == ["order"]
    assert [one["unsure"] for one in row["findings"]] == [False, True]
    assert row["findings"][0]["suggestions"][1] == "(leave out)"


def test_long_texts_are_cut(data: dict[str, Any]) -> None:
    """Behind some hundred characters."""
    case = {**data["too_low"]["cases"][0], "text": "long words " * 200}
    row = list_cases("too-low", {"total": 1, "cases": [case]}, data)["rows"][0]
    assert len("".join(piece.text for piece in row["pieces"])) == CHARACTERS + 2


def test_doubtful_labels_name_the_other(data: dict[str, Any]) -> None:
    """What the label may have been meant to be."""
    rows = list_cases("suspects", data["suspects"], data)["rows"]
    assert rows
    assert all({row["label"], row["other"]} == set(data["classes"]) for row in rows)
