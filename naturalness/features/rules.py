"""What our own rules find: errors, how grave they are, and of which family."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.features.base import NAN, Columns
from naturalness.features.requirements import asset, rules
from naturalness.models.checkers.base import SEVERITIES, Checked, checked
from naturalness.models.checkers.rules import FAMILIES
from naturalness.models.checkers.rules.checker import RuleChecker
from naturalness.models.checkers.rules.versions import SHIPPED, changes_since
from naturalness.text.view import view

if TYPE_CHECKING:
    from spacy.tokens import Doc


@lru_cache(maxsize=1)
def rule_checker() -> RuleChecker:
    """Return the checker of the shipped rules, made ready once."""
    return RuleChecker()


class RuleFeatures:
    """Matches of our own rules in the whole text; hints count too, by what they weigh."""

    name: ClassVar = "rules"
    requires: ClassVar = (asset("wordlist"), asset("forms"), rules("rules", SHIPPED, changes_since))
    features = Columns("rules")

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Numbers of shape (n_docs, n_features)."""
        table = np.empty((len(docs), len(self.features)), dtype=np.float64)
        for i, (doc, result) in enumerate(zip(docs, checked(rule_checker(), docs), strict=True)):
            table[i] = measure(result, len(view(doc).words))
        return table


def measure(result: Checked, n_words: int) -> list[float]:
    """Return one row, in the order of the table."""
    if result.problem or not n_words:
        return [NAN] * len(RuleFeatures.features)
    matches = result.matches
    families = [match.category for match in matches]
    return [
        float(bool(matches)),
        len(matches),
        len(matches) / n_words,
        sum(SEVERITIES[match.severity] for match in matches) / n_words,
        *(families.count(family) / n_words for family in FAMILIES),
    ]
