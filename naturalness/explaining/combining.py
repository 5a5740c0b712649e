"""Combine edits of a text into the repair that raises its score most: a beam search in which texts are scored together.

Every round adds one edit to the best combinations so far. The edits are those that were tried alone; only the
combinations are read again, since edits in one sentence change each other's effects.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from naturalness.explaining.edits import Tried, rank, read_variants, try_edits
from naturalness.explaining.explanation import Edit, Repair
from naturalness.explaining.ranking import read_networks, score_by_change
from naturalness.explaining.rewriting import replaced
from naturalness.judging.judgement import Judgement, judge_docs
from naturalness.judging.opened import OpenedModel
from naturalness.text.parsing import source_of

if TYPE_CHECKING:
    from spacy.tokens import Doc

BEAM = 3
"""The number of combinations to which another edit is added."""
EXTENSIONS = 6
"""The number of combinations of a text that are scored in a round: those whose edits are worth most alone."""
MAX_EDITS = 4
"""The largest number of edits in a repair."""
LIKELIHOOD = 0.6
"""The weight of a likelihood beside the log-odds of a score."""
MIN_LIKELIHOOD = 1.0
"""The smallest amount by which each edit must raise the likelihood of a repair."""
MIN_GAIN = 0.02
"""The smallest amount by which each edit must raise the score of a repair."""
EPSILON = 1e-6
"""A smoothing constant added to scores before taking logarithms."""


@dataclass(frozen=True, slots=True)
class Combination:
    """Edits of a text in the order in which they were added."""

    edits: tuple[Tried, ...]
    scores: tuple[float, ...]
    """The score of the text without edits, and the score after each."""
    likelihood: float
    """The likelihood that the combination is a repair, according to the networks."""

    @property
    def worth(self) -> float:
        """The log-odds of the score, plus the weighted likelihood."""
        return log_odds(self.scores[-1]) + LIKELIHOOD * self.likelihood

    def text(self, original: str) -> str:
        """Return the original text with the edits."""
        return replaced(original, ((e.rewritten.start, e.rewritten.end, e.rewritten.after) for e in self.edits))

    def plus(self, edit: Tried) -> Combination:
        """Return the combination with one more edit, with the score and likelihood of edits that do not interact."""
        moved = log_odds(self.scores[-1]) + log_odds(edit.score) - log_odds(self.scores[0])
        score = 1 / (1 + math.exp(-moved)) if self.edits else edit.score
        return Combination((*self.edits, edit), (*self.scores, score), self.likelihood + edit.likelihood)

    def improves(self, before: Combination) -> bool:
        """Return whether the last edit raises score and likelihood enough."""
        gain = self.scores[-1] - before.scores[-1]
        return gain >= MIN_GAIN and self.likelihood - before.likelihood >= MIN_LIKELIHOOD


def log_odds(score: float) -> float:
    """Return the log-odds of a score."""
    return math.log((score + EPSILON) / (1 - score + EPSILON))


def propose(judgement: Judgement, *, most: int = 3) -> Iterator[tuple[tuple[Edit, ...], Repair | None]]:
    """Yield the best ``most`` edits of each text and their best combination; scores ignore registers.

    If there is a combination, edits that score better are left out: they drop content, or are less likely repairs.
    """
    for doc, edits, value in zip(judgement.docs, try_edits(judgement), judgement.overall, strict=True):
        repair = _search(judgement.model, doc, edits, value)
        shown = [edit for edit in edits if repair is None or edit.score <= repair.naturalness]
        yield rank(shown, value, most), repair


def _search(model: OpenedModel, doc: Doc, tried: Sequence[Tried], value: float) -> Repair | None:
    """Return the best combination of edits that drop no content; None if no edit gains noticeably."""
    edits = [edit for edit in tried if not edit.drops_content]
    best = nothing = Combination((), (value,), 0.0)
    beam = _best((nothing.plus(edit), nothing) for edit in edits)
    while beam:
        best = max([best, *beam], key=lambda combination: combination.worth)
        beam = _best(_scored(model, doc, _extended(beam, edits)))
    return _repair(source_of(doc).original, best) if best.edits else None


Pair = tuple[Combination, Combination]
"""A combination, and the combination without its last edit."""


def _best(pairs: Iterable[Pair]) -> list[Combination]:
    return sorted((new for new, old in pairs if new.improves(old)), key=lambda new: -new.worth)[:BEAM]


def _extended(beam: Sequence[Combination], edits: Sequence[Tried]) -> list[Pair]:
    """Return the most promising combinations with one more edit."""
    distinct: dict[frozenset[Tried], Pair] = {}
    for old in beam:
        for edit in edits if len(old.edits) < MAX_EDITS else ():
            if not any(_overlap(edit, other) for other in old.edits):
                distinct.setdefault(frozenset((*old.edits, edit)), (old.plus(edit), old))
    return sorted(distinct.values(), key=lambda pair: -pair[0].worth)[:EXTENSIONS]


def _overlap(first: Tried, second: Tried) -> bool:
    """Return whether the spans of two edits overlap, or two insertions are at the same place."""
    (start, end), (other, other_end) = first.rewritten[:2], second.rewritten[:2]
    return (start < other_end and other < end) or start == end == other == other_end


def _scored(model: OpenedModel, doc: Doc, pairs: Sequence[Pair]) -> Iterator[Pair]:
    """Yield combinations with the scores and likelihoods of their texts."""
    if not pairs:
        return
    variants = read_variants(model, doc, [new.text(source_of(doc).original) for new, _ in pairs])
    likelihoods = score_by_change(read_networks(variants) - read_networks([doc])).tolist()
    for (new, old), score, likelihood in zip(pairs, judge_docs(model, variants).overall, likelihoods, strict=True):
        total = likelihood + sum(edit.prior for edit in new.edits)
        yield Combination(new.edits, (*old.scores, score), total), old


def _repair(original: str, best: Combination) -> Repair:
    steps = [
        Edit(*edit.rewritten[:4], round(score - before, 6), score, replace(best, edits=best.edits[:n]).text(original))
        for n, (edit, before, score) in enumerate(zip(best.edits, best.scores, best.scores[1:], strict=False), 1)
    ]
    return Repair(steps[-1].text, best.scores[-1], round(best.scores[-1] - best.scores[0], 6), tuple(steps))
