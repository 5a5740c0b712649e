"""Propose the small edits that raise the score of a text most."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.explaining.candidates import candidates, drops_content, suggested
from naturalness.explaining.explanation import Edit
from naturalness.explaining.findings import touch
from naturalness.explaining.ranking import (
    by_counts,
    by_networks,
    changes_in,
    score_by_change,
    score_by_counts,
    score_by_networks,
)
from naturalness.explaining.rewriting import Candidate, Rewritten, Text
from naturalness.features.base import needs_parse
from naturalness.features.grammar import GrammarFeatures, open_checker
from naturalness.features.rules import rule_checker
from naturalness.judging.judgement import Judgement, judge_docs
from naturalness.judging.opened import OpenedModel
from naturalness.models.detector import share_readings
from naturalness.models.marks import marks
from naturalness.text.matches import Checker, Match, checked
from naturalness.text.parsing import read_docs, unusable

if TYPE_CHECKING:
    from spacy.tokens import Doc


COUNTED_BEST = 12
"""The number of candidates that the networks read: those with the highest scores by n-gram counts."""
READ_WORDS = 1000
"""The largest number of words that the networks read in total; it limits the number of candidates in very long
sentences.
"""
READ_BEST = 10
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
"""The smallest gain at which an edit is shown, unless a rule suggests it."""
GAIN_STEP = 0.01
"""Gains that round to the same multiple of this step count as equal; the likelier edit is then listed first."""


class Tried(NamedTuple):
    """An edit that the model scores."""

    rewritten: Rewritten
    likelihood: float
    """The likelihood that the edit is a repair, according to the networks."""
    by_rule: bool = False
    """Whether a checker that is sure of an error suggests the edit."""
    drops_content: bool = False
    prior: float = 0.0
    """The part of the likelihood that does not depend on other edits of the text."""
    score: float = math.nan


def try_edits(judgement: Judgement) -> list[list[Tried]]:
    """Return the edits of each text that are worth showing or combining, with scores that ignore registers."""
    model, docs = judgement.model, judgement.docs
    tried = []
    for doc, matches in zip(docs, matches_of(docs, model.saved.description.groups), strict=True):
        attempts = [] if unusable(doc) else _try(doc, matches)
        variants = read_variants(model, doc, [attempt.rewritten.text for attempt in attempts])
        scores = judge_docs(model, variants).overall if variants else []
        # An edit may leave a text that is not English prose, which has no score.
        pairs = [*zip(attempts, scores, strict=True)]
        tried.append([attempt._replace(score=score) for attempt, score in pairs if not math.isnan(score)])
    return tried


def read_variants(model: OpenedModel, doc: Doc, texts: Sequence[str]) -> list[Doc]:
    """Return the Docs of several variants of a text."""
    # `score` is not used here: it would remove words from the vocabulary that the caller's Docs still need.
    variants = read_docs(texts, nlp=model.nlp, parsed=any(map(needs_parse, model.groups)))
    share_readings(variants, doc)
    return variants


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
    read = by_networks(text, few, counted[chosen])
    worth = score_by_networks(read)
    prior = worth - score_by_change(changes_in(read))
    order = np.argsort(-worth, kind="stable")
    sure = set(suggested(text, [replace(m, suggestions=m.suggestions[:1]) for m in matches if m.severity != "hint"]))
    return _different(text, [few[i] for i in order], worth[order], prior[order], sure)


def _different(
    text: Text, ordered: Sequence[Candidate], worth: FloatArray, prior: FloatArray, sure: set[Candidate]
) -> list[Tried]:
    """Return the likeliest edits and those that a checker is sure of, without edits that lead to the same text."""
    seen = {" ".join(text.original.split())}
    different: list[tuple[Candidate, Tried]] = []
    for candidate, value, alone in zip(ordered, worth.tolist(), prior.tolist(), strict=True):
        by_rule = candidate in sure
        if not by_rule and (value < MIN_LIKELIHOOD or len(different) >= READ_BEST):
            continue
        rewritten = text.rewrite(candidate)
        plain = " ".join(rewritten.text.split())
        best = max((attempt.likelihood for c, attempt in different if touch(c, candidate)), default=value)
        if plain not in seen and (by_rule or value >= best - MAX_BEHIND):
            seen.add(plain)
            different.append((candidate, Tried(rewritten, value, by_rule, drops_content(text, candidate), alone)))
    return [attempt for _, attempt in different]


def rank(tried: Sequence[Tried], value: float, most: int) -> tuple[Edit, ...]:
    """Return the ``most`` edits with the largest gains, then the edits that rules suggest, whatever their gains.

    Of nearly equal gains, the likelier edit comes first.
    """
    edits = [
        (attempt, Edit(*attempt.rewritten[:4], round(attempt.score - value, 6), attempt.score, attempt.rewritten.text))
        for attempt in tried
        if attempt.by_rule or attempt.score - value >= MIN_GAIN
    ]
    edits.sort(key=lambda pair: (-round(pair[1].gain / GAIN_STEP), -pair[0].likelihood, pair[1].start))
    gaining = [edit for _, edit in edits if edit.gain >= MIN_GAIN][:most]
    return (*gaining, *(edit for attempt, edit in edits if attempt.by_rule and edit not in gaining))
