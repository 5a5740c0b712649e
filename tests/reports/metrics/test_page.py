"""The page of a comparison: complete, safe to open anywhere, and the same every time."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from naturalness.reports.metrics.compare import Columns, compare
from naturalness.reports.metrics.page import heat_map, make_page, part_notes
from naturalness.reports.metrics.result import Comparison, Settings
from tests.support.fake_metrics import GOOD, LONG, MATCHED, TURNED, Fake, rated
from tests.support.pages import EVIL, Page
from tests.support.screens import check_page

DOCS, RATINGS, SOURCES = rated()


def result(**columns: object) -> Comparison:
    """A comparison with a metric of a wicked name."""
    evil = Fake(EVIL, lambda w, r: float(len(w[0])))
    flat = Fake("flat", lambda w, r: 1.0)
    inputs = Columns(sources=SOURCES, **columns)  # type: ignore[arg-type]
    metrics = [GOOD, TURNED, LONG, evil, flat, *([MATCHED] if inputs.references else [])]
    return compare(DOCS, RATINGS, metrics, inputs, settings=Settings(resamples=100))


def full() -> Comparison:
    """With systems, references and raters."""
    return result(
        references=[["ref"] * (1 + i % 4) for i in range(60)],
        systems=[("a", "b", EVIL)[i % 3] for i in range(60)],
        singles=[[r, r + i % 2] for i, r in enumerate(RATINGS)],
    )


@pytest.mark.parametrize("make", [full, result])
def test_well_formed_and_alone(make: object) -> None:
    """Elements close, links lead somewhere on the page, nothing is loaded or run."""
    page = make_page(make(), name=EVIL)  # type: ignore[operator]
    checker = Page(page)
    checker.assert_links_inside()
    assert "script" not in checker.tags
    assert not re.search(r"https?:|@import|url\(|\bsrc=", page)
    assert EVIL not in page
    assert "&lt;script&gt;" in page
    assert "nan" not in page.lower()


def test_no_text_is_in_it_and_bytes_repeat() -> None:
    """Figures only; the same comparison gives the same page."""
    page = make_page(full(), name="rated.tsv")
    assert page == make_page(full(), name="rated.tsv")
    for doc in DOCS[:20]:
        assert doc.text not in page
        assert " ".join(doc.text.split()[:4]) not in page


def test_what_it_tells() -> None:
    """Sections as far as there is something to say."""
    page, bare = make_page(full(), name="t"), make_page(result(), name="t")
    for words in ("Number of references", "Krippendorff", "system means"):
        assert words in page
        assert (words in bare) == (words == "−turned")
    assert "neither the agreement of raters" in bare
    assert "good|fake" in page
    assert "made for tests, with <code>code</code>" in page


def test_heat_map() -> None:
    """Parts with no figure at all are left out; cells know sign and certainty."""
    compared = full()
    grid = heat_map(compared, ["good", "flat"])
    names = [name for name, _ in grid["parts"]]
    assert "all" in names
    assert "band 3/3 (5)" not in names
    assert "first reference" not in names
    cell = grid["rows"][0][1][0]
    assert (cell["kind"], cell["sure"]) == ("up", True)
    assert grid["rows"][1][1][0]["kind"] == "none"
    for name, cells in heat_map(compared, compared.ranking())["rows"]:
        for part, cell in zip(grid["parts"], cells, strict=True):
            if part[0].startswith(("system=", "band")):
                assert cell["top"] == (name in compared.as_good_as_best(part[0]))
    assert "good" in compared.as_good_as_best("system=a")


def test_notes_of_parts_and_of_metrics() -> None:
    """What one metric lacks on a part is told of that metric, not of the part."""
    gaps = Fake("gaps", lambda w, r: float("nan"))
    systems = ["a"] * 55 + ["b"] * 5
    columns = Columns(sources=SOURCES, systems=systems)
    comparison = compare(DOCS, RATINGS, [GOOD, gaps], columns, settings=Settings(resamples=100))
    notes = dict(part_notes(comparison))
    assert notes["system=a, gaps"] == "0 rows with a value, fewer than 10: no figures"
    assert "system=a" not in notes
    assert notes["system=b"] == "5 rows, fewer than 10: no figures"
    assert "system=a, gaps: 0 rows with a value" in make_page(comparison, name="t")


@pytest.mark.slow
def test_on_screens_and_on_paper(browser: Any, axe: Any, tmp_path: Path) -> None:
    """Wide and narrow, light and dark, and printed."""
    check_page(browser, axe, make_page(full(), name="rated.tsv"), tmp_path)
