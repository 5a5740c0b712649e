"""Checks for any page in a browser: on a wide screen, on a phone, in dark mode and in print."""

from __future__ import annotations

from pathlib import Path
from typing import Any

SCREENS = ((1280, "light"), (390, "light"), (390, "dark"))
PAPER_WIDTH = 700
"""Pixels of a sheet of A4 between its margins, as browsers print it."""
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
REGIONS = """
() => [...document.querySelectorAll(".scroll")].map((region) => ({
  wide: region.scrollWidth > region.clientWidth,
  said: parseFloat(getComputedStyle(region, "::before").fontSize) > 0,
  reached: region.tabIndex === 0 && region.getAttribute("role") === "region",
  name: region.getAttribute("aria-label"),
}))
"""
OVERFLOWING = """
() => [...document.querySelectorAll("table")].filter((table) => table.checkVisibility() && !table.closest(".scroll")
  && table.getBoundingClientRect().right > table.parentElement.getBoundingClientRect().right + 1).length
"""
"""Number of tables that stick out of their box."""
MARGINS = """
() => [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
  .filter((rule) => rule instanceof CSSPageRule).map((rule) => rule.style.marginTop)
"""
COLOURED_LINKS = """
() => [...document.querySelectorAll("a")].filter((link) => link.checkVisibility()
  && getComputedStyle(link).color !== getComputedStyle(link.parentElement).color).length
"""


def check_page(browser: Any, axe: Any, source: str, folder: Path) -> None:
    """Check a page's source on all screens and in print."""
    file = folder / "any.html"
    file.write_text(source, encoding="utf-8")
    for width, scheme in SCREENS:
        context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
        page = context.new_page()
        page.goto(file.as_uri())
        check_on_screen(page, axe, width)
        context.close()
    context = browser.new_context(viewport={"width": PAPER_WIDTH, "height": 1000}, color_scheme="dark")
    page = context.new_page()
    page.goto(file.as_uri())
    check_on_paper(page)
    context.close()


def check_on_screen(page: Any, axe: Any, width: int) -> None:
    """Require that the page fits the screen, passes axe, cuts no word in a table, and labels scrollable regions."""
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    violations = axe.run(page).response["violations"]
    assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in violations] == []
    for part in page.locator("details").all():
        part.evaluate("part => { part.open = true; }")
    page.wait_for_timeout(100)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(CUT_WORDS) == []
    assert page.evaluate(OVERFLOWING) == 0
    for region in page.evaluate(REGIONS):
        assert region["wide"] == region["said"] and region["reached"] and region["name"], region


def check_on_paper(page: Any) -> None:
    """Require a light page with margins, closed details, no controls and no coloured links."""
    folded = page.locator("details:not([open])").count()
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate(MARGINS) == ["16mm"]
    for control in ("nav", ".filter", "input"):
        assert page.locator(control).locator("visible=true").count() == 0, control
    assert page.locator("details:not([open])").count() == folded
    for part in page.locator("details:not([open])").all():
        if part.is_visible():
            assert part.locator("> summary").is_visible()
            assert part.locator("> :not(summary)").locator("visible=true").count() == 0
    assert page.evaluate(COLOURED_LINKS) == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= PAPER_WIDTH
    assert page.evaluate(CUT_WORDS) == []
