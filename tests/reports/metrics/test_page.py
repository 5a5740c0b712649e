"""The page of a comparison is self-contained, escaped and reproducible."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from naturalness.reports.metrics.compare import ComparisonColumns, compare
from naturalness.reports.metrics.page import heat_map, make_page, part_notes
from naturalness.reports.metrics.result import Comparison, ComparisonSettings
from tests.support.fake_metrics import GOOD, LONG, MATCHED, TURNED, Fake, rated
from tests.support.pages import EVIL, Page
from tests.support.screens import check_page

DOCS, RATINGS, SOURCES = rated()


def result(**columns: object) -> Comparison:
    """Return a comparison with markup in the name of a metric."""
    evil = Fake(EVIL, lambda w, r: float(len(w[0])))
    flat = Fake("flat", lambda w, r: 1.0)
    inputs = ComparisonColumns(sources=SOURCES, **columns)  # type: ignore[arg-type]
    metrics = [GOOD, TURNED, LONG, evil, flat, *([MATCHED] if inputs.references else [])]
    return compare(DOCS, RATINGS, metrics, inputs, settings=ComparisonSettings(resamples=100))


def full() -> Comparison:
    """Return a comparison with systems, references and raters."""
    return result(
        references=[["ref"] * (1 + i % 4) for i in range(60)],
        systems=[("a", "b", EVIL)[i % 3] for i in range(60)],
        singles=[[r, r + i % 2] for i, r in enumerate(RATINGS)],
    )


@pytest.mark.parametrize("make", [full, result])
def test_well_formed_and_alone(make: object) -> None:
    """The page is well-formed and loads nothing; links lead to places on it, and markup is escaped."""
    page = make_page(make(), name=EVIL)  # type: ignore[operator]
    checker = Page(page)
    checker.assert_links_inside()
    assert "script" not in checker.tags
    assert not re.search(r"https?:|@import|url\(|\bsrc=", page)
    assert EVIL not in page
    assert "&lt;script&gt;" in page
    assert "nan" not in page.lower()


def test_contents() -> None:
    """The page has figures but no texts, and sections only for what is known; its bytes repeat."""
    page, bare = make_page(full(), name="t"), make_page(result(), name="t")
    assert page == make_page(full(), name="t")
    assert not any(" ".join(doc.text.split()[:4]) in page for doc in DOCS[:20])
    for words in ("Krippendorff", "system means"):
        assert words in page and words not in bare
    assert "neither the agreement of raters" in bare
    assert "good|fake" in page
    assert "made for tests, with <code>code</code>" in page


def test_heat_map_and_notes() -> None:
    """Subsets without figures are left out; a metric that lacks values on a subset has a note of its own."""
    grid = heat_map(full(), ["good", "flat"])
    names = [name for name, _ in grid["parts"]]
    assert "all" in names and "band 3/3 (5)" not in names
    cell = grid["rows"][0][1][0]
    assert (cell["kind"], cell["sure"]) == ("up", True)
    assert grid["rows"][1][1][0]["kind"] == "none"
    gaps = Fake("gaps", lambda w, r: float("nan"))
    columns = ComparisonColumns(sources=SOURCES, systems=["a"] * 55 + ["b"] * 5)
    comparison = compare(DOCS, RATINGS, [GOOD, gaps], columns, settings=ComparisonSettings(resamples=100))
    notes = dict(part_notes(comparison))
    assert notes["system=a, gaps"] == "0 rows with a value, fewer than 10: no figures"
    assert "system=a" not in notes
    assert notes["system=b"] == "5 rows, fewer than 10: no figures"
    assert "system=a, gaps: 0 rows with a value" in make_page(comparison, name="t")


@pytest.mark.slow
def test_on_screens_and_on_paper(browser: Any, axe: Any, tmp_path: Path) -> None:
    """The page is readable and accessible wide and narrow, light and dark, and printed."""
    check_page(browser, axe, make_page(full(), name="rated.tsv"), tmp_path)
