"""What a report draws: from its data to the drawings of `charts` and `drawings`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from naturalness.pages import charts
from naturalness.pages.charts import Estimate, Histogram, forest, histogram_rows, threshold_curve
from naturalness.pages.formats import decimal, percent
from naturalness.pages.svg import both
from naturalness.reports.raters.rates import BETTER, FEWEST, WORSE
from naturalness.statistics.measures import wilson

Data = Mapping[str, Any]
TITLES = {"roc_auc": "ROC AUC", "spearman": "Spearman"}
KINDS = {WORSE: "learned", BETTER: "chosen", "": "plain"}
"""The colours of categories that differ from the rest."""
BELOW = "the numbers are in the table below"


def draw_all(data: Data) -> dict[str, str]:
    """Every drawing but those of error rates, by name; empty where there is nothing to draw."""
    return {
        "figures": draw_figures(data),
        "calibration": draw_calibration(data),
        "labels": _histograms(data["labels"], data, "label"),
        "systems": _histograms(data["systems"], data, "system"),
        "roc": draw_roc(data),
        "precision_recall": draw_precision_recall(data),
        "causes": _importances(data["importances"]["causes"], data, "cause"),
        "features": _importances(data["importances"]["features"], data, "feature"),
        "learning": draw_learning(data),
        "elimination": draw_elimination(data),
    }


def draw_figures(data: Data) -> str:
    """Figures of agreement with their ceilings."""
    rows = [
        Estimate(one["title"], one["value"], one["low"], one["high"], "chosen", ceiling=one["ceiling"])
        for one in data["figures"]
    ]
    description = f"Figures of agreement with 95 % intervals; {BELOW}"
    return both(lambda width: forest(rows, width, title="figure", description=description))


def draw_calibration(data: Data) -> str:
    """The reliability plot."""
    parts, best = data["calibration"]["parts"], data["classes"][-1]
    if not parts:
        return ""
    points = [(p["told"], p["natural"], *wilson(p["natural"] * p["texts"], p["texts"])) for p in parts]
    description = f"Told naturalness against the share that raters call {best}; {BELOW}"
    titles = "told naturalness", f"share that is {best}"
    return both(lambda width: charts.reliability_plot(points, width, titles=titles, description=description))


def _histograms(rows: Sequence[Data], data: Data, what: str) -> str:
    panels = [Histogram(row["name"], _note(row, what), tuple(row["counts"]), row["naturalness"]) for row in rows]
    if not panels:
        return ""
    threshold, title = data["confusion"]["threshold"], "naturalness"
    description = f"Histograms of naturalness by {what}; {BELOW}"
    return both(lambda width: histogram_rows(panels, width, title=title, description=description, mark=threshold))


def _note(row: Data, what: str) -> str:
    rating = "" if row["rating"] is None or what == "label" else f", rated {row['rating']:.2f}"
    return f"{row['texts']:,} texts, mean {decimal(row['naturalness'])[:-1]}{rating}"


def draw_roc(data: Data) -> str:
    """ROC, with that of a perfect judge and the point of the threshold."""
    curve, ceiling = data["roc"], data["ceiling"] and data["ceiling"]["roc"]
    if curve is None:
        return ""
    truth, told = _counts(data)
    threshold = (told[0] / truth[0], told[1] / truth[1]) if len(truth) == 2 and all(truth) else None
    titles = f"share of {_rest(data)} called {_best(data)}", f"share of {_best(data)} found"
    description = f"ROC curve; {BELOW}"
    return both(
        lambda width: threshold_curve(
            _points(curve),
            width,
            titles=titles,
            description=description,
            chance=((0, 0), (1, 1)),
            ceiling=_points(ceiling) if ceiling else (),
            threshold=threshold,
        )
    )


def draw_precision_recall(data: Data) -> str:
    """Precision against recall, the same."""
    curve = data["precision_recall"]
    ceiling = data["ceiling"] and data["ceiling"]["precision_recall"]
    if curve is None:
        return ""
    truth, told = _counts(data)
    usual = curve["y"][-1]
    threshold = None
    if len(truth) == 2 and truth[1] and sum(told):
        threshold = told[1] / truth[1], told[1] / sum(told)
    titles = f"share of {_best(data)} found", f"share of “{_best(data)}” that is right"
    description = f"Precision against recall; {BELOW}"
    return both(
        lambda width: threshold_curve(
            _points(curve),
            width,
            titles=titles,
            description=description,
            chance=((0, usual), (1, usual)),
            ceiling=_points(ceiling) if ceiling else (),
            threshold=threshold,
        )
    )


def _counts(data: Data) -> tuple[list[int], list[int]]:
    """Texts of each label, and how many of them were told the best one."""
    rows = data["confusion"]["counts"]
    return [sum(row) for row in rows], [row[-1] for row in rows]


def _best(data: Data) -> str:
    return str(data["classes"][-1])


def _rest(data: Data) -> str:
    return str(data["classes"][0]) if len(data["classes"]) == 2 else "the rest"


def _points(curve: Data) -> list[tuple[float, float]]:
    return list(zip(curve["x"], curve["y"], strict=True))


def draw_rates(title: str, rows: Sequence[Data], data: Data) -> str:
    """Error rates of the categories of a dimension, beside the rate over all and the ceiling."""
    drawn = [
        Estimate(
            row["name"] or "(empty)",
            row["rate"],
            row["low"],
            row["high"],
            KINDS[row["verdict"]],
            note=f" of {row['texts']:,}",
        )
        for row in rows
        if row["texts"] >= FEWEST
    ]
    if not drawn:
        return ""
    description = f"{title}: share of texts told another label; {BELOW}"
    accuracy = data["ceiling"] and data["ceiling"]["figures"].get("accuracy")
    return both(
        lambda width: forest(
            drawn,
            width,
            title="share told another label than the raters’",
            description=description,
            number=percent,
            mark=data["rates"][0]["rate"],
            ceiling=1 - accuracy if accuracy else None,
        )
    )


def _importances(rows: Sequence[Data], data: Data, what: str) -> str:
    drawn = [Estimate(row["title"], row["value"], row["low"], row["high"], "chosen") for row in rows]
    if not drawn:
        return ""
    description = f"Importance of each {what}; {BELOW}"
    title = f"mean size of what it adds, in {data['importances']['unit']}"
    return both(lambda width: forest(drawn, width, title=title, description=description))


def draw_learning(data: Data) -> str:
    """The learning curve with the ceiling; the band is one deviation wide to either side."""
    curve = data["learning_curve"]
    if curve is None:
        return ""
    points = [
        (step["texts"], step["mean"], step["deviation"] or 0.0) for step in curve["steps"] if step["mean"] is not None
    ]
    if len(points) < 2:
        return ""
    title = TITLES[curve["figure"]]
    description = f"{title} by number of texts to learn from; {BELOW}"
    titles = "texts to learn from (log scale)", title
    return both(
        lambda width: charts.curve(
            points, None, width, titles=titles, description=description, ceiling=_ceiling(data, curve["figure"])
        )
    )


def _ceiling(data: Data, figure: str) -> float | None:
    found: float | None = data["ceiling"] and data["ceiling"]["figures"].get(figure)
    return found


def draw_elimination(data: Data) -> str:
    """The curve of the model's training: fewer and fewer features."""
    found = data["elimination"]
    if not found:
        return ""
    rows = zip(found["sizes"], found["means"], found["errors"], strict=True)
    points = [(size, mean, error or 0.0) for size, mean, error in rows if mean is not None]
    if not points:
        return ""
    title = TITLES[found["figure"]]
    description = f"{title} by number of features; {BELOW}"
    titles = "number of features (log scale)", title
    return both(
        lambda width: charts.curve(
            points,
            found["chosen"],
            width,
            titles=titles,
            description=description,
            ceiling=_ceiling(data, found["figure"]),
        )
    )
