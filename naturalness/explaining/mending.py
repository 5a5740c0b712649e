"""Mend texts: choose, among the candidate edits, those that an editor would accept.

A repair has the edits with the highest probabilities that do not touch each other. The repaired text is read once more,
since an error makes the edits of its neighbours less likely; `check --fix`, which makes only sure changes, reads a text
once. What is proposed for a text depends neither on the model that scores it nor on other texts.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.explaining.acceptance import Edits, weigh
from naturalness.explaining.candidates import Proposal, proposals
from naturalness.explaining.causes import fault_of
from naturalness.explaining.reasons import reason
from naturalness.explaining.rewriting import Change, EditableText, Kind, replaced, touch
from naturalness.features.rules import rule_checker
from naturalness.models.detector import share_readings
from naturalness.models.mender import mender
from naturalness.text.matches import Match, checked
from naturalness.text.parsing import parse, source_of, unusable
from naturalness.text.view import Doc, stored_beside

MIN_MENDED = math.log(0.04)
"""The smallest log-probability by the mender at which an edit is tried, unless a rule or the speller proposes it."""
TRIED = 8
"""The largest number of edits of a sentence by the mender that are tried."""
SHOWN = 0.2
"""The smallest probability at which an edit is shown."""
ACCEPTED = 0.35
"""The smallest probability at which an edit is part of a repair."""
MARK: Kind = "punctuation"
ALTERNATIVE = ("replace", "inflect")
"""Kinds of edits of a word and of the next, of which one is made: *it was* or *they were* for *they was*."""
PRONOUN, AGREEMENT = "pronoun", "agreement"
"""Faults of a word and the next, of which the second is mended: *they were*, not *it was*, for *they was*."""
CONTRADICTED = 0.02
"""A rule is silent if each of its suggestions for a place has a lower probability."""
LIMITS = {"MISSPELT_WORD": 0.3, "": 1.0}
"""Other limits: of a rule that knows no context, and of edits that no rule suggests, which never reach it."""


@dataclass(frozen=True, slots=True)
class Correction:
    """An edit of a text, with the probability that an editor would accept it."""

    start: int
    end: int
    """The end of the replaced span; ``start`` and ``end`` are character offsets in the original text."""
    after: str
    probability: float
    kind: Kind
    fault: str
    """The kind of error that the edit mends, one of `causes.KINDS`."""
    reason: str = ""
    rule: str = ""
    """Identifier of the rule that suggests the edit."""

    @property
    def change(self) -> Change:
        """The span and its replacement."""
        return self.start, self.end, self.after


Attempt = tuple[Proposal, Correction]


def mend(docs: Sequence[Doc], *, least: float = ACCEPTED) -> list[tuple[Correction, ...]]:
    """Return the likeliest edits of each Doc that do not touch each other, in the order of the text.

    ``least`` is the smallest probability of an edit.
    """
    return [choose(tried, least) for tried in attempts(docs, least=least)]


def read_again(docs: Sequence[Doc], several: Sequence[tuple[Correction, ...]]) -> list[tuple[Correction, ...]]:
    """Return the edits of each Doc, and those that are likely once these are made, in the order of the text."""
    changed = [(doc, steps) for doc, steps in zip(docs, several, strict=True) if steps]
    texts = [replaced(source_of(doc).original, [edit.change for edit in steps]) for doc, steps in changed]
    repaired = parse(texts)
    for (doc, _), variant in zip(changed, repaired, strict=True):
        share_readings([variant], doc)
    more = iter(mend(repaired))
    pairs = zip(docs, several, strict=True)
    return [composed(source_of(doc).original, steps, next(more)) if steps else steps for doc, steps in pairs]


def composed(text: str, steps: Sequence[Correction], more: Sequence[Correction]) -> tuple[Correction, ...]:
    """Return edits of a text that lead to the same as ``steps``, then ``more``, whose places are those after ``steps``.

    Edits that touch become one, as likely as the least likely of them, with the reason of the first; those that undo
    each other are left out.
    """
    repaired = replaced(text, [edit.change for edit in steps])
    spans, shift = [(edit.start, edit.end, 1, edit) for edit in more], 0
    for edit in steps:
        spans.append((edit.start + shift, edit.start + shift + len(edit.after), 0, edit))
        shift += len(edit.after) - (edit.end - edit.start)
    joined, shift = list[Correction](), 0
    for group in _touching(sorted(spans, key=lambda span: span[:3])):
        first, second = ([edit for *_, turn, edit in group if turn == n] for n in (0, 1))
        low, high = group[0][0], max(end for _, end, *_ in group)
        grown = sum(len(edit.after) - (edit.end - edit.start) for edit in first)
        start, end = low - shift, high - shift - grown
        shift += grown
        if not second:
            joined += first
            continue
        after = replaced(repaired[low:high], [(edit.start - low, edit.end - low, edit.after) for edit in second])
        if after != text[start:end]:
            p = min(edit.probability for edit in (*first, *second))
            joined.append(replace((first or second)[0], start=start, end=end, after=after, probability=p))
    return tuple(joined)


Span = tuple[int, int, int, Correction]


def _touching(spans: Iterable[Span]) -> Iterator[list[Span]]:
    """Yield groups of sorted spans that overlap, or of which an empty one touches another."""
    group: list[Span] = []
    low = high = 0
    for span in spans:
        start, end, *_ = span
        if group and not (start < high or (start == high and (start == end or low == high))):
            yield group
            group = []
        low, high = (low, max(high, end)) if group else (start, end)
        group.append(span)
    if group:
        yield group


def choose(tried: Iterable[Attempt], least: float = ACCEPTED) -> tuple[Correction, ...]:
    """Return the likeliest edits that do not touch each other, in the order of the text."""
    likely = [(proposal, correction) for proposal, correction in tried if correction.probability >= least]
    agreeing = {proposal.candidate.start for proposal, correction in likely if correction.fault == AGREEMENT}
    chosen: list[Attempt] = []
    for proposal, correction in likely:
        superseded = correction.fault == PRONOUN and proposal.candidate.end in agreeing
        if not superseded and not any(_exclude(proposal, other) for other, _ in chosen):
            chosen.append((proposal, correction))
    return tuple(sorted((correction for _, correction in chosen), key=lambda edit: edit.start))


def _exclude(first: Proposal, second: Proposal) -> bool:
    """Return whether two edits touch or exclude each other; a mark may be put beside an edited word."""
    a, b = sorted((first.candidate, second.candidate), key=lambda candidate: candidate.start)
    if (a.kind == MARK) != (b.kind == MARK):
        return a.start < b.end and b.start < a.end
    return touch(a, b) or (a.end == b.start and (a.kind, b.kind) == ALTERNATIVE)


def attempts(docs: Sequence[Doc], *, least: float = SHOWN) -> list[list[Attempt]]:
    """Return the edits of each Doc that have the ``least`` probability, the likeliest first, and some others.

    The others are of the same words, or suggested by a rule. The results are stored beside the Doc.
    """

    def read(new: Sequence[Doc]) -> Iterable[list[Attempt]]:
        return _tried(_edits(new), lambda proposal: least)

    return stored_beside(docs, f"naturalness.attempts.{least}", read)


def _edits(docs: Sequence[Doc]) -> list[Edits | None]:
    """Return the edits of each Doc that are worth trying, stored beside the Doc; None if there are none."""

    def propose(new: Sequence[Doc]) -> Iterator[Edits | None]:
        for doc, parts, result in zip(new, mender().read(new), checked(rule_checker(), new), strict=True):
            text = None if unusable(doc) else EditableText(doc)
            worth = worth_trying(proposals(text, parts, mender(), result.matches)) if text else []
            yield Edits(text, worth) if text and worth else None

    return stored_beside(docs, "naturalness.edits", propose)


def confirmed(docs: Sequence[Doc]) -> list[list[Match]]:
    """Return the matches of this package's rules in each Doc, without those that the networks contradict."""
    results = checked(rule_checker(), docs)
    doubtful = [doc for doc, result in zip(docs, results, strict=True) if any(m.suggestions for m in result.matches)]
    limited = _tried(_edits(doubtful), lambda proposal: _limit(proposal.rule), exact=False)
    tried = dict(zip(map(id, doubtful), limited, strict=True))
    return [
        [match for match in result.matches if not _contradicted(match, tried.get(id(doc), ()))]
        for doc, result in zip(docs, results, strict=True)
    ]


def _limit(rule: str) -> float:
    """Return the smallest probability at which a suggestion confirms a rule; no edit of another origin reaches it."""
    return LIMITS.get(rule, CONTRADICTED)


def _contradicted(match: Match, tried: Iterable[Attempt]) -> bool:
    """Return whether each suggestion of a match is unlikely to be accepted."""
    of_match = [c.probability for p, c in tried if p.rule == match.rule and touch(c, match)]
    return bool(of_match) and max(of_match) < _limit(match.rule)


def _tried(
    several: Sequence[Edits | None], least: Callable[[Proposal], float], *, exact: bool = True
) -> Iterator[list[Attempt]]:
    some = [edits for edits in several if edits]
    limits = [np.array([*map(least, edits.proposed)]) for edits in some]
    weighed = iter(zip(limits, weigh(some, limits, exact=exact), strict=True))
    for edits in several:
        yield corrections(edits, *next(weighed)) if edits else []


def worth_trying(proposed: Iterable[Proposal]) -> list[Proposal]:
    """Return the proposals that are worth reading: those of rules and the speller, and the likeliest by the mender."""
    counts: Counter[tuple[int, int]] = Counter()
    worth = []
    for proposal in sorted(proposed, key=lambda p: -p.mended):
        sentence = proposal.candidate.sentence
        sure = proposal.severity or proposal.spelling or proposal.candidate.kind == "case"
        counts[sentence] += 1
        if sure or (proposal.mended >= MIN_MENDED and counts[sentence] <= TRIED):
            worth.append(proposal)
    return worth


def corrections(edits: Edits, limits: FloatArray, p: FloatArray) -> list[Attempt]:
    """Return the edits that reach their limits, and others of the same words, the likeliest first.

    Those that leave the text as it is, or make the same text as one before them, are left out. What a rule suggests is
    never left out; it has the probability 0 if neither it nor an edit of the same words reaches its limit.
    """
    text = edits.text
    tried: list[Attempt] = []
    seen = {" ".join(text.original.split())}
    exact = edits.same_words(p >= limits)
    for n, (proposal, probability) in enumerate(zip(edits.proposed, p.tolist(), strict=True)):
        candidate = proposal.candidate
        start, end, before, after, new = text.rewrite(candidate)
        plain = " ".join(new.split())
        if plain in seen:
            continue
        seen.add(plain)
        if exact[n] or proposal.rule:
            kind, span = candidate.kind, (candidate.start, candidate.end)
            probability = probability if exact[n] else 0.0
            why = reason(text, *span, candidate.words, kind) if probability >= SHOWN else ""
            fault = fault_of(kind, before, after)
            edit = Correction(start, end, after, probability, kind, fault, why, rule=proposal.rule)
            tried.append((proposal, edit))
    return sorted(tried, key=lambda attempt: -attempt[1].probability)
