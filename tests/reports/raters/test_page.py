"""The page of a report is well-formed, escaped, and has the numbers of the report."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest

from naturalness.explaining.shown import EXCERPT_CHARACTERS
from naturalness.pages.formats import decimal, share
from naturalness.pages.templating import read_script
from naturalness.reports.raters.figures import CalibrationFigures
from naturalness.reports.raters.page import make_page
from naturalness.reports.raters.report import Listed, RatersReport
from tests.support.pages import EVIL, Page

NO_CASES = Listed(0, ())


@pytest.fixture(scope="module")
def page(report: RatersReport) -> str:
    """Return the page."""
    return make_page(report)


def test_well_formed_and_self_contained(page: str) -> None:
    """The page is well-formed and loads nothing, and its links lead to places on it."""
    parsed = Page(page)
    parsed.assert_links_inside()
    assert parsed.tags.count("script") == 1
    assert not re.search(r"https?:|//\w|@import|url\(|\ssrc=", page.replace(read_script()[0], ""))


def test_markup_in_texts_and_names_is_text(page: str) -> None:
    """Markup in texts, systems, columns, labels, file names, findings and notes is escaped."""
    script, allowed = read_script()
    rest = page.replace(f"<script>{script}</script>", "")
    assert "<script" not in rest
    assert "alert('\"" not in rest
    assert rest.count("&lt;script&gt;") > 20
    assert f"script-src '{allowed}'" in page
    assert "default-src 'none'" in page


def test_numbers_are_those_of_the_report(page: str, report: RatersReport) -> None:
    """Every number of the report is in a cell, and every chart has a table; repeated runs give the same bytes."""
    assert page.count("<table") >= page.count("<figure")
    assert page.count("<svg") == page.count('role="img"')
    assert make_page(report) == page
    cells = Page(page).cells
    for figure in report.figures.values():
        assert decimal(figure.value) in cells
    for rate in report.rates[1:]:
        assert {f"{rate.texts:,}", share(rate.rate), share(rate.rest)} <= cells
    for counts in report.confusion.counts:
        assert all(any(cell.startswith(f"{n:,} (") for cell in cells) for n in counts)


def test_unknown_figures(report: RatersReport) -> None:
    """A sentence replaces each figure that is unknown."""
    bare = replace(
        report,
        agreement=None,
        learning_curve=None,
        no_learning_curve="12 texts are too few",
        too_high=NO_CASES,
        too_low=NO_CASES,
        calibration=CalibrationFigures((), math.nan),
        seen=3,
    )
    page = make_page(bare)
    Page(page)
    assert "There is no learning curve: 12 texts are too few." in page
    assert "neither the agreement of raters nor" in page
    assert "3 texts that it was trained on are left out" in page
    assert "There are none." in page
    assert "nan" not in page.replace(read_script()[0], "")


def test_several_labels(report: RatersReport) -> None:
    """With more than two labels, errors are called too high or too low."""
    classes = ("bad", "so-so", "good")
    confusion = replace(report.confusion, classes=classes, threshold=math.nan, counts=((1, 2, 3), (4, 5, 6), (7, 8, 9)))
    page = make_page(replace(report, classes=classes, confusion=confusion))
    Page(page)
    assert "Rated too high" in page
    assert EVIL not in page


def test_listed_texts(report: RatersReport, page: str) -> None:
    """Confident findings are marked and others listed; bars are relative to the strongest cause; long texts are cut."""
    assert '<mark title="odd ' in page and "a word is missing" in page
    assert 'style="--w:100"' in page and 'style="--w:67"' in page
    assert "(leave out)" in page and "(not sure)" in page
    case = report.too_low.cases[0]
    long = replace(case, explanation=replace(case.explanation, text="long words " * 200))
    page = make_page(replace(report, too_low=Listed(60, (long,)), too_high=NO_CASES))
    assert 10 < page.count("long words") <= EXCERPT_CHARACTERS / len("long words ") + 1
    assert "The first 1 of 60." in page
