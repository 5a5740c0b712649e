"""A model's card: what it is, what it was trained on, how good it is, what it cannot do."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from naturalness.models.learners.table import LEARNERS
from naturalness.pages.formats import with_capital
from naturalness.pipelines.evaluation import ELIMINATED, shown_figures
from naturalness.pipelines.headline import TITLES, beside_shipped, sentence

LIMITS = (
    "Scores compare texts like those of training. Of other genres, lengths or systems they say "
    "less; measure on ratings of your own with `naturalness evaluate` before you rely on them.",
    "Short texts and fragments have few words to judge by, and their scores vary more.",
    "It reads English as its pipeline was trained to; other languages and dialects get low scores "
    "for no fault of theirs.",
    "It judges form. It does not know whether a text is true, apt or polite.",
)

CURVE_POINTS = 6
"""Points of a curve of elimination that a line has about."""
BEST_OF = "The recipe is the best of {n} on these very splits, so its own figures are a little too good."


def figure_rows(results: Mapping[str, Any]) -> list[list[str]]:
    """Name and headline figures, ``.412 ±.02``: mean and deviation."""
    shown = shown_figures(results)
    return [
        [name, *(figure_text(result[f], len(result.get("runs", ()))) for f in shown)]
        for name, result in results.items()
    ]


def figure_text(value: Mapping[str, float | None], splits: int = 0) -> str:
    """Mean and deviation; a dash where undefined; in how many splits, where not in all."""
    mean, deviation, defined = value["mean"], value["deviation"], value.get("defined")
    if mean is None or mean != mean:
        return "–"
    part = f" ({defined}/{splits})" if defined is not None and defined < splits else ""
    if deviation is None or deviation != deviation:
        return short(mean) + part
    return f"{short(mean)} ±{short(deviation, 2)}{part}"


def gap_note(summary: Mapping[str, Any]) -> str:
    """What ``(9/10)`` in a table says, by its first such cell; empty where no cell has it."""
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


def columns_read(model: Mapping[str, Any]) -> int:
    """How many columns of the table of features a model reads; figures of earlier releases have the columns that
    its learner sees, marks of missing values among them.
    """
    return int(model.get("n_read", model["n_columns"]))


def columns_text(model: Mapping[str, Any]) -> str:
    """`columns_read` in words."""
    many = columns_read(model)
    return f"{many:,} column{'s'[: many != 1]}"


def recipe_text(model: Mapping[str, Any]) -> str:
    """The recipe of a model and, where that does not name it, its learner."""
    recipe, learner = str(model["recipe"]), str(model["learner"])
    return recipe if recipe.removesuffix(ELIMINATED) == learner else f"{recipe}, {learner}"


def short(value: float, digits: int = 3) -> str:
    """A number below 1 without its zero: ``.412``."""
    return f"{value:.{digits}f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:.{digits}f}"


GROUP_COLUMNS = ("columns", "alone", "without it", "lost without it")


def group_rows(summary: Mapping[str, Any]) -> list[list[str]]:
    """Each group of features, the one that is missed most first, under `GROUP_COLUMNS`."""
    worth = summary.get("groups")
    if not worth:
        return []
    rows = [(row, _lost(worth["all"], row["without"])) for row in worth["rows"]]
    rows.sort(key=lambda row: math.inf if row[1] is None else -row[1])
    return [
        [row["group"], str(row["columns"]), *map(_shown, (row["alone"], row["without"], lost))] for row, lost in rows
    ]


def group_note(summary: Mapping[str, Any]) -> str:
    """How the figures of `group_rows` were measured."""
    worth = summary["groups"]
    return (
        f"{with_capital(TITLES[worth['criterion']])} of the chosen learner by cross-validation, with one group "
        f"alone and with all others; with all groups {_shown(worth['all'])}"
    )


def elimination_note(summary: Mapping[str, Any]) -> str:
    """How many columns elimination would keep, with its curve, in a line; empty without one."""
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


def _lost(everything: float | None, without: float | None) -> float | None:
    return None if everything is None or without is None else everything - without


def _shown(value: float | None) -> str:
    return "–" if value is None else short(value)


def _worth(summary: Mapping[str, Any]) -> list[str]:
    """What each group is worth, and the curve of elimination, as far as they were measured."""
    lines = []
    if rows := group_rows(summary):
        lines += [
            "",
            "## What each group of features is worth",
            "",
            f"{group_note(summary)}.",
            "",
            *_markdown(["", *GROUP_COLUMNS], rows),
        ]
    if note := elimination_note(summary):
        lines += ["", f"{with_capital(note)}."]
    return lines


def make_card(summary: Mapping[str, Any], training: Mapping[str, Any]) -> str:
    """Markdown of a summary (`summary.summarise`) and the notes of training."""
    data, model, protocol = summary["data"], summary["model"], summary["protocol"]
    beside = beside_shipped(summary)
    lines = [
        "# Model card",
        "",
        f"Learner: {model['learner']} ({_parameters(model['parameters'])}), "
        f"{columns_text(model)}{_chosen_as(model)}. "
        f"Made with naturalness {summary['naturalness']}.",
        *_start(summary),
        "",
        "## Trained on",
        "",
        f"{data['texts']:,} texts from {data['sources']:,} source{'s'[: data['sources'] != 1]}; {_taught(data)}",
        *_notes(training),
        "",
        "## How good",
        "",
        *_protocol(protocol),
        "",
        *_table(summary),
        "",
        *(f"{note}.\n" for note in (gap_note(summary),) if note),
        f"In a sentence: {sentence(summary)}.",
        *(["", f"{with_capital(beside)}."] if beside else []),
        *(["", BEST_OF.format(n=len(summary["learners"]))] if len(summary["learners"]) > 1 else []),
        *_worth(summary),
        "",
        f"A naturalness from {model['threshold']:.3f} on is called {list(data['labels'])[-1]!r}.",
        "",
        "## Limits",
        "",
        *(f"- {limit}" for limit in (*LIMITS, *training.get("limits", ()))),
        "",
    ]
    return "\n".join(lines)


def _taught(data: Mapping[str, Any]) -> str:
    """What was said of the texts, and what of it was learned."""
    if "pairs" in data:
        return (
            f"{data['pairs']:,} pairs of them, one text of each preferred to the other. Learned: "
            "pairs. A score is how likely a text is preferred to a middling one of these."
        )
    labels = ", ".join(f"{n:,} {name}" for name, n in data["labels"].items())
    return (
        f"{labels}; {data['without_label']:,} without label. Learned: {data['learned']}. "
        f"Scale of the ratings: {_scale(data['scale'])}."
    )


def _start(summary: Mapping[str, Any]) -> list[str]:
    """What learning started from, where the learner that was chosen adapts a model."""
    start = summary.get("start")
    if not start or not LEARNERS[summary["model"]["learner"]].adapts:
        return []
    return ["", f"Learning started from model `{start['name']}` (checksum {start['checksum']})."]


def _chosen_as(model: Mapping[str, Any]) -> str:
    """The recipe, where it is not the learner alone."""
    return "" if model["recipe"] == model["learner"] else f", chosen as: {model['recipe']}"


def _parameters(parameters: Mapping[str, Any]) -> str:
    return ", ".join(map(_parameter, parameters.items())) or "no parameters"


def _parameter(item: tuple[str, Any]) -> str:
    """A name and its value; of a part of a blend its own parameters in brackets."""
    name, value = item
    return f"{name} ({_parameters(value)})" if isinstance(value, Mapping) else f"{name} {value}"


def _scale(scale: Sequence[float | None]) -> str:
    return "none" if None in scale else f"{scale[0]:g} to {scale[1]:g}"


def _notes(training: Mapping[str, Any]) -> list[str]:
    notes = [str(note) for note in training.get("notes", ())]
    sources = [f"- {source['name']}: {source['licence']}" for source in training.get("sources", ())]
    return [*(["", *notes] if notes else []), *(["", *sources] if sources else [])]


def _protocol(protocol: Mapping[str, Any]) -> list[str]:
    together = "; texts of one source stay together" if protocol["sources_kept_together"] else ""
    how = (
        f"{protocol['outer_folds']}-fold cross-validation"
        if protocol["outer_folds"]
        else f"{protocol['repeats']} fresh random splits, {protocol['test_size']:.0%} for testing"
    )
    figures = (
        "A tie counts as half a pair; chance is .5."
        if protocol["chosen_by"] == "pair_accuracy"
        else "Spearman and Pearson: of the score with the rating; given length: what is left when "
        "the number of words is known."
    )
    return [
        f"{how}{together}; parameters, calibration and threshold chosen by "
        f"{protocol['inner_folds']} folds inside each training part (seed {protocol['seed']}). "
        f"Mean ± standard deviation over the splits. {figures}"
    ]


def _table(summary: Mapping[str, Any]) -> list[str]:
    header = ["", *shown_figures(summary["learners"]).values()]
    rows = [
        *figure_rows(summary["learners"]),
        *([f"*{row[0]}*", *row[1:]] for row in figure_rows(summary["baselines"])),
    ]
    return _markdown(header, rows)


def _markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A table; all columns but the first hold numbers."""
    return [
        "| " + " | ".join(header) + " |",
        "| --- " + "| ---: " * (len(header) - 1) + "|",
        *("| " + " | ".join(row) + " |" for row in rows),
    ]
