"""`naturalness score --explain`: why a text has its score, in a line or in columns."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from naturalness.cli.colour import paint_for
from naturalness.cli.scored import INDENT
from naturalness.explaining import wording
from naturalness.explaining.explanation import Explanation, index_of
from naturalness.labelling.fields import HIGH, LOW, UNLIKE, WHY
from naturalness.pages.trees import visible
from naturalness.pipelines.scorer import Scores

CAUSE = "cause"


def scores_of(found: Sequence[Explanation]) -> Scores:
    """The scores that the explanations hold."""
    return Scores([one.naturalness for one in found], [one.label for one in found], [one.reason for one in found])


def why_columns(found: Sequence[Explanation], prefix: str) -> dict[str, list[Any]]:
    """What is added beside the scores."""
    return {
        prefix + CAUSE: [one.cause for one in found],
        prefix + WHY: [_joined(one, _causes(one)) for one in found],
        prefix + LOW: [one.low for one in found],
        prefix + HIGH: [one.high for one in found],
        prefix + UNLIKE: ["; ".join(one.unlike) for one in found],
    }


def _joined(explained: Explanation, causes: str) -> str:
    """The strongest causes, then the surest finding: ``verb forms −1.3; “go”: …``."""
    surest = (wording.in_a_line(one, explained.text) for one in explained.findings[:1])
    return "; ".join(filter(None, [causes, *surest]))


def _causes(explained: Explanation) -> str:
    """The causes as `label` has them in its tables, the one that is named among them."""
    parts = explained.contributions
    named = index_of(explained.cause, [one.cause for one in parts])
    return wording.in_words([one.title for one in parts], [one.value for one in parts], named=named)


def why_lines(explained: Explanation) -> str:
    """The same below the line of a text, and a warning below that; empty without a score."""
    paint = paint_for(sys.stdout)
    told = visible(_joined(explained, wording.why(explained)))
    lines = [paint(told, "soft")] if explained.contributions else []
    if explained.unlike:
        unlike = f"unlike the texts of training: {'; '.join(explained.unlike)}"
        lines.append(paint(visible(unlike), "warning"))
    return "".join(f"{INDENT}{line}\n" for line in lines)
