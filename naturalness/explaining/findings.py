"""All that can be pointed at in a text: checkers, detector, models and parse, the surest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from naturalness.english.rules import FAMILIES
from naturalness.explaining.causes import KINDS as CAUSES
from naturalness.explaining.causes import TABLES
from naturalness.explaining.codes import LANGUAGETOOL, code_of
from naturalness.explaining.explanation import Finding
from naturalness.explaining.places import FINDERS, by_detector, stock, surprising
from naturalness.explaining.shown import SURE
from naturalness.features import EVERY, significant
from naturalness.features.grammar import GrammarFeatures
from naturalness.features.rules import rule_checker
from naturalness.text.matches import Checker, Match, Severity, checked
from naturalness.text.parsing import are_english, source_of
from naturalness.text.view import view

if TYPE_CHECKING:
    from spacy.tokens import Doc

SEVERE: Mapping[Severity, float] = {"error": 0.9, "warning": 0.6, "hint": 0.25}
"""How sure it is that a reader stumbles over a match."""

OF_RULES: Mapping[str, str] = {name: family.kind for name, family in FAMILIES.items()}
"""The kind of error of each family of rules."""

OF_LANGUAGETOOL: Mapping[str, str] = TABLES["languagetool"]
"""The kind of a category of LanguageTool; of others a verb is the likeliest."""
OTHER = "verb"
RULES = "rules"
CHECKERS = frozenset({RULES, "grammar"})
"""Sources that know a rule, say it in words, and often what should stand there."""
WITH_NETWORKS = frozenset({"damage", "damage_large", "neural_lm"})
"""Groups over networks; where a model reads one, the small language model is asked for surprising words."""


def find(docs: Sequence[Doc], groups: Sequence[str]) -> list[tuple[Finding, ...]]:
    """The findings of each Doc with words, the surest first; of a model that reads these groups.

    LanguageTool is asked where the model reads it, the small language model where it reads a network:
    both cost more than the rest together. Rules, detector and stock phrases are English; of another language the parse
    alone is looked at.
    """
    findings: list[list[Finding]] = [[] for _ in docs]
    english = are_english(docs)
    checkers: dict[str, tuple[Checker, Mapping[str, str]]] = {}
    if english:
        checkers[RULES] = rule_checker(), OF_RULES
    grammar = EVERY["grammar"]
    if grammar.name in groups and isinstance(grammar, GrammarFeatures):
        checkers[grammar.name] = grammar.open(), OF_LANGUAGETOOL
    for source, (checker, kinds) in checkers.items():
        for in_doc, result in zip(findings, checked(checker, docs), strict=True):
            in_doc += [_of_match(match, source, kinds) for match in result.matches]
    for in_doc, doc in zip(findings, docs, strict=True):
        if english:
            in_doc += by_detector(doc)
            in_doc += stock(doc, view(doc))
        for finder in FINDERS.values():
            in_doc += finder(doc, view(doc))
        if not WITH_NETWORKS.isdisjoint(groups):
            in_doc += surprising(doc, view(doc))
        whole = merged(_with_text(in_doc, source_of(doc).original))
        in_doc[:] = (replace(finding, weight=significant(finding.weight)) for finding in whole)
    return [tuple(sorted(in_doc, key=lambda f: (-f.weight, f.start, f.end, f.kind))) for in_doc in findings]


def _of_match(match: Match, source: str, kinds: Mapping[str, str]) -> Finding:
    kind = kinds.get(match.category, OTHER)
    return Finding(
        match.start,
        match.end,
        "",
        kind,
        CAUSES[kind],
        match.message,
        source,
        SEVERE[match.severity],
        match.suggestions,
        code_of(f"{LANGUAGETOOL}-{match.rule}" if source == "grammar" else match.rule),
    )


def _with_text(findings: Iterable[Finding], text: str) -> Iterator[Finding]:
    return (replace(finding, text=text[finding.start : finding.end]) for finding in findings)


def merged(findings: Iterable[Finding]) -> list[Finding]:
    """Findings that overlap, put together.

    A checker's match says more than the detector, and is right more often: what the detector sees
    in the same place makes it surer. Of one cause the same holds for all. A faint finding beside a
    surer one in its place says nothing new, and goes.
    """
    distinct: list[Finding] = []
    standing: dict[int, list[int]] = {}  # at each character, its end included: numbers in `distinct`
    for finding in sorted(findings, key=lambda f: (f.source not in CHECKERS, -f.weight, f.start, f.kind)):
        around = range(finding.start, finding.end + 1)
        for index in sorted({n for at in around for n in standing.get(at, ())}):
            other = distinct[index]
            if not _touch(finding, other):
                continue
            if finding.cause == other.cause or (other.source in CHECKERS and other.weight >= SURE):
                both = 1 - (1 - finding.weight) * (1 - other.weight)
                distinct[index] = replace(other, weight=both)
                break
            if finding.weight < SURE <= other.weight:
                break
        else:
            for at in around:
                standing.setdefault(at, []).append(len(distinct))
            distinct.append(finding)
    return distinct


def _touch(first: Finding, second: Finding) -> bool:
    """Whether two places overlap; a gap touches what begins or ends at it."""
    if first.start == first.end or second.start == second.end:
        return first.start <= second.end and second.start <= first.end
    return first.start < second.end and second.start < first.end
