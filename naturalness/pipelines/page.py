"""Render the report of a model as an HTML page.

This module arranges the data; `templates/model.html.j2` contains the wording, and `charts` draws the charts. The page
loads nothing and contains no scripts. The same summary always gives the same bytes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from naturalness.features import EVERY
from naturalness.features.describe import in_words
from naturalness.models.learners.prepared import measured
from naturalness.pages import charts
from naturalness.pages.charts import Estimate
from naturalness.pages.formats import with_capital
from naturalness.pages.svg import both
from naturalness.pages.templating import render
from naturalness.pipelines.card import LIMITS
from naturalness.pipelines.evaluation import CHANCE, ELIMINATED, shown_figures
from naturalness.pipelines.headline import TITLES, beside_shipped, tell

Data = Mapping[str, Any]


def make_page(summary: Mapping[str, Any], notes: Mapping[str, Any]) -> str:
    """Return the page, given a summary (`summary.summarise`) and the notes of training."""
    return render(
        "model.html.j2",
        summary=summary,
        data=summary["data"],
        story=tell(summary),
        beside_shipped=beside_shipped(summary),
        n_read=summary["model"]["n_read"],
        results=compare(summary),
        influence=influence(summary["model"]),
        elimination=elimination(summary),
        notes={"table": "", "notes": (), "options": {}, "settings": {}, "sources": (), **notes},
        limits=[*LIMITS, *notes.get("limits", ())],
        plain=plain,
    )


def plain(value: Any) -> str:
    """Return the value of a setting in readable form."""
    if value is None or isinstance(value, bool):
        return {True: "yes", False: "no", None: "–"}[value]
    if isinstance(value, (list, tuple)):
        return ", ".join(plain(item) for item in value)
    if isinstance(value, dict):
        return f"({', '.join(f'{name} {plain(item)}' for name, item in value.items())})"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def compare(summary: Data) -> dict[str, Any]:
    """Return table rows and a chart of the learners and the baselines, each group sorted from best to worst."""
    chief = summary["protocol"]["chosen_by"]
    rows = _ordered(summary["learners"], chief, summary["model"]["recipe"], "learner")
    rows += _ordered(summary["baselines"], chief, "", "baseline")
    best_figures = rows[0]["figures"]
    title, dots = with_capital(TITLES[chief]), [_estimate(row, chief) for row in rows]
    return {
        "rows": rows,
        "columns": list(shown_figures(summary["learners"]).items()),
        "by_class": [(name, name) for name in best_figures if name.startswith(("precision ", "recall "))],
        "splits": range(max(len(row["runs"]) for row in rows)),
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


def _ordered(results: Data, chief: str, chosen: str, kind: str) -> list[dict[str, Any]]:
    def order(name: str) -> float:
        mean = results[name][chief]["mean"]
        return math.inf if mean is None else -float(mean)

    return [
        {
            "name": name,
            "kind": "chosen" if name == chosen else kind,
            "figures": results[name],
            "runs": results[name]["runs"],
        }
        for name in sorted(results, key=order)
    ]


def _estimate(row: Data, chief: str) -> Estimate:
    """Return a row for the chart of results: the mean, one standard deviation to either side, and the value of each
    split.
    """
    value, runs = row["figures"][chief], [run[chief] for run in row["runs"]]
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
        "rows": [{**row, "words": words[row["feature"]], "means": _meaning(row["feature"])} for row in rows],
        "chart": both(
            lambda width: charts.forest(
                dots,
                width,
                title=title,
                description=f"The {title} of {len(rows)} features; the numbers are in the table below.",
            )
        ),
    }


def _meaning(column: str) -> str:
    """Return what a higher value of a column means; empty if this version has no such column."""
    if measured(column) != column:
        return "it has no value (1) or has one (0)"
    group, _, name = column.partition("__")
    known = {f.name: f.direction for f in EVERY[group].features} if group in EVERY else {}
    return known.get(name, "")


def elimination(summary: Data) -> dict[str, Any] | None:
    """Return the curve of recursive feature elimination, with a chart; None if there was no elimination."""
    curve = summary.get("elimination")
    if not curve:
        return None
    rows = list(zip(curve["sizes"], curve["means"], curve["errors"], strict=True))
    title = with_capital(TITLES[summary["protocol"]["chosen_by"]])
    points = [(size, mean, error or 0.0) for size, mean, error in rows if mean is not None]
    return {
        **curve,
        "columns": in_words(curve["columns"]),
        "used": summary["model"]["recipe"].endswith(ELIMINATED),
        "rows": rows,
        "chart": both(
            lambda width: charts.curve(
                points,
                curve["chosen"],
                width,
                titles=("number of features (log scale)", title),
                description=f"{title} by number of features; {curve['chosen']} are kept. "
                "The numbers are in the table below.",
            )
        )
        if points
        else "",
    }
