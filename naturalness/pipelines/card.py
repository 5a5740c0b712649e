"""Describe a trained model in text: the tables and conclusions of the terminal, and the card in its folder.

Models are compared split by split. A figure is undefined in a split whose scores or ratings are all equal; such a split
counts as chance. The shipped model is not a simple baseline, since it knows a lot about language; it has a sentence of
its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from naturalness.pages.templating import render, render_lines
from naturalness.pipelines.evaluation import CHANCE, SHIPPED_MODEL, shown_figures, values_or_chance

Data = Mapping[str, Any]
LIMITS = (
    "Scores compare texts like those of training. They say less about other genres, lengths or "
    "systems; measure on ratings of your own with `naturalness evaluate` before you rely on them.",
    "Short texts and fragments have few words to judge by, and their scores vary more.",
    "It reads English as its pipeline was trained to; texts in other languages and dialects get low scores "
    "however natural they are.",
    "It judges form. It does not know whether a text is true, apt or polite.",
    "Ratings of soundness teach soundness: fluent boilerplate scores high. How a text is phrased is another number, "
    "`voice`.",
)
TITLES = {
    "spearman": "Spearman correlation",
    "roc_auc": "ROC AUC",
    "pair_accuracy": "pairs ordered correctly",
    "mean_order": "order overall and within sources",
}
"""The titles of the figures by which models are compared, as written within a sentence."""
MOST_WINS = 0.9
"""The smallest share of splits that a model must win against the best simple baseline to be called better; a tie
counts as half a win.
"""


@dataclass(frozen=True, slots=True)
class Rival:
    """A baseline beside the trained model: the number of splits that the model wins, and that both share."""

    name: str
    value: Data
    """The chief figure of the baseline."""
    mean: float
    """The mean of this figure over all splits."""
    wins: int
    ties: int
    splits: int

    @property
    def points(self) -> float:
        """The number of wins plus half the number of ties."""
        return self.wins + self.ties / 2


def tell(summary: Data) -> dict[str, Any]:
    """Return the main result: the chief figure of the model, and its comparison with the best simple baseline and the
    shipped model.

    The shipped model counts as better if its mean is higher and the trained model wins at most half of the splits,
    where a tie counts as half a win.
    """
    chief = summary["protocol"]["chosen_by"]
    ours = summary["learners"][summary["model"]["recipe"]]
    values = values_or_chance(ours["runs"], chief)
    rivals = {}
    for name, result in summary["baselines"].items():
        if result[chief]["mean"] is not None:
            theirs = values_or_chance(result["runs"], chief)
            wins, ties = int((values > theirs).sum()), int((values == theirs).sum())
            rivals[name] = Rival(name, result[chief], theirs.mean(), wins, ties, len(values))
    shipped = rivals.pop(SHIPPED_MODEL, None)
    simple = max(rivals.values(), key=lambda rival: rival.mean, default=None)
    low = values.mean() - (values.std(ddof=1) if len(values) > 1 else 0.0)
    return {
        "chief": chief,
        "title": TITLES[chief],
        "own": ours,
        "value": ours[chief],
        "splits": len(values),
        "defined": sum(run[chief] is not None for run in ours["runs"]),
        "simple": simple,
        "better": simple is not None and simple.points >= MOST_WINS * len(values),
        "shipped": shipped,
        "shipped_better": shipped is not None and shipped.mean > values.mean() and shipped.points <= len(values) / 2,
        "learned": bool(low > CHANCE[chief]),
        "accuracy": ours.get("accuracy", {}).get("mean"),
        "usual": summary["baselines"].get("majority", {}).get("accuracy", {}).get("mean"),
    }


def conclusions(summary: Data) -> list[str]:
    """Return the conclusion in a sentence, then whether the shipped model is better, or why that is not known.

    The second sentence is missing in figures of earlier releases, which do not contain the shipped model.
    """
    return render_lines("headline.txt.j2", summary=summary, story=tell(summary))


def figure_rows(results: Data) -> list[list[str]]:
    """Return a table row for each result: its name, then the mean and deviation of each headline figure (``.412
    ±.02``).
    """
    shown = shown_figures(results)
    return [[name, *(figure_text(result[figure]) for figure in shown)] for name, result in results.items()]


def figure_text(value: Mapping[str, float | None]) -> str:
    """Return a figure's mean and deviation; a dash if the mean is undefined."""
    mean, deviation = value["mean"], value["deviation"]
    if mean is None or mean != mean:
        return "–"
    if deviation is None or deviation != deviation:
        return short(mean)
    return f"{short(mean)} ±{short(deviation, 2)}"


def short(value: float, digits: int = 3) -> str:
    """Return a number as text; below 1, it is written without the leading zero, as in ``.412``."""
    return f"{value:.{digits}f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:.{digits}f}"


def make_card(summary: Data, record: Data) -> str:
    """Return the card in Markdown, given a summary (`summary.summarise`) and the record of training."""
    return render(
        "card.md.j2",
        summary=summary,
        record=record,
        conclusions=conclusions(summary),
        figures=shown_figures(summary["learners"]).values(),
        results=figure_rows(summary["learners"])
        + [[f"*{name}*", *cells] for name, *cells in figure_rows(summary["baselines"])],
        limits=LIMITS,
    )
