"""Candidate edits of a text: what the mender's tags, the speller, the rules and the list of capitals propose.

Every candidate has signs of being right, from which `acceptance` computes a probability.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from naturalness.english.speller import odds, suggestions
from naturalness.explaining.rewriting import CLOSING, HYPHEN, Candidate, EditableText, Kind
from naturalness.explaining.tags import INSERT, KEEP, SPELL, SWAP, effect
from naturalness.models.language import shipped
from naturalness.models.mender import Mender, Tagged
from naturalness.text.matches import Match, Severity
from naturalness.text.view import is_word

BEST = 30
"""The largest number of candidates of a sentence that come from the mender's tags, the likeliest first."""
MIN_PROBABILITY = 0.005
"""The smallest probability of a tag at which it is a candidate."""
MIN_ODDS = -3.0
"""The smallest log-odds, according to the speller alone, at which a word may be misspelt."""
SPELLINGS = 4
"""The number of the speller's suggestions for a word that are candidates."""
UNLIKELY = -12.0
"""The log-probability of an edit that the mender does not propose."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A candidate edit, and the signs of its being right."""

    candidate: Candidate
    mended: float = UNLIKELY
    """Log-probability of the edit according to the mender."""
    sound: float = 0.0
    """Log-probability, according to the mender, that the words are right as they are."""
    severity: Severity | None = None
    """Severity of the rule that suggests the edit; None if no rule does."""
    rule: str = ""
    """Identifier of that rule."""
    spelling: float = 0.0
    """Share of the likelihood of a word's spellings that falls to this one, 0..1; 0 for other edits."""
    misspelt: float = -math.inf
    """Log-odds that the word is misspelt, according to the speller."""


Replacement = tuple[int, int, tuple[str, ...]]


def proposals(text: EditableText, tagged: Sequence[Tagged], mender: Mender, matches: Sequence[Match]) -> list[Proposal]:
    """Return the candidate edits of a text, each once; what several sources propose has the signs of all of them."""
    distinct: dict[Replacement, Proposal] = {}
    if not text.seen.words:
        return []
    for proposal in (
        *_of_rules(text, matches),
        *(each for part in tagged for each in _of_tags(text, part, mender)),
        *_of_capitals(text),
    ):
        candidate = proposal.candidate
        key = candidate.start, candidate.end, candidate.words
        known = distinct.get(key)
        if known:
            proposal = replace(
                proposal,
                severity=known.severity,
                rule=known.rule,
                mended=float(np.logaddexp(known.mended, proposal.mended)),
                sound=min(known.sound, proposal.sound),
                spelling=max(known.spelling, proposal.spelling),
                misspelt=max(known.misspelt, proposal.misspelt),
            )
        distinct[key] = proposal
    return list(distinct.values())


def _of_tags(text: EditableText, part: Tagged, mender: Mender) -> Iterator[Proposal]:
    """Yield the likeliest edits of a part by the mender's tags."""
    words = text.seen.lower[part.start : part.start + len(part.logs) - 1]
    keep, spell = mender.tags.index(KEEP), mender.tags.index(SPELL)
    rows, columns = np.nonzero(part.logs >= np.log(MIN_PROBABILITY))
    order = np.argsort(-part.logs[rows, columns], kind="stable")
    number = 0
    for i, tag in zip(rows[order].tolist(), columns[order].tolist(), strict=True):
        if number >= BEST:
            break
        if tag not in (keep, spell) and (candidate := _tagged(text, mender.tags[tag], words, i, part.start)):
            number += 1
            yield Proposal(candidate, float(part.logs[i, tag]), float(part.logs[i, keep]))
    for i, word in enumerate(words):
        for candidate, share in _spelled(text, part.start + i, word):
            log, sound = float(part.logs[i, spell] + np.log(share)), float(part.logs[i, keep])
            yield Proposal(candidate, log, sound, spelling=share, misspelt=odds(word))


def _tagged(text: EditableText, tag: str, words: Sequence[str], i: int, start: int) -> Candidate | None:
    """Return the edit that a tag makes at a word of a part that begins at token ``start``."""
    change = effect(tag, words, i)
    name, _, argument = tag.partition(" ")
    if change is None:
        return None
    first, last = start + change.start, start + change.end
    marks = [*change.words, *text.seen.texts[first:last]]
    kind: Kind = name if any(map(is_word, marks)) else "punctuation"  # type: ignore[assignment]  # tags are kinds
    if name == SWAP:
        return text.reordered(first, [first + 1, first]) if text.apart(first) and text.apart(first + 1) else None
    if name == INSERT:
        sentence = text.sentence(first - 1 if i == len(words) else first)
        fits = text.gap(first, *sentence, argument)
        return text.changed(kind, first, first, change.words, sentence) if fits else None
    if not all(
        text.apart(k) or text.seen.texts[k] in CLOSING or text.seen.texts[k] == HYPHEN for k in range(first, last)
    ):
        return None
    new = tuple(text.as_typed(word, first) for word in change.words)
    return text.changed(kind, first, last, new)


def _spelled(text: EditableText, i: int, word: str) -> Iterator[tuple[Candidate, float]]:
    """Yield corrections of a misspelt word, each with its share of the likelihood."""
    if not text.apart(i) or odds(word) < MIN_ODDS:
        return
    options = suggestions(word)[:SPELLINGS]
    weights = np.exp([option.likelihood - options[0].likelihood for option in options])
    for option, share in zip(options, (weights / weights.sum()).tolist(), strict=True):
        candidate = text.suggested(i, i + 1, text.as_typed(option.word, i))
        if candidate:
            yield replace(candidate, kind="spelling"), share


def _of_rules(text: EditableText, matches: Sequence[Match]) -> Iterator[Proposal]:
    """Yield the suggestions of checkers that replace whole tokens."""
    at_start = {start: i for i, start in enumerate(text.starts)}
    at_end = {end: i for i, end in enumerate(text.ends)}
    for match in matches:
        first, last = at_start.get(match.start), at_end.get(match.end)
        if first is None or last is None or last < first:
            continue
        for n, suggestion in enumerate(match.suggestions):
            candidate = text.suggested(first, last + 1, suggestion)
            if candidate is not None:
                yield Proposal(candidate, severity="hint" if n else match.severity, rule=match.rule)


def _of_capitals(text: EditableText) -> Iterator[Proposal]:
    """Yield capitals: of names that are known to have one, and of the first word of a sentence."""
    capitals = shipped.words().read.capitals
    for i, word in enumerate(text.seen.texts):
        lead = text.is_lead(i)
        typed = capitals.get(word) or (word[:1].upper() + word[1:] if lead and word.islower() else None)
        if typed and typed != word and text.apart(i):
            yield Proposal(Candidate("case", i, i + 1, (typed,), text.sentence(i), typed))
