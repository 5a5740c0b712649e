"""A report in a browser: sorting, filtering, details, and security."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from naturalness.reports.raters.page import make_page
from naturalness.reports.raters.report import RatersReport
from tests.support.screens import check_page


@pytest.fixture
def opened(quiet_page: Callable[[str], Any], report: RatersReport) -> Any:
    """Return the report's page, opened in a browser."""
    return quiet_page(make_page(report))


@pytest.mark.slow
def test_sorts_by_a_header_with_the_keyboard(opened: Any) -> None:
    """Enter sorts up and then down, and the header announces the direction."""
    lists = opened.locator("#too-low table.cases")
    header = lists.locator("thead th", has_text="naturalness")
    cells = lists.locator("tbody td[data-title=naturalness]")

    def values() -> list[float]:
        return [float(text) for text in cells.all_text_contents()]

    header.locator("button").focus()
    opened.keyboard.press("Enter")
    assert header.get_attribute("aria-sort") == "ascending"
    assert values() == sorted(values())
    opened.keyboard.press("Enter")
    assert header.get_attribute("aria-sort") == "descending"
    assert values() == sorted(values(), reverse=True)


def test_filters(opened: Any) -> None:
    """Rows without the word are hidden, and the number of rows left is shown."""
    section = opened.locator("#too-low")
    rows = section.locator("tbody tr")
    total = rows.count()
    field = section.locator("input[type=search]")
    field.fill("no such word anywhere")
    assert section.locator("tbody tr:visible").count() == 0
    assert section.locator("[role=status]").inner_text() == f"0 of {total} rows"
    field.fill("")
    assert section.locator("tbody tr:visible").count() == total


def test_no_other_script_runs(browser: Any, report: RatersReport, tmp_path: Path) -> None:
    """The page's policy blocks every script but its own."""
    target = tmp_path / "report.html"
    target.write_text(make_page(report), encoding="utf-8")
    page = browser.new_page()
    page.goto(target.as_uri())
    page.evaluate(
        "document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.ran = true'}))"
    )
    assert page.evaluate("window.ran") is None
    page.close()


@pytest.mark.slow
def test_on_screens_and_on_paper(browser: Any, axe: Any, tmp_path: Path, report: RatersReport) -> None:
    """The page is readable and accessible wide and narrow, light and dark, and printed."""
    check_page(browser, axe, make_page(report), tmp_path)
