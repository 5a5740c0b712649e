"""The page of a report: whole, safe with any text in it, and with the numbers of the JSON."""

from __future__ import annotations

import copy
import re
from typing import Any

import pytest

from naturalness.pages.formats import decimal, share
from naturalness.pages.templating import read_script
from naturalness.reports.raters.page import make_page
from naturalness.reports.raters.report import Report
from naturalness.reports.raters.result import everything
from tests.reports.raters.conftest import EVIL
from tests.support.pages import Page

LIMIT = 2_000_000


@pytest.fixture(scope="module")
def data(report: Report) -> dict[str, Any]:
    """What the page is made of."""
    return everything(report)


@pytest.fixture(scope="module")
def page(data: dict[str, Any]) -> str:
    """The page."""
    return make_page(data)


def test_whole_and_alone(page: str) -> None:
    """Well-formed; every link leads somewhere; nothing is loaded."""
    made = Page(page)
    made.assert_links_inside()
    assert made.tags.count("script") == 1
    assert not re.search(r"https?:|//\w|@import|url\(|\ssrc=", page.replace(read_script()[0], ""))


def test_markup_in_texts_and_names_is_text(page: str) -> None:
    """Texts, systems, columns, labels, names of files, findings, notes: all had a script."""
    script, allowed = read_script()
    rest = page.replace(f"<script>{script}</script>", "")
    assert "<script" not in rest
    assert "alert('\"" not in rest
    assert rest.count("&lt;script&gt;") > 20
    assert f"script-src '{allowed}'" in page
    assert "default-src 'none'" in page


def test_numbers_are_those_of_the_json(page: str, data: dict[str, Any]) -> None:
    """Each stands in a cell."""
    cells = Page(page).cells
    for one in data["figures"]:
        assert {decimal(one["value"]), decimal(one["ceiling"])} <= cells
    for one in data["rates"][1:]:
        assert {f"{one['texts']:,}", share(one["rate"]), share(one["rest"])} <= cells
    for kind in ("causes", "features"):
        for one in data["importances"][kind]:
            assert decimal(one["value"]) in cells
    for one in data["labels"]:
        assert {f"{n:,}" for n in one["counts"]} <= cells
    for curve in ("roc", "precision_recall"):
        assert {decimal(y) for y in data[curve]["y"]} <= cells
    for one in data["elimination"]["means"]:
        assert decimal(one) in cells
    for row in data["confusion"]["counts"]:
        assert all(any(cell.startswith(f"{n:,} (") for cell in cells) for n in row)


def test_every_drawing_has_its_numbers(page: str) -> None:
    """As many tables as figures, at least."""
    assert page.count("<table") >= page.count("<figure")
    assert page.count("<svg") == page.count('role="img"')


def test_the_same_bytes(page: str, data: dict[str, Any]) -> None:
    """And from JSON that was read back."""
    import json

    assert make_page(json.loads(json.dumps(data))) == page


def test_size_of_long_lists(data: dict[str, Any]) -> None:
    """Fifty long texts in each list, many systems, sixty values of a column: under 2 MB."""
    big = copy.deepcopy(data)
    for name in ("too_high", "too_low", "suspects"):
        case = data["too_low"]["cases"][0]
        case = {**case, "text": "A sentence of many words, " * 40}
        big[name] = {"total": 5000, "cases": [case] * 50}
    rate = data["rates"][1]
    big["rates"] += [{**rate, "dimension": "genre", "name": f"value {i}"} for i in range(60)]
    big["systems"] = [{**data["labels"][0], "name": f"system {i}"} for i in range(12)]
    made = make_page(big)
    assert len(made.encode()) < LIMIT
    assert "The first 50 of 5,000." in made


def test_little_is_known(data: dict[str, Any]) -> None:
    """Without ratings, labels, raters, curves: words instead of drawings."""
    bare = copy.deepcopy(data)
    empty = {"total": 0, "cases": []}
    bare |= {
        "roc": None,
        "precision_recall": None,
        "ceiling": None,
        "learning_curve": None,
        "no_learning_curve": "12 texts are too few",
        "elimination": None,
        "systems": [],
        "too_high": empty,
        "too_low": empty,
        "suspects": empty,
        "confident": [None, None],
        "calibration": {"parts": [], "error": None},
        "seen": 3,
    }
    page = make_page(bare)
    Page(page)
    assert "There is no learning curve: 12 texts are too few." in page
    assert "neither the agreement of raters nor" in page
    assert "3 texts that it was trained on are left out" in page
    assert "There are none." in page


def test_several_labels(data: dict[str, Any]) -> None:
    """Too high and too low instead of falsely natural; the told label stands beside."""
    three = copy.deepcopy(data)
    three["classes"] = ["bad", "so-so", "good"]
    three["confusion"] = {
        **data["confusion"],
        "classes": three["classes"],
        "threshold": None,
        "counts": [[1, 2, 3], [4, 5, 6], [7, 8, 9]],
    }
    page = make_page(three)
    Page(page)
    assert "Told too high" in page
    assert EVIL not in page
