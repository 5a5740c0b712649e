"""Write the card of a model: what it is, its training data, its figures and its limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from naturalness.models.learners.table import LEARNERS
from naturalness.pages.templating import render
from naturalness.pipelines.evaluation import ELIMINATED, shown_figures
from naturalness.pipelines.headline import TITLES, beside_shipped, sentence

LIMITS = (
    "Scores compare texts like those of training. Of other genres, lengths or systems they say "
    "less; measure on ratings of your own with `naturalness evaluate` before you rely on them.",
    "Short texts and fragments have few words to judge by, and their scores vary more.",
    "It reads English as its pipeline was trained to; texts in other languages and dialects get low scores "
    "however natural they are.",
    "It judges form. It does not know whether a text is true, apt or polite.",
    "Ratings of soundness teach soundness: fluent boilerplate scores high. How a text is phrased is another number, "
    "`voice`.",
)

CURVE_POINTS = 6
"""The approximate number of points of the elimination curve that are printed."""


def figure_rows(results: Mapping[str, Any]) -> list[list[str]]:
    """Return a table row for each result: its name, then the mean and deviation of each headline figure (``.412
    ±.02``).
    """
    shown = shown_figures(results)
    return [
        [name, *(figure_text(result[f], len(result.get("runs", ()))) for f in shown)]
        for name, result in results.items()
    ]


def figure_text(value: Mapping[str, float | None], splits: int = 0) -> str:
    """Return a figure's mean and deviation, with the number of splits in which it is defined if that is less than
    ``splits``; a dash if the mean is undefined.
    """
    mean, deviation, defined = value["mean"], value["deviation"], value.get("defined")
    if mean is None or mean != mean:
        return "–"
    part = f" ({defined}/{splits})" if defined is not None and defined < splits else ""
    if deviation is None or deviation != deviation:
        return short(mean) + part
    return f"{short(mean)} ±{short(deviation, 2)}{part}"


def gap_note(summary: Mapping[str, Any]) -> str:
    """Return a note that explains the first entry such as ``(9/10)`` in a table; empty if there is none."""
    for results in (summary["learners"], summary["baselines"]):
        for result in results.values():
            splits = len(result.get("runs", ()))
            for figure in shown_figures(results):
                defined, mean = result[figure].get("defined"), result[figure]["mean"]
                if mean is not None and defined is not None and defined < splits:
                    return (
                        f"({defined}/{splits}): the figure is defined in {defined} of {splits} splits, and the mean is "
                        "over these"
                    )
    return ""


def columns_text(model: Mapping[str, Any]) -> str:
    """Return the number of feature columns that a model reads as text, such as ``12 columns``."""
    many = model["n_read"]
    return f"{many:,} column{'s'[: many != 1]}"


def recipe_text(model: Mapping[str, Any]) -> str:
    """Return the recipe of a model, followed by its learner if the recipe's name does not contain it."""
    recipe, learner = str(model["recipe"]), str(model["learner"])
    return recipe if recipe.removesuffix(ELIMINATED) == learner else f"{recipe}, {learner}"


def short(value: float, digits: int = 3) -> str:
    """Return a number as text; below 1, it is written without the leading zero, as in ``.412``."""
    return f"{value:.{digits}f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:.{digits}f}"


def elimination_note(summary: Mapping[str, Any]) -> str:
    """Return a note on the number of columns that elimination would keep, with the score at several sizes.

    The note is empty if there was no elimination.
    """
    curve = summary.get("elimination")
    if not curve:
        return ""
    sizes, means = curve["sizes"], curve["means"]
    steps = range(0, len(sizes), max(1, len(sizes) // CURVE_POINTS))
    steps_shown = sorted({*steps, sizes.index(curve["chosen"]), len(sizes) - 1})
    points = ", ".join(f"{sizes[i]:,} {_shown(means[i])}" for i in steps_shown)
    return (
        f"elimination would keep {curve['chosen']:,} of {sizes[0]:,} columns, the fewest within a "
        f"standard error of the best; {TITLES[summary['protocol']['chosen_by']]} of a random "
        f"forest by number of columns: {points}"
    )


def _shown(value: float | None) -> str:
    return "–" if value is None else short(value)


def make_card(summary: Mapping[str, Any], training: Mapping[str, Any]) -> str:
    """Return the card in Markdown, given a summary (`summary.summarise`) and the notes of training."""
    model, start = summary["model"], summary.get("start")
    rows = [[f"*{name}*", *cells] for name, *cells in figure_rows(summary["baselines"])]
    return render(
        "card.md.j2",
        summary=summary,
        model=model,
        data=summary["data"],
        best=repr(list(summary["data"]["labels"])[-1]),
        protocol=summary["protocol"],
        training={"notes": (), "sources": (), **training},
        parameters=", ".join(f"{name} {value}" for name, value in model["parameters"].items()) or "no parameters",
        columns=columns_text(model),
        start=start if start and LEARNERS[model["learner"]].adapts else None,
        figures=list(shown_figures(summary["learners"]).values()),
        results=figure_rows(summary["learners"]) + rows,
        gaps=gap_note(summary),
        sentence=sentence(summary),
        beside=beside_shipped(summary),
        elimination=elimination_note(summary),
        limits=[*LIMITS, *training.get("limits", ())],
    )
