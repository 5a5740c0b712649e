"""Collect all findings in a text (from checkers, the detector and the parse), surest first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from naturalness.english.rules import FAMILIES
from naturalness.explaining.causes import KINDS as CAUSES
from naturalness.explaining.causes import TABLES
from naturalness.explaining.codes import LANGUAGETOOL, code_of
from naturalness.explaining.explanation import Finding
from naturalness.explaining.mending import confirmed
from naturalness.explaining.places import damaged, long, stock
from naturalness.explaining.rewriting import touch
from naturalness.explaining.shown import SURE
from naturalness.features import significant
from naturalness.features.grammar import GrammarFeatures, open_checker
from naturalness.text.matches import Match, Severity, checked
from naturalness.text.parsing import are_english, source_of
from naturalness.text.view import Doc, view

WEIGHT_OF_SEVERITY: Mapping[Severity, float] = {"error": 0.9, "warning": 0.6, "hint": 0.25}
"""The probability that a reader stumbles over a match, by severity."""

KIND_OF_CATEGORY: Mapping[str, str] = TABLES["languagetool"]
"""The kind of error for each category of LanguageTool. Other categories get `OTHER`, the most likely kind."""
OTHER = "verb"
RULES = "rules"
CHECKERS = frozenset({RULES, "grammar"})
"""Sources that have rules. Their findings explain the error and often suggest a replacement."""


def find(docs: Sequence[Doc], groups: Sequence[str]) -> list[tuple[Finding, ...]]:
    """Return the findings in each Doc that has words, the surest first; ``groups`` names the model's groups.

    LanguageTool is used only if the model reads it, since it costs more than everything else. Rules, detector and stock
    phrases cover only English; in other languages only the parse is examined.
    """
    findings: list[list[Finding]] = [[] for _ in docs]
    english = are_english(docs)
    matches: dict[str, tuple[Sequence[Sequence[Match]], Mapping[str, str]]] = {}
    if english:
        matches[RULES] = confirmed(docs), FAMILIES
    if GrammarFeatures.name in groups:
        matches[GrammarFeatures.name] = [each.matches for each in checked(open_checker(), docs)], KIND_OF_CATEGORY
    for source, (of_docs, kinds) in matches.items():
        for in_doc, doc, of_doc in zip(findings, docs, of_docs, strict=True):
            in_doc += [_of_match(match, source, kinds, source_of(doc).original) for match in of_doc]
    for in_doc, doc in zip(findings, docs, strict=True):
        if english:
            in_doc += damaged(doc)
            in_doc += stock(doc, view(doc))
        in_doc += long(doc, view(doc))
        in_doc[:] = (replace(finding, weight=significant(finding.weight)) for finding in merged(in_doc))
    return [tuple(sorted(in_doc, key=lambda f: (-f.weight, f.start, f.end, f.kind))) for in_doc in findings]


def _of_match(match: Match, source: str, kinds: Mapping[str, str], text: str) -> Finding:
    kind = kinds.get(match.category, OTHER)
    return Finding(
        match.start,
        match.end,
        text[match.start : match.end],
        kind,
        CAUSES[kind],
        match.message,
        source,
        WEIGHT_OF_SEVERITY[match.severity],
        match.suggestions,
        code_of(f"{LANGUAGETOOL}-{match.rule}" if source == "grammar" else match.rule),
    )


def merged(findings: Iterable[Finding]) -> list[Finding]:
    """Merge overlapping findings.

    A checker's match is more informative than a finding of the detector, and more often right, so the match is kept and
    the detector's finding in the same place only raises its weight. Two overlapping findings with the same cause are
    merged in the same way. A doubtful finding that overlaps a surer one of another cause is dropped.
    """
    distinct: list[Finding] = []
    standing: dict[int, list[int]] = {}  # indices in `distinct` by character, including the end
    for finding in sorted(findings, key=lambda f: (f.source not in CHECKERS, -f.weight, f.start, f.kind)):
        around = range(finding.start, finding.end + 1)
        for index in sorted({n for at in around for n in standing.get(at, ())}):
            other = distinct[index]
            if not touch(finding, other):
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
