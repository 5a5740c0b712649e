"""Tests in a browser skip where there is none, and fail where one is required; and what holds for pages of any kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from naturalness.explaining.page import make_page as explanations_page
from naturalness.pipelines.page import make_page as model_page
from naturalness.reports.metrics.page import make_page as metrics_page
from naturalness.reports.systems.page import make_page as systems_page
from naturalness.reports.systems.report import make_report
from naturalness.statistics.bootstrap import Resampling
from tests.pipelines.test_page import make_notes, make_summary
from tests.reports.metrics.test_page import full
from tests.support.browser import VARIABLE, missing, package
from tests.support.explained import BAD, GOOD, without
from tests.support.system_reports import JUDGE, system_of


def test_what_is_missing_is_skipped_or_required(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the same words, which say what to install."""
    monkeypatch.delenv(VARIABLE, raising=False)
    with pytest.raises(pytest.skip.Exception, match="pip install no-such-package"):
        package("no_such_package", "no-such-package")
    monkeypatch.setenv(VARIABLE, "required")
    with pytest.raises(pytest.fail.Exception, match="needs Chromium"):
        missing("needs Chromium")


def explanations() -> str:
    """Texts good and bad, by two thresholds, and one without a score."""
    others = [replace(GOOD, threshold=0.8, text=f"Another one, the {n}th, is fine.") for n in range(4)]
    return explanations_page([BAD, GOOD, *others, without("...", "no words")], model="default")


def systems() -> str:
    """Five systems before and now."""
    runs = [
        [one for n in range(5) for one in system_of(f"s{n}", 0.4 + n / 10 - fall, 20, keyed=True, seed=n)]
        for fall in (0, 0.1)
    ]
    report = make_report(runs[1], JUDGE, before=runs[0], how=Resampling(100))
    return systems_page(report, name="new.csv", before="old.csv")


PAGES: dict[str, Callable[[], str]] = {
    "explanations": explanations,
    "model": lambda: model_page(make_summary(), make_notes()),
    "systems": systems,
    "metrics": lambda: metrics_page(full(), name="rated.tsv"),
}
CUT_WORDS = """
() => [...document.querySelectorAll("th, td")].filter((cell) => cell.checkVisibility()).flatMap((cell) => {
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  const cut = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const { index, 0: word } of node.textContent.matchAll(/[\\p{L}\\p{N}.]+/gu)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = new Set([...range.getClientRects()].map((part) => Math.round(part.top)));
      if (lines.size > 1) cut.push(word);
    }
  }
  return cut;
})
"""
"""Words of tables that stand on two lines."""


@pytest.fixture(params=PAGES)
def file(request: Any, tmp_path: Path) -> Path:
    """A page of each kind."""
    target = tmp_path / f"{request.param}.html"
    target.write_text(PAGES[request.param](), encoding="utf-8")
    return target


@pytest.fixture
def opened(browser: Any, file: Path) -> Iterator[Callable[..., Any]]:
    """Opens it on a screen of a width, light or dark."""
    contexts: list[Any] = []

    def on(width: int, scheme: str = "light", **more: Any) -> Any:
        contexts.append(browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme, **more))
        page = contexts[-1].new_page()
        page.goto(file.as_uri())
        return page

    yield on
    for context in contexts:
        context.close()


@pytest.mark.slow
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "light"), (390, "dark")])
def test_a_page_fits_and_is_accessible(opened: Callable[..., Any], axe: Any, width: int, scheme: str) -> None:
    """Nothing is wider than the screen, axe finds nothing, and no word of a table is cut."""
    page = opened(width, scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    found = axe.run(page).response["violations"]
    assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == []
    assert page.evaluate(CUT_WORDS) == []


@pytest.mark.slow
def test_a_wide_table_says_that_it_scrolls(opened: Callable[..., Any]) -> None:
    """In words above it, and in reach of a keyboard; one that fits says nothing."""
    page = opened(390)
    for part in page.locator("details").all():
        part.evaluate("part => { part.open = true; }")
    page.wait_for_timeout(100)
    regions = page.evaluate(
        """() => [...document.querySelectorAll(".scroll")].map((region) => ({
          wide: region.scrollWidth > region.clientWidth,
          said: parseFloat(getComputedStyle(region, "::before").fontSize) > 0,
          reached: region.tabIndex === 0 && region.getAttribute("role") === "region",
          name: region.getAttribute("aria-label"),
        }))"""
    )
    assert regions
    for region in regions:
        assert region["wide"] == region["said"] and region["reached"] and region["name"], region


@pytest.mark.slow
def test_a_page_on_paper(opened: Callable[..., Any]) -> None:
    """Light on any screen; with margins; what is folded stays so, under its title; no control, no coloured link."""
    page = opened(700, "dark")
    folded = page.locator("details:not([open])").count()
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    margins = "[...document.styleSheets].flatMap((s) => [...s.cssRules]).filter((r) => r instanceof CSSPageRule)"
    assert page.evaluate(f"{margins}.map((rule) => rule.style.marginTop)") == ["16mm"]
    for control in ("nav", ".filter", "input"):
        assert page.locator(control).locator("visible=true").count() == 0, control
    assert page.locator("details:not([open])").count() == folded
    for part in page.locator("details:not([open])").all():
        assert part.locator("summary").is_visible()
        assert part.locator("> :not(summary)").locator("visible=true").count() == 0
    links = "[...document.querySelectorAll('main a')].filter((a) => !a.querySelector('*'))"
    same = "getComputedStyle(a).color === getComputedStyle(a.parentElement).color"
    assert page.evaluate(f"{links}.every((a) => {same})")
    assert page.evaluate("document.documentElement.scrollWidth") <= 700
    assert page.evaluate(CUT_WORDS) == []
