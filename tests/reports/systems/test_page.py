"""The page on systems is self-contained, escaped and accessible."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import pytest

from naturalness.reports.systems.answers import SystemText
from naturalness.reports.systems.page import make_page
from tests.support.pages import Page
from tests.support.screens import check_page
from tests.support.system_reports import answer, finding, report_on, system_of

SCRIPT = "<script>alert('x')</script>"


def hostile(n: int) -> list[SystemText]:
    """Return a system with markup in its name, texts and reasons."""
    text = f'They runs {SCRIPT} & "home" <img src=x onerror=alert(1)>'
    findings = [finding(text, SCRIPT), finding(text, "runs")]
    injection = answer(text, 0.01, f"<b>{SCRIPT}</b>", "k<1>", 0, agreement=-3, findings=findings, unlike=["<i>"])
    more = system_of(f"<b>{SCRIPT}</b>", 0.4, n, seed=1)
    return [injection, answer("", math.nan, injection.system, reason=f"empty {SCRIPT}"), *more]


@pytest.fixture(scope="module")
def page() -> str:
    """Return a page on four systems."""
    answers = [*hostile(30), *(text for i in range(3) for text in system_of(f"s{i}", 0.5 + i / 10, 30, seed=i))]
    return make_page(report_on(answers, notes=[SCRIPT]), name=f"{SCRIPT}.csv")


@pytest.fixture(scope="module")
def change() -> str:
    """Return a page on two runs, of which the newer one is worse."""
    answers = [*system_of("old.csv", 0.6, keyed=True), *system_of("new.csv", 0.5, keyed=True)]
    return make_page(report_on(answers, runs=("old.csv", "new.csv")), name="new.csv since old.csv")


def test_safe_and_self_contained(page: str) -> None:
    """Markup in texts and names is shown as text; nothing is loaded, and every link leads to a place on the page."""
    seen = Page(page)
    assert page.count("<script") == 1
    assert "img" not in seen.tags and "<b>" not in page
    assert "onerror=alert(1)>" not in page
    assert "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;" in page
    assert re.search(r"script-src 'sha256-[\w+/=]+'", page)
    seen.assert_links_inside()
    assert not re.search(r"url\(|@import|https?://(?!www\.w3\.org)", page)


@pytest.mark.parametrize("name", ["page", "change"])
def test_charts_have_tables(request: pytest.FixtureRequest, name: str) -> None:
    """Every chart has a table in its section."""
    sections = request.getfixturevalue(name).split("<section")[1:]
    assert sum("<svg" in section for section in sections) == 1
    for section in sections:
        if "<svg" in section:
            assert "<table" in section
            assert section.count("aria-label") >= section.count("<svg")


def test_two_runs(change: str) -> None:
    """The page states the fall of the mean, and lists the texts that fell most."""
    seen = Page(change)
    assert "old.csv sounds more natural than new.csv, by 0.1" in seen.text
    assert "40 inputs have a text with a score in both runs: 40 fell by 0.01 or more, 0 rose." in seen.text
    assert seen.ids.index("systems") < seen.ids.index("fell") < seen.ids.index("causes")


def test_sections_without_data_are_left_out() -> None:
    """A page without runs, several systems or scores lacks the sections for them."""
    several = report_on(system_of("a", 0.6) + system_of("b", 0.5, seed=1))
    seen = Page(make_page(several, name="new.csv"))
    assert "fell" not in seen.ids and "causes" in seen.ids
    seen = Page(make_page(report_on(system_of("all texts", 0.6)), name="new.csv"))
    assert "causes" not in seen.ids
    assert "40 texts have a mean naturalness of 0.59" in seen.text
    none = [answer("", math.nan, name, reason="empty text") for name in "ab"]
    seen = Page(make_page(report_on(none), name="x.csv"))
    assert "a and b have too few texts to be compared." in seen.text
    assert "No text has a score." in seen.text


@pytest.mark.slow
@pytest.mark.parametrize("name", ["page", "change"])
def test_on_screens_and_on_paper(
    browser: Any, axe: Any, tmp_path: Path, request: pytest.FixtureRequest, name: str
) -> None:
    """The page is readable and accessible wide and narrow, light and dark, and printed."""
    check_page(browser, axe, request.getfixturevalue(name), tmp_path)
