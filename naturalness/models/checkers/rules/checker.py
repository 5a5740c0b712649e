"""Our own checker: small rules over the parse, in families; needs nothing beyond the package."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar

from naturalness.models.checkers.base import SEVERITIES, Checked, Match
from naturalness.models.checkers.rules import FAMILIES
from naturalness.models.checkers.rules.matching import Matcher
from naturalness.models.checkers.rules.pattern import CodeRule, Found, Rule
from naturalness.models.checkers.rules.versions import SHIPPED, Families, checksum
from naturalness.text.parsing import original_span, unusable
from naturalness.text.view import View, view

if TYPE_CHECKING:
    from spacy.tokens import Doc


class RuleChecker:
    """Checks Docs by rules of ours; what each family finds is in docs/checkers.md."""

    name: ClassVar = "rules"

    def __init__(self, families: Families = FAMILIES) -> None:
        self._rules = [(family, rule) for family, rules in families.items() for rule in rules]
        self._matcher = Matcher([rule for _, rule in self._rules])
        self.signature = f"rules:{SHIPPED if families is FAMILIES else checksum(families)}"

    def check(self, docs: Sequence[Doc]) -> list[Checked]:
        """The findings of each Doc: in each family, of overlapping ones the gravest."""
        return [self._check(doc) for doc in docs]

    def _check(self, doc: Doc) -> Checked:
        if problem := unusable(doc):
            return Checked((), problem)
        tokens = view(doc)
        found = [(*self._rules[n], n, one) for n, one in self._matcher.find(tokens)]
        if not found:
            return Checked(())
        matches = [self._match(doc, tokens, family, rule, one) for family, rule, one in _gravest(found)]
        return Checked(tuple(sorted(matches)))

    @staticmethod
    def _match(doc: Doc, tokens: View, family: str, rule: Rule | CodeRule, one: Found) -> Match:
        first, last = doc[tokens.places[one.start]], doc[tokens.places[one.end - 1]]
        start, end = original_span(doc, first.idx, last.idx + len(last))
        return Match(start, end, rule.id, family, one.message, one.suggestions, severity=rule.severity)


def _gravest(found: Iterable[tuple[str, Rule | CodeRule, int, Found]]) -> list[tuple[str, Rule | CodeRule, Found]]:
    """Of overlapping findings of one family the gravest; of equal ones the first, the longest."""
    order = sorted(found, key=lambda f: (f[0], -SEVERITIES[f[1].severity], f[3].start, -f[3].end, f[2]))
    taken: dict[str, set[int]] = {}
    kept = []
    for family, rule, _, one in order:
        places = taken.setdefault(family, set())
        covered = range(one.start, one.end)
        if places.isdisjoint(covered):
            places.update(covered)
            kept.append((family, rule, one))
    return kept
