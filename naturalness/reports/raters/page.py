"""A report on rated texts as one HTML page: the data of `result.everything` in, markup out.

Plain data is put in the order of reading here; `templates/report.html.j2` has the words, `plots`
the drawings. The page loads nothing, and the same report gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from naturalness.pages.formats import between, decimal
from naturalness.pages.templating import render
from naturalness.reports.raters import plots
from naturalness.reports.raters.listing import list_cases
from naturalness.reports.raters.rates import FEWEST

if TYPE_CHECKING:
    from markupsafe import Markup

Data = Mapping[str, Any]
DIMENSIONS = {
    "length": "Length",
    "clauses": "Clauses",
    "construction": "Construction",
    "writing": "How it is typed",
    "found": "What is found odd in it",
}
"""What the dimensions of categories are called; a column by its name."""


def make_page(data: Data) -> str:
    """The page of a report's data."""
    return render(
        "report.html.j2",
        data=data,
        two_labels=len(data["classes"]) == 2,
        worst=data["classes"][0],
        best=data["classes"][-1],
        rates=rates(data),
        whole=data["rates"][0],
        drawn=plots.draw_all(data),
        lists=[
            list_cases("too-high", data["too_high"], data),
            list_cases("too-low", data["too_low"], data),
            list_cases("suspects", data["suspects"], data),
        ],
        titles=plots.TITLES,
        fewest=FEWEST,
        missed=[row for row in data["importances"]["missed"] if _any(row)],
        bins=bins,
        sure=sure,
        curve_rows=curve_rows,
        importance_rows=importance_rows,
        feature_rows=feature_rows(data),
        calibration_rows=[
            [f"{part['texts']:,}", decimal(part["told"]), decimal(part["natural"])]
            for part in data["calibration"]["parts"]
        ],
        learning_rows=learning_rows(data),
        elimination_rows=elimination_rows(data),
    )


def sure(value: float | None, low: float | None, high: float | None) -> Markup | str:
    """A difference, bold where its interval leaves out 0."""
    from markupsafe import Markup

    told = decimal(value)
    if low is None or high is None or low <= 0 <= high:
        return told
    return Markup("<strong>{}</strong>").format(told)


def bins(rows: Sequence[Data]) -> list[list[str]]:
    """The numbers of histograms: a row for each part of the scale, a column for each of them."""
    size = len(rows[0]["counts"]) if rows else 0
    return [
        [f"{i / size:.2f} to {(i + 1) / size:.2f}", *(f"{row['counts'][i]:,}" for row in rows)] for i in range(size)
    ]


def curve_rows(curve: Data) -> list[list[str]]:
    """The numbers of a curve."""
    points = zip(curve["threshold"], curve["x"], curve["y"], strict=True)
    return [[decimal(t), decimal(x), decimal(y)] for t, x, y in points]


def importance_rows(rows: Sequence[Data]) -> list[list[str]]:
    """Causes with their sizes."""
    return [[r["title"], decimal(r["value"]), between(r["low"], r["high"])] for r in rows]


def feature_rows(data: Data) -> list[list[str]]:
    """Features with their sizes and what they mean."""
    return [
        [r["name"], decimal(r["value"]), between(r["low"], r["high"]), r["cause"], r["meaning"]]
        for r in data["importances"]["features"]
    ]


def learning_rows(data: Data) -> list[list[str]]:
    """The numbers of the learning curve."""
    steps = data["learning_curve"]["steps"] if data["learning_curve"] else []
    return [[f"{s['texts']:,}", decimal(s["mean"]), decimal(s["deviation"])] for s in steps]


def elimination_rows(data: Data) -> list[list[str]]:
    """The numbers of the elimination curve."""
    found = data["elimination"]
    if not found:
        return []
    rows = zip(found["sizes"], found["means"], found["errors"], strict=True)
    return [[f"{size:,}", decimal(mean), decimal(error)] for size, mean, error in rows]


def rates(data: Data) -> list[dict[str, Any]]:
    """Error rates, dimension by dimension, each with its drawing."""
    names: list[str] = []
    for row in data["rates"][1:]:
        if row["dimension"] not in names:
            names.append(row["dimension"])
    found = []
    for name in names:
        rows = [row for row in data["rates"][1:] if row["dimension"] == name]
        title = DIMENSIONS.get(name, f"Column “{name}”")
        found.append({"title": title, "rows": rows, "chart": plots.draw_rates(title, rows, data)})
    return found


def _any(row: Data) -> bool:
    return row["too_high"] is not None or row["too_low"] is not None
