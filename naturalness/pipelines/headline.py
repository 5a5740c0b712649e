"""What a training found, in a nutshell: the model beside the best baseline, split against split."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from naturalness.pipelines.evaluation import CHANCE

Data = Mapping[str, Any]
TITLES = {
    "spearman": "Spearman correlation",
    "roc_auc": "ROC AUC",
    "pair_accuracy": "Pairs ordered rightly",
}
MOST_WINS = 0.9
"""Share of the splits in which a model must beat the best baseline to be called better."""


def tell(summary: Data) -> dict[str, Any]:
    """The headline: the chief figure of the model and of the best baseline, split against split."""
    chief = summary["protocol"]["chosen_by"]
    own = summary["learners"][summary["model"]["recipe"]]
    others = {
        name: result
        for name, result in summary["baselines"].items()
        if result[chief]["mean"] is not None
    }
    best = max(others, key=lambda name: others[name][chief]["mean"]) if others else None
    pairs = [
        (mine[chief], theirs[chief])
        for mine, theirs in zip(own["runs"], others[best]["runs"] if best else (), strict=False)
        if theirs[chief] is not None
    ]
    wins = sum(mine is not None and mine > theirs for mine, theirs in pairs)
    # Where a figure is not defined in a split, the model told all its texts the same.
    told = [run[chief] for run in own["runs"] if run[chief] is not None]
    low = -math.inf if len(told) < len(own["runs"]) else own[chief]["mean"]
    return {
        "chief": chief,
        "title": TITLES[chief],
        "own": own,
        "value": own[chief],
        "splits": len(own["runs"]),
        "defined": len(told),
        "best": best,
        "best_value": others[best][chief] if best is not None else None,
        "wins": wins,
        "pairs": len(pairs),
        "better": bool(pairs) and wins >= MOST_WINS * len(pairs),
        "learned": low - (own[chief]["deviation"] or 0) > CHANCE[chief],
        "accuracy": own.get("accuracy", {}).get("mean"),
        "usual": summary["baselines"].get("majority", {}).get("accuracy", {}).get("mean"),
        "rivals": len(summary["learners"]),
    }


def sentence(summary: Data) -> str:
    """What may be concluded, in one sentence."""
    story = tell(summary)
    if not story["learned"]:
        return (
            "nothing was learned that can be told from chance: do not use these scores; "
            "more texts, or other ratings, are needed"
        )
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
