"""Our own checker: small rules over the parse, in families; needs nothing beyond the package.

Each token of a text meets only the rules whose anchor it may be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from naturalness.english.rules import FAMILIES
from naturalness.english.rules.pattern import COLUMNS, RELATIONS, Binding, CodeRule, Finding, Rule, Sentence, Token
from naturalness.english.rules.versions import SHIPPED, Families, checksum
from naturalness.text.matches import SEVERITIES, Checked, Match
from naturalness.text.parsing import original_span, unusable
from naturalness.text.view import View, view

if TYPE_CHECKING:
    from spacy.tokens import Doc


Columns = tuple[list[str], ...]
Check = tuple[int, frozenset[str], bool]


def columns_of(view: View) -> Columns:
    """Return the lists of a View in the order of `COLUMNS`."""
    return (view.lower, view.lemmas, view.tags, view.deps, view.pos, view.texts)


@dataclass(frozen=True, slots=True)
class Step:
    """A token of a rule, made ready for matching."""

    name: str
    candidates: Callable[[Sentence, int], Iterable[int]]
    other: str
    checks: tuple[Check, ...]
    like: Callable[[str], bool] | None

    def fits(self, columns: Columns, i: int) -> bool:
        """Return whether a token meets the conditions."""
        for column, values, wanted in self.checks:
            if (columns[column][i] in values) is not wanted:
                return False
        return self.like is None or self.like(columns[0][i])

    def is_there(self, sentence: Sentence, columns: Columns, other: int) -> bool:
        """Return whether any token that stands as it should to another meets the conditions."""
        for i in self.candidates(sentence, other):  # noqa: SIM110 (any() would set up a generator)
            if self.fits(columns, i):
                return True
        return False


def _step(token: Token) -> Step:
    checks = tuple((COLUMNS.index(c.column), c.values, c.wanted) for c in token.conditions)
    candidates = RELATIONS[token.relation or "same as"]
    return Step(token.name, candidates, token.other, checks, token.like)


@dataclass(frozen=True, slots=True)
class Ready:
    """A rule made ready for matching."""

    rule: Rule
    anchor: Step
    steps: tuple[Step, ...]
    unless: tuple[tuple[Step, ...], ...]
    mark: tuple[str, ...]

    def find(self, sentence: Sentence, columns: Columns, at: int) -> Finding | None:
        """What the rule finds with its anchor at a token: the first binding that holds."""
        if not self.anchor.fits(columns, at):
            return None
        # Most anchors lack the next token, so that is checked before anything is bound.
        if self.steps and not self.steps[0].is_there(sentence, columns, at):
            return None
        for bound in _bindings(self.steps, sentence, columns, {self.anchor.name: at}):
            if any(next(_bindings(steps, sentence, columns, bound), None) for steps in self.unless):
                continue
            if self.rule.test is None or self.rule.test(sentence, bound):
                return self._finding(sentence, bound)
        return None

    def _finding(self, sentence: Sentence, bound: Binding) -> Finding:
        tokens = [bound[name] for name in self.mark]
        suggestions = self.rule.suggest(sentence, bound) if self.rule.suggest else ()
        texts, start = sentence.view.texts, min(tokens)
        if (
            start > sentence.start
            and texts[start].lower() in LEANING
            and any(not text.startswith("'") for text in suggestions)
        ):
            # "I'm agree": what leans on a word is replaced with it.
            start -= 1
            suggestions = tuple(_leant(texts[start], text) for text in suggestions)
        shown = tuple(_cased(text, texts[start]) for text in suggestions)
        message = self.rule.message.format(
            suggestion=suggestions[0] if suggestions else "", **{name: texts[i] for name, i in bound.items()}
        )
        return Finding(start, max(tokens) + 1, message, shown)


LEANING = frozenset({"'m", "'re", "'s", "'ve", "'ll", "'d"})


def _leant(word: str, suggestion: str) -> str:
    """Return a suggestion behind the word before it: *I* and *agree*, *I* and *'m agreeing*."""
    return word + suggestion if suggestion.startswith("'") else f"{word} {suggestion}".strip()


def _cased(suggestion: str, written: str) -> str:
    """Return a suggestion with capitals where what it replaces has them."""
    if len(written) > 1 and written.isupper():
        return suggestion.upper()
    if written[:1].isupper() and suggestion[:1].islower():
        return suggestion[:1].upper() + suggestion[1:]
    return suggestion


def _bindings(
    steps: Sequence[Step], sentence: Sentence, columns: Columns, bound: dict[str, int]
) -> Iterator[dict[str, int]]:
    """Yield all ways to bind further tokens, the nearest candidates first."""
    if not steps:
        yield bound
        return
    step = steps[0]
    for i in step.candidates(sentence, bound[step.other]):
        if step.fits(columns, i):
            yield from _bindings(steps[1:], sentence, columns, {**bound, step.name: i})


def ready(rule: Rule) -> Ready:
    """Make a rule ready for matching."""
    steps = tuple(map(_step, rule.tokens))
    unless = tuple(tuple(map(_step, (group,) if isinstance(group, Token) else group)) for group in rule.unless)
    return Ready(rule, steps[0], steps[1:], unless, tuple(rule.mark.split()) or (steps[0].name,))


class Matcher:
    """Many rules, filed by the most selective condition of their anchors."""

    def __init__(self, rules: Sequence[Rule | CodeRule]) -> None:
        self._code = [(n, rule.find) for n, rule in enumerate(rules) if isinstance(rule, CodeRule)]
        self._files: list[dict[str, list[tuple[int, Ready]]]] = [{} for _ in COLUMNS]
        for n, rule in enumerate(rules):
            if isinstance(rule, Rule):
                compiled = ready(rule)
                # Conditions are sorted: the first one is wanted and the most selective.
                column, values, _ = compiled.anchor.checks[0]
                for value in values:
                    self._files[column].setdefault(value, []).append((n, compiled))

    def find(self, view: View) -> Iterator[tuple[int, Finding]]:
        """Yield all findings, with the number of the rule, in no particular order."""
        columns = columns_of(view)
        files = [(columns[c], file) for c, file in enumerate(self._files) if file]
        for start, end in view.sentences:
            sentence = Sentence(view, start, end)
            for values, file in files:
                for i in range(start, end):
                    for n, compiled in file.get(values[i], ()):
                        if finding := compiled.find(sentence, columns, i):
                            yield n, finding
            for n, find in self._code:
                for finding in find(sentence):
                    yield n, finding


class RuleChecker:
    """Checks Docs by rules of ours; what each family finds is in docs/checkers.md."""

    name: ClassVar = "rules"

    def __init__(self, families: Families = FAMILIES) -> None:
        self._rules = [(family, rule) for family, rules in families.items() for rule in rules]
        self._matcher = Matcher([rule for _, rule in self._rules])
        self.signature = f"rules:{SHIPPED if families is FAMILIES else checksum(families)}"

    def check(self, docs: Sequence[Doc]) -> list[Checked]:
        """Return the findings of each Doc: in each family, of overlapping ones the gravest."""
        return [self._check(doc) for doc in docs]

    def _check(self, doc: Doc) -> Checked:
        if problem := unusable(doc):
            return Checked((), problem)
        tokens = view(doc)
        findings = [(*self._rules[n], n, finding) for n, finding in self._matcher.find(tokens)]
        if not findings:
            return Checked(())
        matches = [self._match(doc, tokens, family, rule, finding) for family, rule, finding in _gravest(findings)]
        return Checked(tuple(sorted(matches)))

    @staticmethod
    def _match(doc: Doc, tokens: View, family: str, rule: Rule | CodeRule, finding: Finding) -> Match:
        first, last = doc[tokens.positions[finding.start]], doc[tokens.positions[finding.end - 1]]
        start, end = original_span(doc, first.idx, last.idx + len(last))
        return Match(start, end, rule.id, family, finding.message, finding.suggestions, severity=rule.severity)


def _gravest(
    findings: Iterable[tuple[str, Rule | CodeRule, int, Finding]],
) -> list[tuple[str, Rule | CodeRule, Finding]]:
    """Return, of overlapping findings of one family, the gravest; of equal ones the first, the longest."""
    order = sorted(findings, key=lambda f: (f[0], -SEVERITIES[f[1].severity], f[3].start, -f[3].end, f[2]))
    taken: dict[str, set[int]] = {}
    gravest = []
    for family, rule, _, finding in order:
        tokens = taken.setdefault(family, set())
        covered = range(finding.start, finding.end)
        if tokens.isdisjoint(covered):
            tokens.update(covered)
            gravest.append((family, rule, finding))
    return gravest
