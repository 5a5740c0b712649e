"""A page of systems in a browser: it opens without an error, sorts, and shows why."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from naturalness.reports.systems.page import make_page
from naturalness.reports.systems.report import make_report
from naturalness.statistics.bootstrap import Resampling
from tests.support.screens import check_page
from tests.support.system_reports import JUDGE, answer, finding, system_of


@pytest.fixture
def source() -> str:
    """A page of five systems and two runs."""
    text = "They runs <script>alert(1)</script> home"
    odd = answer(text, 0.01, "s0", "odd", 99, agreement=-3, findings=[finding(text, "runs")])  # type: ignore[arg-type]
    runs = [
        [odd, *(one for i in range(5) for one in system_of(f"s{i}", 0.4 + i / 10 - fall, 20, keyed=True, seed=i))]
        for fall in (0, 0.1)
    ]
    report = make_report(runs[1], JUDGE, before=runs[0], how=Resampling(100))
    return make_page(report, name="new.csv", before="old.csv")


@pytest.fixture
def opened(quiet_page: Callable[[str], Any], source: str) -> Any:
    """That page, on a phone."""
    return quiet_page(source)


def test_systems_are_sorted_with_the_keyboard(opened: Any) -> None:
    """By their means, whatever stands below these in the cell."""
    table = opened.locator("#systems table[data-sort]").first
    header = table.locator("thead th", has_text="mean")
    header.locator("button").focus()
    opened.keyboard.press("Enter")
    assert header.get_attribute("aria-sort") == "ascending"
    assert table.locator("tbody th").all_text_contents() == [f"s{i}" for i in range(5)]


@pytest.mark.slow
def test_on_screens_and_on_paper(browser: Any, axe: Any, tmp_path: Path, source: str) -> None:
    """Wide and narrow, light and dark, and printed."""
    check_page(browser, axe, source, tmp_path)
