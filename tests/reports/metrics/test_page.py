"""The page of a comparison: complete, safe to open anywhere, and the same every time."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import numpy as np
import pytest

from naturalness.reports.metrics.compare import Columns, compare
from naturalness.reports.metrics.page import heat_map, interval, legend, make_page, part_notes, small
from naturalness.reports.metrics.plots import COLOURS, reference_lines, scatter
from naturalness.reports.metrics.result import Comparison, Settings
from naturalness.statistics.bootstrap import Interval
from tests.support.fake_metrics import GOOD, LONG, MATCHED, TURNED, Fake, rated

EVIL = "<script>alert('\"&')</script>"
VOID = {"meta", "circle", "line", "rect", "polyline", "polygon", "path", "br"}
DOCS, RATINGS, SOURCES = rated()


class Checker(HTMLParser):
    """Elements that are closed in order, and the text of the page."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.ids: set[str] = set()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        given = dict(attrs)
        self.ids |= {given["id"] or ""} if "id" in given else set()
        self.links += [given["href"] or ""] if "href" in given else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag


def result(**columns: object) -> Comparison:
    """A comparison with a metric of a wicked name."""
    evil = Fake(EVIL, lambda w, r: float(len(w[0])))
    flat = Fake("flat", lambda w, r: 1.0)
    given = Columns(sources=SOURCES, **columns)  # type: ignore[arg-type]
    metrics = [GOOD, TURNED, LONG, evil, flat, *([MATCHED] if given.references else [])]
    return compare(DOCS, RATINGS, metrics, given, settings=Settings(resamples=100))


def full() -> Comparison:
    """With systems, references and raters."""
    return result(
        references=[["ref"] * (1 + i % 4) for i in range(60)],
        systems=[("a", "b", EVIL)[i % 3] for i in range(60)],
        singles=[[r, r + i % 2] for i, r in enumerate(RATINGS)],
    )


def check(page: str) -> Checker:
    """Parse a page to its end."""
    checker = Checker()
    checker.feed(page.removeprefix("<!doctype html>"))
    checker.close()
    assert checker.open == []
    return checker


@pytest.mark.parametrize("make", [full, result])
def test_well_formed_and_alone(make: object) -> None:
    """Elements close, links lead somewhere on the page, nothing is loaded or run."""
    page = make_page(make(), name=EVIL)  # type: ignore[operator]
    checker = check(page)
    assert "script" not in checker.tags
    assert {link.removeprefix("#") for link in checker.links} <= checker.ids
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
    for words in ("Number of references", "Krippendorff", "system means", "−turned"):
        assert words in page
        assert (words in bare) == (words == "−turned")
    assert "neither the agreement of raters" in bare
    assert "good|fake" in page
    assert "made for tests, with <code>code</code>" in page


def test_heat_map() -> None:
    """Parts with no figure at all are left out; cells know sign and certainty."""
    compared = full()
    told = heat_map(compared, ["good", "flat"])
    names = [name for name, _ in told["parts"]]
    assert "all" in names
    assert "band 3/3 (5)" not in names
    assert "first reference" not in names
    cell = told["rows"][0][1][0]
    assert (cell["kind"], cell["sure"]) == ("up", True)
    assert told["rows"][1][1][0]["kind"] == "none"
    for name, cells in heat_map(compared, compared.ranking())["rows"]:
        for part, cell in zip(told["parts"], cells, strict=True):
            if part[0].startswith(("system=", "band")):
                assert cell["top"] == (name in compared.as_good_as_best(part[0]))
    assert "good" in compared.as_good_as_best("system=a")


def test_many_systems_share_grey() -> None:
    """The largest have colours of their own."""
    found = result(systems=[f"s{i % 9}" for i in range(60)])
    names = legend(found)
    assert len(names) == COLOURS
    assert names[-1] == ("4 others", COLOURS)
    assert legend(result()) == []
    assert legend(result(systems=["b", "a"] * 30)) == [("a", 0), ("b", 1)]


def test_drawings() -> None:
    """Every point is drawn, wild ones at the edge; names at line ends do not overlap."""
    x, y = np.arange(100.0), np.arange(100.0) % 5
    x[7] = 1e9
    drawn = scatter(x, y, [0] * 50 + [1] * 50, title="t", told="t")
    assert drawn.count("h0") == 100
    assert max(float(v) for v in re.findall(r"M([\d.]+) ", drawn)) <= 240
    assert scatter(np.full(3, np.nan), y[:3], [0] * 3, title="t", told="t") == ""
    lines = {f"m{i}": [0.1, 0.2 + i / 1000] for i in range(8)}
    svg = reference_lines(lines, ["1", "all"], 760, told="t")
    heights = sorted(float(h) for h in re.findall(r'y="([\d.]+)" class="label"', svg))
    assert len(heights) == 8
    assert min(np.diff(heights)) >= 13.9


def test_numbers() -> None:
    """As people read them."""
    assert interval(Interval(0.5, -0.1, 0.9)) == "0.500 [−0.100, 0.900]"
    assert interval(Interval(0.5)) == "0.500"
    assert interval(Interval()) == "–"
    assert (small(0.0004), small(0.0321), small(float("nan"))) == ("< .001", "0.032", "–")


def test_notes_of_parts_and_of_metrics() -> None:
    """What one metric lacks on a part is told of that metric, not of the part."""
    gaps = Fake("gaps", lambda w, r: float("nan"))
    systems = ["a"] * 55 + ["b"] * 5
    columns = Columns(sources=SOURCES, systems=systems)
    told = compare(DOCS, RATINGS, [GOOD, gaps], columns, settings=Settings(resamples=100))
    notes = dict(part_notes(told))
    assert notes["system=a, gaps"] == "0 rows with a value, fewer than 10: no figures"
    assert "system=a" not in notes
    assert notes["system=b"] == "5 rows, fewer than 10: no figures"
    assert "system=a, gaps: 0 rows with a value" in make_page(told, name="t")


def test_texts_of_several_systems() -> None:
    """They are dots in grey and no system of their own; pairs are counted where p is defined."""
    systems = [None if i < 6 else ("a", "b", "c")[i % 3] for i in range(60)]
    told = result(systems=systems)
    assert [name for name, _ in legend(told)] == ["a", "b", "c"]
    assert not any("None" in row.subset for row in told.rows)
    page = make_page(told, name="t")
    # Of five metrics one never varies: six of ten pairs can be tested.
    assert "corrected for 6 pairs (Holm)" in page
