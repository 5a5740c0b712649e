"""The number, severity and families of the errors that this package's rules find."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.english.rules import FAMILIES
from naturalness.features.base import NAN, Columns, Requirement
from naturalness.features.requirements import asset
from naturalness.text.matches import SEVERITIES, Matches, checked
from naturalness.text.view import Doc, view

if TYPE_CHECKING:
    from naturalness.english.rules.checker import RuleChecker


@lru_cache(maxsize=1)
def rule_checker() -> RuleChecker:
    """Return the checker that applies all rules; the rules are read once per process."""
    from naturalness.english.rules.checker import RuleChecker

    return RuleChecker()


# The rules are read only when needed, because the shipped models use none of them.
def _versions(family: str) -> str:
    from naturalness.english.rules.reading import rule_versions

    return rule_versions(family)


OF_ALL = ("any_match", "n_matches", "match_share", "severity_share")
"""Features that depend on the rules of all families."""
# Models of releases up to 0.2.0 record a single checksum of all rules, under the name "rules".
UNRECORDED = Requirement("rules", str, str, changes=lambda recorded: "rules whose versions it does not record")


def _rules_of(family: str) -> Requirement:
    """Return a requirement for a family of rules.

    The rules are always present, but a model may have been trained with a different version.
    """
    features = frozenset({*OF_ALL, f"{family}_share"})
    change = f"other rules of {family.replace('_', ' ')}"
    return Requirement(
        f"rules:{family}", str, partial(_versions, family), changes=lambda recorded: change, features=features
    )


class RuleFeatures:
    """Matches of this package's own rules in the whole text; hints are counted too, with a lower severity."""

    name: ClassVar = "rules"
    requires: ClassVar = (asset("wordlist"), asset("forms"), UNRECORDED, *map(_rules_of, FAMILIES))
    features = Columns("rules")

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Return an array of shape (n_docs, n_features)."""
        table = np.empty((len(docs), len(self.features)), dtype=np.float64)
        for i, (doc, result) in enumerate(zip(docs, checked(rule_checker(), docs), strict=True)):
            table[i] = measure(result, len(view(doc).words))
        return table


def measure(result: Matches, n_words: int) -> list[float]:
    """Return the values of a text in the order of ``tables/rules.csv``."""
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
