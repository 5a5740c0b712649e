"""Charts draw every defined value, and escape names."""

from __future__ import annotations

import math
from xml.etree import ElementTree

from naturalness.pages import charts
from naturalness.pages.charts import Estimate
from naturalness.pages.svg import CHARACTER_WIDTH, NARROW, WIDE, both, linear, logarithmic
from tests.support.pages import EVIL, Page

OPTIONS = {"title": "title", "description": EVIL}


def classes(drawing: str) -> list[str]:
    """Return the classes of all elements of a well-formed drawing."""
    return [attributes["class"] for _, attributes in Page(drawing).elements if "class" in attributes]


def test_forest() -> None:
    """A row has all figures that are defined, and a line separates baselines."""
    rows = [
        Estimate("a", 0.5, 0.4, 0.6, "chosen", note=" of 7", runs=(0.4, 0.6)),
        Estimate(EVIL, math.nan),
        Estimate("c", 0.2, kind="baseline"),
    ]
    for width in (WIDE, NARROW):
        drawing = charts.forest(rows, width, base=0.0, mark=0.3, **OPTIONS)
        shapes = classes(drawing)
        assert shapes.count("spread chosen") == 1
        assert [shapes.count(kind) for kind in ("mean chosen", "mean baseline", "apart", "mark", "zero")] == [1] * 5
        assert shapes.count("run") == 2
        assert ">0.500 of 7<" in drawing and ">undefined<" in drawing
        assert "<script" not in drawing


def test_a_plane_of_two_figures() -> None:
    """Each pair has a dot, two intervals and a label; labels of near dots do not overlap."""
    ends = [(0.8, 0.2), (0.81, 0.2), (0.805, 0.21), (0.4, 0.9)]
    points = [
        (Estimate(f"system {i}", x, x - 0.01, x + 0.01, "chosen"), Estimate("", y, *((y - 0.1, y + 0.1) if i else ())))
        for i, (x, y) in enumerate(ends)
    ]
    for width in (WIDE, NARROW):
        drawing = charts.plane(points, width, titles=("first", "second"), description=EVIL)
        shapes = classes(drawing)
        assert [shapes.count(kind) for kind in ("mean chosen", "spread chosen", "label")] == [4, 7, 4]
        labels = [at for name, at in Page(drawing).elements if name == "text" and at.get("class") == "label"]
        at = [(float(label["x"]), label["text-anchor"], float(label["y"])) for label in labels]
        assert len(set(at)) == 4 and all(0 <= x <= width and 0 <= y <= width for x, _, y in at)
        assert "<script" not in drawing and ">first<" in drawing and ">second<" in drawing


def test_labels_of_a_plane_stay_inside() -> None:
    """A long label is moved or shortened, and the title of the upright axis does not touch its numbers."""
    points = [(Estimate("a-system-with-a-name-of-some-length" * n, x), Estimate("", y)) for n, x, y in EDGES]
    drawing = charts.plane(points, NARROW, titles=("first", "second"), description="")
    for at in ElementTree.fromstring(drawing).iter():
        if at.get("class") == "label":
            width = CHARACTER_WIDTH * len(at.text or "")
            left = float(at.attrib["x"]) - width * (at.get("text-anchor") == "end")
            assert left >= 0 and left + width <= NARROW
    assert "…" in drawing


EDGES = [(1, 0.99, 0.9895), (2, 0.5, 0.9897), (1, 0.01, 0.9899)]


def test_a_short_logarithmic_axis_has_its_sizes_as_ticks() -> None:
    """Between two round sizes, the sizes themselves are ticks."""
    assert logarithmic([21, 34, 45], 0, 1).ticks == (21, 34, 45)
    assert logarithmic([10, 40], 0, 1).ticks == (10, 20)


def test_widths_and_scales() -> None:
    """A chart has a wide and a narrow version; scales begin and end at round numbers."""
    shapes = Page(both(lambda width: charts.forest([], width, **OPTIONS))).attributes("svg")
    assert [attributes["class"] for attributes in shapes] == ["wide", "narrow"]
    assert linear([0.13, None, math.nan, 0.87], 0, 1, 5).ticks == (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
