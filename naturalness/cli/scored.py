"""What `score` and `label` share: their options, and the columns they add."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from naturalness.data.reading import Batch

if TYPE_CHECKING:
    from naturalness.pipelines.scorer import Scores

NATURALNESS, LABEL, REASON = "naturalness", "label", "reason"


def add_model_options(parser: argparse.ArgumentParser) -> None:
    """Which model judges, and how its columns are called."""
    add = parser.add_argument
    which = parser.add_mutually_exclusive_group().add_argument
    which("--model", default="default", metavar="FOLDER",
          help="a model made by train, or a shipped one: default (what it is without this option) "
          "or fast; a folder of such a name is ./fast")  # fmt: skip
    which("--fast", dest="model", action="store_const", const="fast",
          help="the same as --model fast: several times as quick, and less good")  # fmt: skip
    add("--changed-assets", action="store_true",
        help="accept other assets than those the model was trained with")  # fmt: skip
    add("--prefix", default="", metavar="P",
        help="put before the names of new columns, if the table has such ones")  # fmt: skip


def columns(batch: Batch, scores: Scores, prefix: str) -> dict[str, list[Any]]:
    """The new columns of a batch; a row with a problem of its own has that as its reason."""
    problems = batch.problems
    return {
        prefix + NATURALNESS: [
            float("nan") if problem else value
            for problem, value in zip(problems, scores.naturalness, strict=True)
        ],
        prefix + LABEL: [
            "" if problem or label is None else label
            for problem, label in zip(problems, scores.labels, strict=True)
        ],
        prefix + REASON: [p or why for p, why in zip(problems, scores.reasons, strict=True)],
    }
