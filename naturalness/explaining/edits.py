"""What to change: the one to three small edits that raise the score of a text most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.explaining.candidates import candidates
from naturalness.explaining.explanation import Edit
from naturalness.explaining.ranking import by_counts, by_networks, likelier, likely
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
"""Candidates that the networks read, of all."""
READ_WORDS = 1500
"""Words of all that the networks read: fewer candidates of sentences that are very long."""
READ_BEST = 8
"""Candidates that the classifier scores at most, of those."""
BEHIND = 2.0
"""By how much less likely than the likeliest in its place an edit may be: the classifier is fooled
more easily than the networks, and likes words for what they do to its features."""
LIKELY = -1.0
"""Likelihood from which an edit is tried: about half of the sentences in which nothing is wrong
then have none, and hardly a repair is lost (benchmarks/results/edits.md)."""
MIN_GAIN = 0.005
"""Gain from which an edit is shown."""
NEAR = 0.01
"""Gains that are the same in this many steps are as good as equal: the likelier edit goes first."""


class Tried(NamedTuple):
    """An edit that the classifier is asked about."""

    rewritten: Rewritten
    likelihood: float
    """What the networks think of it; the higher, the likelier."""


def propose_edits(judgement: Judgement, *, most: int = 3) -> list[tuple[Edit, ...]]:
    """Return the edits of each text that raise its score most, the best first, without regard to registers."""
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
    # Read here and not by `score`, which would forget words that the caller's Docs still need.
    read = read_docs(changed, nlp=model.nlp, parsed=any(map(needs_parse, model.groups)))
    scores = iter(judge_docs(model, read).overall)
    return [
        rank(attempts, [next(scores) for _ in attempts], value)[:most]
        for attempts, value in zip(tried, judgement.overall, strict=True)
    ]


def matches_of(docs: Sequence[Doc], groups: Sequence[str]) -> list[list[Match]]:
    """What checkers find in each Doc: our rules, and LanguageTool where the model reads it."""
    checkers: list[Checker] = [rule_checker()]
    if GrammarFeatures.name in groups:
        checkers.append(open_checker())
    results = [checked(checker, docs) for checker in checkers]
    return [[match for result in each for match in result.matches] for each in zip(*results, strict=True)]


def _try(doc: Doc, matches: Sequence[Match]) -> list[Tried]:
    """The edits of a Doc that are worth the classifier's time, the likeliest first."""
    text = Text(doc)
    options = candidates(text, marks([doc])[0], matches)
    if not options:
        return []
    counted = likely(by_counts(text, options))
    chosen = np.argsort(-counted, kind="stable")[:COUNTED_BEST]
    lengths = np.cumsum([last - first for first, last in (options[i].sentence for i in chosen)])
    chosen = chosen[: max(1, int(np.searchsorted(lengths, READ_WORDS, side="right")))]
    few = [options[i] for i in chosen]
    worth = likelier(by_networks(text, few, counted[chosen]))
    order = np.argsort(-worth, kind="stable")
    return _different(text, [few[i] for i in order], worth[order])


def _different(text: Text, ordered: Sequence[Candidate], worth: FloatArray) -> list[Tried]:
    """The first of those that make different texts, as long as they are likely."""
    seen = {" ".join(text.original.split())}
    different: list[tuple[Candidate, Tried]] = []
    for candidate, value in zip(ordered, worth.tolist(), strict=True):
        if value < LIKELY or len(different) == READ_BEST:
            break
        rewritten = text.rewrite(candidate)
        plain = " ".join(rewritten.text.split())
        best = max((attempt.likelihood for c, attempt in different if _touch(c, candidate)), default=value)
        if plain not in seen and value >= best - BEHIND:
            seen.add(plain)
            different.append((candidate, Tried(rewritten, value)))
    return [attempt for _, attempt in different]


def _touch(first: Candidate, second: Candidate) -> bool:
    """Whether two edits are in one place."""
    return first.start <= second.end and second.start <= first.end


def rank(tried: Sequence[Tried], scores: Sequence[float], value: float) -> tuple[Edit, ...]:
    """Edits by their gain; of near ties the likelier first."""
    edits = [
        (attempt.likelihood, Edit(*attempt.rewritten[:4], round(score - value, 6), score, attempt.rewritten.text))
        for attempt, score in zip(tried, scores, strict=True)
        if score - value >= MIN_GAIN
    ]
    edits.sort(key=lambda pair: (-round(pair[1].gain / NEAR), -pair[0], pair[1].start))
    return tuple(edit for _, edit in edits)
