"""Count labelled brackets by EVALB's rules (COLLINS.prm): punctuation is deleted, PRT counts as ADVP."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from naturalness.models.parsers.tree import CHAIN, Span

DELETED = frozenset({",", ".", ":", "``", "''"})
"""Tags of the words that are deleted, with brackets left empty."""
EQUAL = {"PRT": "ADVP"}


@dataclass
class Brackets:
    """Counts over sentences."""

    matched: int = 0
    gold: int = 0
    predicted: int = 0
    exact: int = 0
    sentences: int = 0

    def add(self, gold: Iterable[Span], predicted: Iterable[Span], tags: Sequence[str]) -> None:
        """Count one sentence; ``tags`` are those of the treebank."""
        right, ours = _brackets(gold, tags), _brackets(predicted, tags)
        matched = sum((right & ours).values())
        self.matched += matched
        self.gold += sum(right.values())
        self.predicted += sum(ours.values())
        self.exact += right == ours
        self.sentences += 1

    @property
    def f1(self) -> float:
        """Return the harmonic mean of precision and recall, in percent."""
        total = self.gold + self.predicted
        return 200 * self.matched / total if total else float("nan")


def _brackets(spans: Iterable[Span], tags: Sequence[str]) -> Counter[tuple[int, int, str]]:
    """Return brackets over the remaining words, with unary chains split."""
    at = [0]
    for tag in tags:
        at.append(at[-1] + (tag not in DELETED))
    return Counter(
        (at[start], at[stop], EQUAL.get(part, part))
        for start, stop, label in spans
        if at[stop] > at[start]
        for part in label.split(CHAIN)
    )
