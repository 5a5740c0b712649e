"""Render the report of a model as an HTML page.

This module arranges the data; `templates/model.html.j2` contains the wording, and `charts` draws the charts. The page
loads nothing and contains no scripts. The same summary always gives the same bytes.
"""

from __future__ import annotations

import math
from typing import Any

from naturalness.features.describe import in_words
from naturalness.pages import charts
from naturalness.pages.charts import Estimate
from naturalness.pages.formats import with_capital
from naturalness.pages.svg import both
from naturalness.pages.templating import render
from naturalness.pipelines.card import LIMITS, TITLES, Data, conclusions, tell
from naturalness.pipelines.evaluation import CHANCE, shown_figures


def make_page(summary: Data, record: Data) -> str:
    """Return the page, given a summary (`summary.summarise`) and the record of training."""
    return render(
        "model.html.j2",
        summary=summary,
        data=summary["data"],
        story=tell(summary),
        shipped_lines=conclusions(summary)[1:],
        results=compare(summary),
        influence=influence(summary["model"]),
        columns=in_words(summary.get("elimination", {}).get("columns", ())),
        record=record,
        limits=LIMITS,
    )


def compare(summary: Data) -> dict[str, Any]:
    """Return table rows and a chart of the model and, from best to worst, of the baselines."""
    chief = summary["protocol"]["chosen_by"]

    def worth(named: tuple[str, Data]) -> float:
        mean = named[1][chief]["mean"]
        return -math.inf if mean is None else mean

    baselines = sorted(summary["baselines"].items(), key=worth, reverse=True)
    rows = [{"name": name, "kind": "chosen", "figures": result} for name, result in summary["learners"].items()]
    rows += [{"name": name, "kind": "baseline", "figures": result} for name, result in baselines]
    title, dots = with_capital(TITLES[chief]), [_estimate(row, chief) for row in rows]
    return {
        "rows": rows,
        "columns": list(shown_figures(summary["learners"]).items()),
        "by_class": [(name, name) for name in rows[0]["figures"] if name.startswith(("precision ", "recall "))],
        "chart": both(
            lambda width: charts.forest(
                dots,
                width,
                base=CHANCE[chief],
                bold=True,
                height=24,
                title=title,
                description=f"{title} of learners and baselines; the numbers are in the table below.",
            )
        ),
    }


def _estimate(row: Data, chief: str) -> Estimate:
    """Return a row for the chart of results: the mean, one standard deviation to either side, and the value of each
    split.
    """
    value, runs = row["figures"][chief], [run[chief] for run in row["figures"]["runs"]]
    mean, deviation = known(value["mean"]), value["deviation"] or math.nan
    dots = tuple(run for run in runs if run is not None)
    return Estimate(row["name"], mean, mean - deviation, mean + deviation, row["kind"], runs=dots)


def known(value: float | None) -> float:
    """Return a number of a summary; NaN for None."""
    return math.nan if value is None else value


def influence(model: Data) -> dict[str, Any] | None:
    """Return the features that influence the model's scores most, each with the meaning of a higher value."""
    rows = model["influence"]
    if not rows:
        return None
    weights = rows[0]["kind"] != "importance"
    words = in_words([row["feature"] for row in rows])
    dots = [
        Estimate(words[r["feature"]], known(r["value"]), kind="learned" if (r["value"] or 0) < 0 else "chosen")
        for r in rows
    ]
    title = "weight" if weights else "importance"
    return {
        "weights": weights,
        "rows": [{**row, "words": words[row["feature"]]} for row in rows],
        "chart": both(
            lambda width: charts.forest(
                dots,
                width,
                title=title,
                description=f"The {title} of {len(rows)} features; the numbers are in the table below.",
            )
        ),
    }
