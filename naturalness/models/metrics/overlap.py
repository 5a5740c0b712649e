"""Overlap with references, on lower-cased tokens: ROUGE-L, ROUGE-W and n-gram overlap (LR).

ROUGE-L and -W after Lin (2004), with F1 and a text as one sequence, whatever its sentences. LR2 and
LR3 after Toutanova et al. (2016), as Kann, Rothe & Filippova (2018) use them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from naturalness import __version__
from naturalness.arrays import FloatArray
from naturalness.models.metrics.base import References
from naturalness.models.metrics.references import Measure, Read, score_rows

if TYPE_CHECKING:
    from spacy.tokens import Doc

NAN = float("nan")
RUNS = 1.2
"""Power by which ROUGE-W counts the length of a run: the one that is usual with ROUGE-1.5.5."""
Tokens = Sequence[str]


def lcs_length(one: Tokens, other: Tokens) -> int:
    """Length of the longest common subsequence.

    A row of the usual table is one integer, a cleared bit for each place where the length grows
    (Hyyrö 2004): one addition per token of ``other``.
    """
    places: dict[str, int] = {}
    for i, token in enumerate(one):
        places[token] = places.get(token, 0) | 1 << i
    everything = (1 << len(one)) - 1
    row = everything
    for token in other:
        matched = row & places.get(token, 0)
        row = (row + matched | row - matched) & everything
    return len(one) - row.bit_count()


def rouge_l(candidate: Tokens, reference: Tokens) -> float:
    """F1 of the longest common subsequence, 2 L / (m + n), in [0, 1]; NaN where both are empty."""
    total = len(candidate) + len(reference)
    return 2 * lcs_length(candidate, reference) / total if total else NAN


def rouge_w(candidate: Tokens, reference: Tokens, power: float = RUNS) -> float:
    """F1 of a common subsequence in which a run of k tokens counts k ** power, in [0, 1].

    Recall and precision are brought back by the power's inverse, as in Lin's formula; the script
    ROUGE-1.5.5, by a port of it, scales them otherwise. NaN where both are empty. As in his
    algorithm a match always extends a run, which is not always the most.
    """
    if not candidate or not reference:
        return 0.0 if candidate or reference else NAN
    shared: float = _weighted_length(candidate, reference, power) ** (1 / power)
    return 2 * shared / (len(candidate) + len(reference))


def _weighted_length(one: Tokens, other: Tokens, power: float) -> float:
    """Weight of the common subsequence that Lin's table finds."""
    gains = [(k + 1) ** power - k**power for k in range(min(len(one), len(other)))]
    weights, runs = [0.0] * (len(other) + 1), [0] * (len(other) + 1)
    for token in one:
        above, weights = weights, [0.0]
        diagonal, runs = runs, [0]
        for j, match in enumerate(other):
            if token == match:
                run = diagonal[j]
                weights.append(above[j] + gains[run])
                runs.append(run + 1)
            else:
                weights.append(max(above[j + 1], weights[j]))
                runs.append(0)
    return weights[-1]


def ngrams(tokens: Tokens, n: int) -> Counter[tuple[str, ...]]:
    """How often each n-gram occurs."""
    return Counter(zip(*(tokens[i:] for i in range(n)), strict=False))


def overlap(candidate: Tokens, references: Sequence[Tokens], n: int) -> tuple[int, int, int]:
    """N-grams shared, in the candidate, and in the union of the references.

    The union is of multisets: an n-gram counts as often as in the reference that has it most.
    """
    union: Counter[tuple[str, ...]] = Counter()
    for reference in references:
        union |= ngrams(reference, n)
    own = ngrams(candidate, n)
    return (own & union).total(), own.total(), union.total()


def overlap_recall(candidate: Tokens, references: Sequence[Tokens], n: int) -> float:
    """Share of that union which the candidate has, in [0, 1]; NaN where the union is empty."""
    shared, _, wanted = overlap(candidate, references, n)
    return shared / wanted if wanted else NAN


def overlap_f(candidate: Tokens, references: Sequence[Tokens], n: int) -> float:
    """F1 of that recall and the precision, in [0, 1]; NaN where the union is empty."""
    shared, own, wanted = overlap(candidate, references, n)
    return 2 * shared / (own + wanted) if wanted else NAN


def _rouge_l_best(candidate: Read, references: Sequence[Read]) -> float:
    return max(rouge_l(candidate.tokens, reference.tokens) for reference in references)


def _rouge_w_best(candidate: Read, references: Sequence[Read]) -> float:
    return max(rouge_w(candidate.tokens, reference.tokens) for reference in references)


def _rouge_l_first(candidate: Read, references: Sequence[Read]) -> float:
    return rouge_l(candidate.tokens, references[0].tokens)


def _by_ngrams(
    formula: Callable[[Tokens, Sequence[Tokens], int], float], n: int, candidate: Read, references: Sequence[Read]
) -> float:
    return formula(candidate.tokens, [reference.tokens for reference in references], n)


@dataclass(frozen=True)
class OverlapMetric:
    """A number from the tokens of a text and of its references, computed here."""

    name: str
    measure: Measure
    settings: str | Callable[[], str]
    """Or what tells them, where an asset has to be looked up."""
    description: str
    higher_is_better: bool = True
    needs_references: bool = True
    set_dependent: bool = False
    package: str = ""

    @property
    def signature(self) -> str:
        """Name, settings and version."""
        settings = self.settings if isinstance(self.settings, str) else self.settings()
        return f"{self.name}|{settings}|case:lower|tok:naturalness|v:{__version__}"

    def score(self, docs: Sequence[Doc], references: References | None = None) -> FloatArray:
        """One number per Doc; NaN for an empty text or one without references."""
        return score_rows(docs, references, self.measure)


LIN = "0..1; Lin (2004)"
UNION = "of the union of the references' n-grams; 0..1; Toutanova et al. (2016)"
OVERLAP_METRICS = (
    OverlapMetric(
        "rouge-l",
        _rouge_l_best,
        "beta:1|refs:best",
        f"F1 of the longest common subsequence, best of the references; {LIN}",
    ),
    OverlapMetric(
        "rouge-l-single",
        _rouge_l_first,
        "beta:1|refs:first",
        f"F1 of the longest common subsequence with the first reference; {LIN}",
    ),
    OverlapMetric(
        "rouge-w",
        _rouge_w_best,
        f"weight:{RUNS}|beta:1|refs:best",
        f"rouge-l in which a run of k tokens counts k ** {RUNS}, best of the references; {LIN}",
    ),
    OverlapMetric("lr2-r", partial(_by_ngrams, overlap_recall, 2), "n:2|refs:union", f"recall of bigrams {UNION}"),
    OverlapMetric("lr2-f", partial(_by_ngrams, overlap_f, 2), "n:2|beta:1|refs:union", f"F1 of bigrams {UNION}"),
    OverlapMetric("lr3-r", partial(_by_ngrams, overlap_recall, 3), "n:3|refs:union", f"recall of trigrams {UNION}"),
    OverlapMetric("lr3-f", partial(_by_ngrams, overlap_f, 3), "n:3|beta:1|refs:union", f"F1 of trigrams {UNION}"),
)
