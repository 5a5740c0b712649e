"""Save a trained model to a folder: manifest, arrays, figures, card, report and reference values."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from naturalness.errors import ModelError
from naturalness.features import EVERY, column_names, resolve
from naturalness.features.base import FeatureGroup
from naturalness.features.measuring import groups_for
from naturalness.features.named import is_named_group
from naturalness.features.requirements import versions_of
from naturalness.features.selected import whole_of
from naturalness.judging.background import Background, spread_of
from naturalness.judging.folder import Description, write_model
from naturalness.judging.hashes import known_texts
from naturalness.judging.reference import quantiles_of
from naturalness.models.learners.compiled import Compiled
from naturalness.pipelines.card import make_card
from naturalness.pipelines.evaluation import Plan, Training, fingerprint
from naturalness.pipelines.page import make_page
from naturalness.pipelines.summary import summarise
from naturalness.text.parsing import pipeline_checksum


def save_training(
    folder: Path,
    training: Training,
    plan: Plan,
    *,
    groups: Sequence[str] | None,
    nlp: str,
    record: Mapping[str, Any],
    force: bool,
) -> dict[str, Any]:
    """Write the folder of a model, and return the contents of its `metrics.json`.

    ``record`` is stored in the manifest; its notes also appear on the card and the page.
    """
    summary, data = summarise(training, plan, resolve(groups)), training.data
    fitted, naturalness = training.learned.fitted, training.result.naturalness
    start = {"start": summary["start"]} if "start" in summary else {}
    described = description_of(
        resolve(groups),
        fitted.compiled,
        nlp=nlp,
        rates=data.rates,
        classes=data.classes,
        threshold=training.learned.interpretation.threshold,
        scale=data.scale if data.scale[0] < data.scale[1] else (0.0, 1.0),
        learner=fitted.choice.learner,
        parameters=fitted.choice.parameters,
        training={**record, **start, "texts": len(data), "fingerprint": fingerprint(data)},
    )
    # Names of files, columns and labels may not be UTF-8; JSON can hold them as escapes.
    pages = {
        "metrics.json": (json.dumps(summary, indent=1, ensure_ascii=False) + "\n").encode("utf-8", "backslashreplace"),
        "card.md": make_card(summary, record).encode("utf-8", "replace"),
        "report.html": make_page(summary, record).encode("utf-8", "replace"),
    }
    at, spread = (np.empty(0), np.empty(0)) if naturalness is None else spread_of(naturalness)
    write_model(
        folder,
        described,
        fitted.compiled,
        seen=known_texts(data.texts),
        background=Background(fitted.background, at, spread, quantiles_of(data.table)),
        pages=pages,
        force=force,
    )
    return summary


def description_of(
    groups: Sequence[FeatureGroup], compiled: Compiled, *, nlp: str, rates: bool = False, **fields: Any
) -> Description:
    """Return the manifest entries of a model; ``fields`` are entries that do not follow from the other arguments."""
    return Description(
        kind="regressor" if rates else "classifier",
        groups=tuple(group.name for group in groups),
        columns=tuple(column_names(groups)),
        nlp=nlp,
        pipeline=pipeline_checksum(nlp),
        assets=versions_of(groups),
        units=tuple(compiled.kinds()),
        **fields,
    )


def save_estimator(estimator: Any, folder: str | Path, *, force: bool = False) -> None:
    """Save an estimator that was fitted on texts or Docs, so that `load_model` can open it without scikit-learn.

    Since the estimator was not evaluated, the folder contains only the manifest and the arrays, without figures.
    """
    check_is_fitted(estimator)
    description = describe_estimator(estimator)
    groups = [whole_of(g) for g in resolve(groups_for(estimator.features))]
    strange = [g.name for g in groups if EVERY.get(g.name) is not g and not is_named_group(g)]
    if strange:
        raise ModelError(
            f"feature groups of your own ({', '.join(strange)}) cannot be saved: a folder holds "
            "no code; save with groups that have a name"
        )
    fitted = estimator.fitted_
    background = Background(fitted.background)
    write_model(Path(folder), description, fitted.compiled, seen=estimator.seen_, background=background, force=force)


def describe_estimator(estimator: Any) -> Description:
    """Return the manifest entries of an estimator that was fitted on texts or Docs."""
    if not estimator.reads_texts_:
        raise ModelError(
            "this estimator was fitted on a table of numbers and cannot read texts; fit it on texts or Docs to save it"
        )
    groups = resolve(groups_for(estimator.features))
    classes = ("unnatural", "natural")
    if hasattr(estimator, "classes_"):
        if not estimator.knows_order:
            raise ModelError(
                f"cannot tell which of {estimator.classes_.tolist()} is better; fit with "
                "labels=[...], ordered from worst to best"
            )
        classes = tuple(estimator.classes_[estimator.order_].tolist())
    choice = estimator.fitted_.choice
    return description_of(
        groups,
        estimator.fitted_.compiled,
        nlp=estimator.nlp,
        rates=not hasattr(estimator, "classes_"),
        classes=tuple(str(name) for name in classes),
        threshold=getattr(estimator, "threshold_", 0.5),
        scale=getattr(estimator, "scale_", (0.0, 1.0)),
        learner=choice.learner,
        parameters=choice.parameters,
    )
