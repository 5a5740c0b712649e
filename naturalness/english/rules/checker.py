"""The checker, which applies the rules of all families to Docs.

Rules are indexed by their anchors, so that each token of a text is compared only with rules whose anchor it may be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar

from naturalness.english.rules.pattern import (
    COLUMNS,
    Binding,
    Columns,
    Rule,
    RuleFinding,
    RuleSentence,
    Template,
    Token,
    columns_of,
)
from naturalness.english.rules.reading import rules
from naturalness.files.resources import short_checksum
from naturalness.text.matches import SEVERITIES, Match, Matches
from naturalness.text.parsing import original_span, unusable
from naturalness.text.view import Doc, View, view, word_set

IN_THE_PAST = "the time is in the past: '{suggestion}'"
"""The message of a rule whose suggestion is a past form, whatever else the rule finds."""
CLITICS = word_set("'m 're 's 've 'll 'd")


def find_at(rule: Rule, sentence: RuleSentence, columns: Columns, at: int) -> RuleFinding | None:
    """Return the finding of a rule anchored at a token, from the first binding that fits; None if there is none."""
    tokens = rule.tokens
    if not tokens[0].fits(columns, at):
        return None
    # For most anchors, the pattern's second token is missing, so it is checked before anything is bound.
    if len(tokens) > 1 and not tokens[1].is_there(sentence, columns, at):
        return None
    for bound in _bindings(tokens[1:], sentence, columns, {tokens[0].name: at}):
        if any(next(_bindings(group, sentence, columns, bound), None) for group in rule.unless):
            continue
        if (rule.test is None or rule.test(sentence, bound)) and not any(map(sentence.is_code, bound.values())):
            return _finding(rule, sentence, bound)
    return None


def _bindings(
    steps: Sequence[Token], sentence: RuleSentence, columns: Columns, bound: dict[str, int]
) -> Iterator[dict[str, int]]:
    """Yield all ways to bind the remaining tokens of a pattern, the nearest candidates first."""
    if not steps:
        yield bound
        return
    step = steps[0]
    for i in step.indices(sentence, bound):
        if step.fits(columns, i):
            yield from _bindings(steps[1:], sentence, columns, {**bound, step.name: i})


def _finding(rule: Rule, sentence: RuleSentence, bound: Binding) -> RuleFinding:
    tokens = [bound[name] for name in rule.mark or (rule.tokens[0].name,)]
    suggestions = rule.suggest(sentence, bound) if rule.suggest else ()
    texts, start = sentence.texts, min(tokens)
    if (
        start > sentence.start
        and texts[start].lower() in CLITICS
        and any(not text.startswith("'") for text in suggestions)
    ):
        # In "I'm agree" the suggestion must replace "I'm": a full word cannot follow "I" without a space.
        start -= 1
        suggestions = tuple(_attached(texts[start], text) for text in suggestions)
    written = texts[start]
    if written in ("I", "I.") and start > sentence.start:
        written = written.lower()  # its capital is that of the pronoun, not of a beginning
    shown = tuple(_cased(text, written) for text in suggestions)
    words = {"suggestion": suggestions[0] if suggestions else "", **{name: texts[i] for name, i in bound.items()}}
    is_past = isinstance(rule.suggest, Template) and rule.suggest.is_past(sentence, bound)
    return RuleFinding(start, max(tokens) + 1, shown, words, is_past)


def _attached(word: str, suggestion: str) -> str:
    """Return a suggestion joined to the word before it, with a space (*I agree*) or without (*I'm agreeing*)."""
    return word + suggestion if suggestion.startswith("'") else f"{word} {suggestion}".strip()


def _cased(suggestion: str, written: str) -> str:
    """Return a suggestion capitalised like the text that it replaces."""
    if written.isupper() and sum(map(str.isalpha, written)) > 1:
        return suggestion.upper()
    if written[:1].isupper() and suggestion[:1].islower():
        return suggestion[:1].upper() + suggestion[1:]
    return suggestion


class Matcher:
    """An index of rules by the most selective condition of their anchors."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._functions = [(n, rule.find) for n, rule in enumerate(rules) if rule.find]
        self._index: list[dict[str, list[tuple[int, Rule]]]] = [{} for _ in COLUMNS]
        for n, rule in enumerate(rules):
            if not rule.find:
                first = rule.tokens[0].conditions[0]
                for value in first.values:
                    self._index[first.column].setdefault(value, []).append((n, rule))

    def find(self, view: View) -> Iterator[tuple[int, RuleFinding]]:
        """Yield all findings, each with the index of its rule, in no particular order."""
        columns = columns_of(view)
        indices = [(columns[c], index) for c, index in enumerate(self._index) if index]
        for start, end in view.sentences:
            sentence = RuleSentence(view, start, end)
            for values, index in indices:
                for i in range(start, end):
                    for n, rule in index.get(values[i], ()):
                        if finding := find_at(rule, sentence, columns, i):
                            yield n, finding
            for n, find in self._functions:
                for finding in find(sentence):
                    if not any(map(sentence.is_code, range(finding.start, finding.end))):
                        yield n, finding


class RuleChecker:
    """Check Docs with the rules of this package; docs/checkers.md lists what each family finds."""

    name: ClassVar = "rules"

    def __init__(self, families: Mapping[str, Sequence[Rule]] | None = None) -> None:
        families = rules() if families is None else families
        self._rules = [(family, rule) for family, in_family in families.items() for rule in in_family]
        self._matcher = Matcher([rule for _, rule in self._rules])
        versions = repr([(family, rule.id, rule.version) for family, rule in self._rules])
        self.signature = f"rules:{short_checksum(versions)}"

    def check(self, docs: Sequence[Doc]) -> list[Matches]:
        """Return the matches of each Doc; of overlapping matches in a family, keep only the most severe."""
        return [self._check(doc) for doc in docs]

    def _check(self, doc: Doc) -> Matches:
        if problem := unusable(doc):
            return Matches((), problem)
        tokens = view(doc)
        findings = [(*self._rules[n], n, finding) for n, finding in self._matcher.find(tokens)]
        return Matches(tuple(sorted(_match(doc, tokens, *finding) for finding in _most_severe(findings))))


def _match(doc: Doc, tokens: View, family: str, rule: Rule, finding: RuleFinding) -> Match:
    first, last = doc[tokens.positions[finding.start]], doc[tokens.positions[finding.end - 1]]
    start, end = original_span(doc, first.idx, last.idx + len(last))
    message = (IN_THE_PAST if finding.is_past else rule.message).format_map(finding.words)
    return Match(start, end, rule.id, family, message, finding.suggestions, severity=rule.severity)


def _most_severe(findings: Iterable[tuple[str, Rule, int, RuleFinding]]) -> list[tuple[str, Rule, RuleFinding]]:
    """Remove overlaps within a family, preferring the more severe finding, then the earlier, then the longer one."""
    order = sorted(findings, key=lambda f: (f[0], -SEVERITIES[f[1].severity], f[3].start, -f[3].end, f[2]))
    taken: dict[str, set[int]] = {}
    chosen = []
    for family, rule, _, finding in order:
        tokens = taken.setdefault(family, set())
        covered = range(finding.start, finding.end)
        if tokens.isdisjoint(covered):
            tokens.update(covered)
            chosen.append((family, rule, finding))
    return chosen
