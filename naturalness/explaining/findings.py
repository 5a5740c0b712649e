"""Find what is odd in a text, by the checkers, the detector, and the parse; surest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from naturalness.english.rules import FAMILIES
from naturalness.explaining.causes import KINDS as CAUSES
from naturalness.explaining.causes import TABLES
from naturalness.explaining.codes import LANGUAGETOOL, code_of
from naturalness.explaining.explanation import Finding
from naturalness.explaining.mending import confirmed
from naturalness.explaining.rewriting import touch
from naturalness.explaining.shown import SURE
from naturalness.features import significant
from naturalness.features.grammar import GrammarFeatures, open_checker
from naturalness.models.detector import KINDS, detect
from naturalness.text.matches import Match, Severity, checked
from naturalness.text.parsing import are_english, original_span, source_of
from naturalness.text.view import Doc, View, view, word_set

MIN_DAMAGE = 0.2
"""The smallest probability of damage at which a word is marked."""
LONG_SENTENCE = 40
"""The smallest number of words at which a sentence counts as long."""

MARKS: Mapping[str, Mapping[str, Any]] = TABLES["marks"]
"""The kind, source, message and weight of findings, keyed by code."""

HALVES = word_set("ai ca wo sha")
"""Tokens of *ain't*, *can't*, *won't* and *shan't* that are shown together with the *n't* after them."""


def spanned(
    doc: Doc, seen: View, first: int, last: int, code: str, weight: float | None = None, **said: Any
) -> Finding:
    """Return a finding that covers the tokens of the view from ``first`` to ``last``, inclusive; a gap is placed before
    ``first``.

    ``weight`` is the probability that a model assigns, and ``said`` are the values that the message mentions.
    """
    if seen.lower[last] in HALVES and seen.lower[last + 1 : last + 2] == ["n't"]:
        last += 1
    first_token, last_token = doc[seen.positions[first]], doc[seen.positions[last]]
    start, end = original_span(doc, first_token.idx, last_token.idx + len(last_token))
    if MARKS[code]["kind"] == "missing":
        end = start
    return marked(source_of(doc).original, start, end, code, weight, **said)


def marked(
    text: str,
    start: int,
    end: int,
    code: str,
    weight: float | None = None,
    *,
    suggestions: tuple[str, ...] = (),
    **said: Any,
) -> Finding:
    """Return a finding in ``text[start:end]``, with the fields that `MARKS` gives its code."""
    mark = MARKS[code]
    kind, message, weight = mark["kind"], mark["message"].format(**said), mark.get("weight", weight)
    return Finding(
        start, end, text[start:end], kind, CAUSES[kind], message, mark["source"], weight, suggestions, code=code
    )


def damaged(doc: Doc) -> Iterator[Finding]:
    """Yield words that the detector judges damaged; adjacent words with the same kind of damage share a finding."""
    seen, (detected,) = view(doc), detect([doc])
    damage = dict(zip(detected.tokens, detected.damage.tolist(), strict=True))
    kinds = dict(zip(detected.tokens, detected.logs[:, 1:].argmax(axis=1).tolist(), strict=True))
    run: list[int] = []
    for i in [*range(len(seen.texts)), len(seen.texts)]:
        odd = damage.get(i, 0.0) >= MIN_DAMAGE
        if run and not (odd and kinds[i] == kinds[run[0]] and KINDS[1 + kinds[i]] != "missing"):
            # A lower bound on the probability that at least one of the words is damaged.
            weight = max(damage[k] for k in run)
            yield spanned(doc, seen, run[0], run[-1], f"suspect-{KINDS[1 + kinds[run[0]]]}", weight)
            run = []
        if odd:
            run.append(i)


def long(doc: Doc, seen: View) -> Iterator[Finding]:
    """Yield sentences with many words."""
    for (start, end), words in zip(seen.sentences, seen.sentence_words, strict=True):
        if len(words) >= LONG_SENTENCE:
            yield spanned(doc, seen, start, end - 1, "long-sentence", n=len(words))


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

    LanguageTool is used only if the model reads it, since it costs more than everything else. Rules and
    detector cover only English; in other languages only the parse is examined.
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
        in_doc += long(doc, view(doc))
        in_doc[:] = (replace(finding, weight=significant(finding.weight)) for finding in merge_findings(in_doc))
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


def merge_findings(findings: Iterable[Finding]) -> list[Finding]:
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
