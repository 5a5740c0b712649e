"""Propose the one to three small edits that raise the score of a text most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.explaining.candidates import candidates
from naturalness.explaining.explanation import Edit
from naturalness.explaining.ranking import by_counts, by_networks, score_by_counts, score_by_networks
from naturalness.explaining.rewriting import Candidate, Rewritten, Text
from naturalness.features.base import needs_parse
from naturalness.features.columns import numbered
from naturalness.features.grammar import GrammarFeatures, open_checker
from naturalness.features.rules import rule_checker
from naturalness.judging.judgement import Judgement, judge_docs
from naturalness.models.marks import marks
from naturalness.text.matches import Checker, Match, checked
from naturalness.text.parsing import read_docs, source_of, unusable

if TYPE_CHECKING:
    from spacy.tokens import Doc


COUNTED_BEST = 25
"""The number of candidates that the networks read: those with the highest scores by n-gram counts."""
READ_WORDS = 1500
"""The largest number of words that the networks read in total; it limits the number of candidates in very long
sentences.
"""
READ_BEST = 8
"""The largest number of edits that the model scores: those that the networks rank highest."""
MAX_BEHIND = 2.0
"""The largest amount by which an edit may be less likely than the best edit in the same place. The limit is needed
because the model, unlike the networks, also favours words that improve its features but repair nothing.
"""
MIN_LIKELIHOOD = -1.0
"""The smallest likelihood at which an edit is tried. At this value, about half of the sentences without errors have
no edits, and very few repairs are lost (benchmarks/results/edits.md).
"""
MIN_GAIN = 0.005
"""The smallest gain at which an edit is shown."""
GAIN_STEP = 0.01
"""Gains that round to the same multiple of this step count as equal; the likelier edit is then listed first."""


class Tried(NamedTuple):
    """An edit that the model is to score."""

    rewritten: Rewritten
    likelihood: float
    """The likelihood that the edit is a repair, according to the networks."""


def propose_edits(judgement: Judgement, *, most: int = 3) -> list[tuple[Edit, ...]]:
    """Return the edits that raise the score of each text most, the best first; scores ignore registers."""
    model, docs = judgement.model, judgement.docs
    tried = [
        [] if unusable(doc) else _try(doc, matches)
        for doc, matches in zip(docs, matches_of(docs, model.saved.description.groups), strict=True)
    ]
    changed = [
        numbered(attempt.rewritten.text, like=source_of(doc).original)
        for doc, attempts in zip(docs, tried, strict=True)
        for attempt in attempts
    ]
    # `score` is not used here: it would remove words from the vocabulary that the caller's Docs still need.
    read = read_docs(changed, nlp=model.nlp, parsed=any(map(needs_parse, model.groups)))
    scores = iter(judge_docs(model, read).overall)
    return [
        rank(attempts, [next(scores) for _ in attempts], value)[:most]
        for attempts, value in zip(tried, judgement.overall, strict=True)
    ]


def matches_of(docs: Sequence[Doc], groups: Sequence[str]) -> list[list[Match]]:
    """Return the matches of checkers in each Doc: this package's rules and, if the model reads it, LanguageTool."""
    checkers: list[Checker] = [rule_checker()]
    if GrammarFeatures.name in groups:
        checkers.append(open_checker())
    results = [checked(checker, docs) for checker in checkers]
    return [[match for result in each for match in result.matches] for each in zip(*results, strict=True)]


def _try(doc: Doc, matches: Sequence[Match]) -> list[Tried]:
    """Return the edits of a Doc that are worth scoring, the likeliest first."""
    text = Text(doc)
    options = candidates(text, marks([doc])[0], matches)
    if not options:
        return []
    counted = score_by_counts(by_counts(text, options))
    chosen = np.argsort(-counted, kind="stable")[:COUNTED_BEST]
    lengths = np.cumsum([last - first for first, last in (options[i].sentence for i in chosen)])
    chosen = chosen[: max(1, int(np.searchsorted(lengths, READ_WORDS, side="right")))]
    few = [options[i] for i in chosen]
    worth = score_by_networks(by_networks(text, few, counted[chosen]))
    order = np.argsort(-worth, kind="stable")
    return _different(text, [few[i] for i in order], worth[order])


def _different(text: Text, ordered: Sequence[Candidate], worth: FloatArray) -> list[Tried]:
    """Return the likeliest edits that lead to distinct texts."""
    seen = {" ".join(text.original.split())}
    different: list[tuple[Candidate, Tried]] = []
    for candidate, value in zip(ordered, worth.tolist(), strict=True):
        if value < MIN_LIKELIHOOD or len(different) == READ_BEST:
            break
        rewritten = text.rewrite(candidate)
        plain = " ".join(rewritten.text.split())
        best = max((attempt.likelihood for c, attempt in different if _touch(c, candidate)), default=value)
        if plain not in seen and value >= best - MAX_BEHIND:
            seen.add(plain)
            different.append((candidate, Tried(rewritten, value)))
    return [attempt for _, attempt in different]


def _touch(first: Candidate, second: Candidate) -> bool:
    """Return whether two edits overlap or touch."""
    return first.start <= second.end and second.start <= first.end


def rank(tried: Sequence[Tried], scores: Sequence[float], value: float) -> tuple[Edit, ...]:
    """Return the edits with a sufficient gain, the largest gain first; of nearly equal gains, the likelier edit
    comes first.
    """
    edits = [
        (attempt.likelihood, Edit(*attempt.rewritten[:4], round(score - value, 6), score, attempt.rewritten.text))
        for attempt, score in zip(tried, scores, strict=True)
        if score - value >= MIN_GAIN
    ]
    edits.sort(key=lambda pair: (-round(pair[1].gain / GAIN_STEP), -pair[0], pair[1].start))
    return tuple(edit for _, edit in edits)
