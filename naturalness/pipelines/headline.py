"""What a training found, in a nutshell: the model beside the best baseline, split against split."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from naturalness.pipelines.baselines import SHIPPED_MODEL
from naturalness.pipelines.evaluation import CHANCE

Data = Mapping[str, Any]
TITLES = {"spearman": "Spearman correlation", "roc_auc": "ROC AUC", "pair_accuracy": "Pairs ordered correctly"}
MOST_WINS = 0.9
"""Share of the splits in which a model must beat the best baseline to be called better."""


def tell(summary: Data) -> dict[str, Any]:
    """The headline: the chief figure of the model and of the best baseline, split against split."""
    chief = summary["protocol"]["chosen_by"]
    ours = summary["learners"][summary["model"]["recipe"]]
    others = {
        name: result
        for name, result in summary["baselines"].items()
        if result[chief]["mean"] is not None and name != SHIPPED_MODEL
    }
    best = max(others, key=lambda name: others[name][chief]["mean"]) if others else None
    wins, pairs = _wins(ours, others[best], chief) if best is not None else (0, 0)
    # Where a figure is not defined in a split, the model told all its texts the same.
    defined_runs = [run[chief] for run in ours["runs"] if run[chief] is not None]
    low = -math.inf if len(defined_runs) < len(ours["runs"]) else ours[chief]["mean"]
    return {
        "chief": chief,
        "title": TITLES[chief],
        "own": ours,
        "value": ours[chief],
        "splits": len(ours["runs"]),
        "defined": len(defined_runs),
        "best": best,
        "best_value": others[best][chief] if best is not None else None,
        "wins": wins,
        "pairs": pairs,
        "better": pairs > 0 and wins >= MOST_WINS * pairs,
        "shipped": _shipped(summary, ours, chief),
        "learned": low - (ours[chief]["deviation"] or 0) > CHANCE[chief],
        "accuracy": ours.get("accuracy", {}).get("mean"),
        "usual": summary["baselines"].get("majority", {}).get("accuracy", {}).get("mean"),
        "rivals": len(summary["learners"]),
    }


def _wins(ours: Data, other: Data, chief: str) -> tuple[int, int]:
    """In how many splits the model is ahead, and how many there are to tell by."""
    pairs = [
        (mine[chief], theirs[chief])
        for mine, theirs in zip(ours["runs"], other["runs"], strict=False)
        if theirs[chief] is not None
    ]
    return sum(mine is not None and mine > theirs for mine, theirs in pairs), len(pairs)


def _shipped(summary: Data, ours: Data, chief: str) -> dict[str, Any] | None:
    """The shipped model beside this one; None where it was not judged.

    It is better where its mean is, and this one is not ahead in most of the splits.
    """
    shipped = summary["baselines"].get(SHIPPED_MODEL)
    if shipped is None or shipped[chief]["mean"] is None:
        return None
    wins, pairs = _wins(ours, shipped, chief)
    mean = ours[chief]["mean"]
    better = mean is None or (shipped[chief]["mean"] > mean and wins <= pairs / 2)
    return {"value": shipped[chief], "wins": wins, "pairs": pairs, "better": better}


def beside_shipped(summary: Data) -> str:
    """Whether the shipped model is better, in one sentence; why that is not known where it is not;
    empty in figures of earlier releases.
    """
    story = tell(summary)
    shipped, title = story["shipped"], story["title"]
    if shipped is None:
        why = summary.get("without_shipped_model")
        return f"shipped model: {why}" if why else ""
    theirs, mine = (
        "undefined" if value["mean"] is None else f"{value['mean']:.3f}" for value in (shipped["value"], story["value"])
    )
    ahead = f"this one is ahead in {shipped['wins']} of {shipped['pairs']} splits"
    comparison = f"{title} {theirs}, this one {mine}; {ahead}"
    if not shipped["better"]:
        return f"the shipped model is not better on these texts: {comparison}"
    start = "" if "start" in summary else ", or start from it (--learner adapted)"
    return f"the shipped model is better on these texts: {comparison}: take that{start}"


def sentence(summary: Data) -> str:
    """What may be concluded, in one sentence."""
    story = tell(summary)
    if not story["learned"]:
        return "nothing was learned beyond chance: do not use these scores; more texts, or other ratings, are needed"
    if not story["pairs"]:
        return "there is no baseline to compare with"
    rivals = story["rivals"]
    model = f"the model, the best of {rivals} on these very splits," if rivals > 1 else "the model"
    only = "" if story["better"] else "only "
    care = "" if story["better"] else "; use its scores with care"
    return (
        f"{model} is ahead of the best baseline ({story['best']}) "
        f"{only}in {story['wins']} of {story['pairs']} splits{care}"
    )
