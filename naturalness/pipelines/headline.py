"""State the main result of a training: how often the model beats the best simple baseline and the shipped model.

Models are compared split by split. A figure is undefined in a split whose scores or ratings are all equal; such a split
counts as chance. The shipped model is not a simple baseline, since it knows a lot about language; it has a sentence of
its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from naturalness.pages.templating import render_lines
from naturalness.pipelines.baselines import SHIPPED_MODEL
from naturalness.pipelines.evaluation import CHANCE, values_or_chance

Data = Mapping[str, Any]
TITLES = {
    "spearman": "Spearman correlation",
    "roc_auc": "ROC AUC",
    "pair_accuracy": "pairs ordered correctly",
    "mean_order": "order overall and within sources",
}
"""The titles of the figures by which recipes are chosen, as written within a sentence."""
MOST_WINS = 0.9
"""The smallest share of splits that a model must win against the best simple baseline to be called better; a tie
counts as half a win.
"""


@dataclass(frozen=True, slots=True)
class Tally:
    """The number of splits in which a model is better than another model, and the number in which both are equal."""

    wins: int = 0
    ties: int = 0
    pairs: int = 0
    """The number of splits."""

    @property
    def points(self) -> float:
        """The number of wins plus half the number of ties."""
        return self.wins + self.ties / 2

    @property
    def equal(self) -> bool:
        """Whether both models are equal in every split, and there is at least one."""
        return self.ties == self.pairs > 0

    @property
    def behind(self) -> int:
        """The number of splits that the model neither wins nor ties."""
        return self.pairs - self.wins - self.ties


def tell(summary: Data) -> dict[str, Any]:
    """Return the main result: the chief figure of the model and of the best simple baseline, and their comparison."""
    chief = summary["protocol"]["chosen_by"]
    ours = summary["learners"][summary["model"]["recipe"]]
    others = {
        name: values_or_chance(result["runs"], chief).mean()
        for name, result in summary["baselines"].items()
        if result[chief]["mean"] is not None and name != SHIPPED_MODEL
    }
    best = max(others, key=others.__getitem__) if others else None
    simple = summary["baselines"].get(best)
    standing = _standing(ours, simple, chief) if simple else Tally()
    values = values_or_chance(ours["runs"], chief)
    low = values.mean() - (values.std(ddof=1) if len(values) > 1 else 0.0)
    return {
        "chief": chief,
        "title": TITLES[chief],
        "own": ours,
        "value": ours[chief],
        "splits": len(values),
        "defined": sum(run[chief] is not None for run in ours["runs"]),
        "best": best,
        "best_value": simple[chief] if simple else None,
        "standing": standing,
        "better": standing.pairs > 0 and standing.points >= MOST_WINS * standing.pairs,
        "shipped": _shipped(summary, ours, chief),
        "learned": bool(low > CHANCE[chief]),
        "accuracy": ours.get("accuracy", {}).get("mean"),
        "usual": summary["baselines"].get("majority", {}).get("accuracy", {}).get("mean"),
    }


def _standing(ours: Data, other: Data, chief: str) -> Tally:
    """Return the comparison of the model with another one over all splits."""
    mine, theirs = (values_or_chance(result["runs"], chief) for result in (ours, other))
    return Tally(int((mine > theirs).sum()), int((mine == theirs).sum()), len(mine))


def _shipped(summary: Data, ours: Data, chief: str) -> dict[str, Any] | None:
    """Return the comparison of the model with the shipped one; None if the shipped model was not judged.

    The shipped model counts as better if its mean is higher and the trained model wins at most half of the splits,
    where a tie counts as half a win.
    """
    shipped = summary["baselines"].get(SHIPPED_MODEL)
    if shipped is None or shipped[chief]["mean"] is None:
        return None
    standing = _standing(ours, shipped, chief)
    mine, theirs = (values_or_chance(result["runs"], chief).mean() for result in (ours, shipped))
    better = theirs > mine and standing.points <= standing.pairs / 2
    return {"value": shipped[chief], "standing": standing, "better": better}


def beside_shipped(summary: Data) -> str:
    """Return a sentence on whether the shipped model is better, or on why that is not known.

    The string is empty for figures of earlier releases, which do not contain the shipped model.
    """
    return _sentence(summary, "shipped")


def sentence(summary: Data) -> str:
    """Return the conclusion in one sentence."""
    return _sentence(summary, "conclusion")


def _sentence(summary: Data, part: str) -> str:
    return " ".join(render_lines("headline.txt.j2", part=part, summary=summary, story=tell(summary)))
