"""The share of pairs of texts in which scores and people prefer the same text, with intervals and tests.

A pair counts as 1 if the preferred text has the higher score, and as 1/2 for a tie. Pairs that share a source or a text
are not independent. Intervals are therefore Wilson's (1927) for the effective number of pairs given the variance
between sources (Korn & Graubard 1998), and two metrics are compared by the exact sign test over sources. If each pair
has its own source, this test equals McNemar's (1947).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from naturalness import __version__
from naturalness.arrays import FloatArray, IntArray
from naturalness.models.learners.differences import within, won
from naturalness.pipelines.summary import rounded
from naturalness.reports.metrics.scoring import LeftOut, Scored
from naturalness.statistics.measures import effective, wilson
from naturalness.statistics.significance import ALPHA, Test, as_good_as_best, beaten_by, ranked, with_holm

if TYPE_CHECKING:
    from naturalness.pipelines.learning import Rated


@dataclass(frozen=True, slots=True)
class Share:
    """The share of correctly ordered pairs, 0..1, with its 95 % interval; NaN without pairs."""

    value: float
    low: float
    high: float
    pairs: int
    sources: int
    """The number of groups of pairs that share a source or a text."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of texts; each field has one entry per pair."""

    rows: IntArray
    """The indices of the preferred text and of the other text, (n, 2)."""
    groups: IntArray
    phenomena: tuple[str, ...] = ()
    """The phenomenon that each pair illustrates; empty if unknown."""

    def __len__(self) -> int:
        return len(self.rows)


def pairs_of(data: Rated) -> Pairs:
    """Return the pairs of texts in a rated table."""
    assert data.pairs is not None
    return Pairs(data.pairs, data.groups[data.pairs[:, 0]], data.phenomena)


def share_of(outcomes: FloatArray, groups: IntArray) -> Share:
    """Return the share of correctly ordered pairs, given their outcomes as computed by `won`; NaN outcomes are
    ignored.
    """
    known = ~np.isnan(outcomes)
    values, sources = outcomes[known], groups[known]
    n = len(values)
    if not n:
        return Share(math.nan, math.nan, math.nan, 0, 0)
    weight = effective(values, sources)
    low, high = wilson(float(values.mean()) * weight, weight)
    return Share(float(values.mean()), low, high, n, len(np.unique(sources)))


def by_phenomenon(outcomes: FloatArray, pairs: Pairs) -> dict[str, Share]:
    """Return the share of correctly ordered pairs for each phenomenon, sorted from the highest share to the lowest."""
    names = np.array(pairs.phenomena, dtype=object)
    shares = {
        name or "(none)": share_of(outcomes[names == name], pairs.groups[names == name])
        for name in dict.fromkeys(pairs.phenomena)
    }
    return {name: shares[name] for name in ranked({name: share.value for name, share in shares.items()})}


@dataclass(frozen=True, slots=True)
class Duel:
    """A comparison of two metrics on the pairs for which both have an outcome."""

    first: str
    second: str
    n: int
    difference: float
    """The share of the first metric minus the share of the second."""
    test: Test
    """The sign test over sources. Its statistic is the number of sources that favour the first metric minus the
    number of sources that favour the second.
    """
    holm: float = math.nan
    """The p-value, corrected for the number of pairs of metrics (Holm)."""

    def winner(self) -> str:
        """Return the metric that is significantly better after correction; empty if neither is."""
        if not self.holm < ALPHA:
            return ""
        return self.first if self.test.statistic > 0 else self.second


def sign_test(differences: FloatArray, groups: IntArray) -> Test:
    """Return the exact test of whether as many sources favour the first metric as the second; sources that favour
    neither are ignored.
    """
    sums = np.bincount(np.unique(groups, return_inverse=True)[1], weights=differences)
    better, worse = int((sums > 0).sum()), int((sums < 0).sum())
    if not better + worse:
        return Test(0.0, 1.0) if len(differences) else Test()
    from scipy.stats import binomtest

    return Test(float(better - worse), float(binomtest(better, better + worse).pvalue))


def compare_metrics(outcomes: Mapping[str, FloatArray], groups: IntArray) -> list[Duel]:
    """Return a comparison for each pair of metrics, with p corrected for the number of comparisons (Holm 1979)."""
    duels = []
    for first, second in combinations(outcomes, 2):
        gaps = outcomes[first] - outcomes[second]
        known = ~np.isnan(gaps)
        mean = float(gaps[known].mean()) if known.any() else math.nan
        duels.append(Duel(first, second, int(known.sum()), mean, sign_test(gaps[known], groups[known])))
    return with_holm(duels, [duel.test.p for duel in duels], "holm")


@dataclass(frozen=True, slots=True)
class PairStandings:
    """The result of comparing metrics on pairs of texts."""

    metrics: tuple[Scored, ...]
    shares: Mapping[str, Share]
    """The share of correctly ordered pairs for each metric."""
    phenomena: Mapping[str, Mapping[str, Share]]
    """The shares keyed by phenomenon and then by metric, sorted by the best metric's share; empty if no column gives
    phenomena.
    """
    duels: tuple[Duel, ...]
    n_pairs: int
    n_sources: int
    n_texts: int
    left_out: tuple[LeftOut, ...] = ()

    @property
    def tested(self) -> list[Duel]:
        """The comparisons that have a defined p; only these count towards the correction."""
        return [duel for duel in self.duels if not math.isnan(duel.test.p)]

    def ranking(self) -> list[str]:
        """Return the metrics from best to worst, with undefined ones last."""
        return ranked(self._values())

    def _values(self) -> dict[str, float]:
        return {name: share.value for name, share in self.shares.items()}

    def beats(self, metric: str) -> list[str]:
        """Return the metrics that ``metric`` significantly outperforms."""
        return beaten_by(metric, self.duels)

    def as_good_as_best(self) -> list[str]:
        """Return the best metric, and all metrics that it does not significantly outperform."""
        return as_good_as_best(self._values(), self.duels)


def judge_pairs(
    scored: Sequence[Scored], pairs: Pairs, n_texts: int, left_out: Sequence[LeftOut] = ()
) -> PairStandings:
    """Evaluate each metric on all pairs and on the pairs of each phenomenon, and test the difference between each pair
    of metrics.
    """
    outcomes = {entry.name: won(entry.scores, pairs.rows) for entry in scored}
    result = PairStandings(
        tuple(scored),
        {name: share_of(values, pairs.groups) for name, values in outcomes.items()},
        {},
        tuple(compare_metrics(outcomes, pairs.groups)),
        len(pairs),
        len(np.unique(pairs.groups)),
        n_texts,
        tuple(left_out),
    )
    parts = {name: by_phenomenon(outcomes[name], pairs) for name in result.ranking()}
    order = next(iter(parts.values()), {})
    table = {what: {name: shares[what] for name, shares in parts.items()} for what in order}
    return replace(result, phenomena=table)


def unseen_pairs(pairs: Pairs, rows: IntArray, n_texts: int) -> Pairs:
    """Return the pairs whose two texts are both among ``rows``; indices still refer to all texts."""
    _, is_unseen = within(pairs.rows, rows, n_texts)
    phenomena = tuple(pairs.phenomena[i] for i in np.flatnonzero(is_unseen)) if pairs.phenomena else ()
    return Pairs(pairs.rows[is_unseen], pairs.groups[is_unseen], phenomena)


def standings_data(result: PairStandings) -> dict[str, Any]:
    """Return the result as plain data without texts; numbers have six significant digits."""
    return rounded(  # type: ignore[no-any-return]
        {
            "naturalness": __version__,
            "pairs": result.n_pairs,
            "texts": result.n_texts,
            "sources": result.n_sources,
            "metrics": [
                {key: value for key, value in asdict(entry).items() if key != "scores"}
                | {
                    "pair_accuracy": asdict(result.shares[entry.name]),
                    "beats": result.beats(entry.name),
                    "phenomena": {name: asdict(shares[entry.name]) for name, shares in result.phenomena.items()},
                }
                for entry in result.metrics
            ],
            "duels": [
                {"first": duel.first, "second": duel.second, "pairs": duel.n, "difference": duel.difference}
                | {"sign_test": asdict(duel.test), "holm": duel.holm, "better": duel.winner()}
                for duel in result.duels
            ],
            "significant_at": ALPHA,
            "as_good_as_best": result.as_good_as_best(),
            "left_out": [asdict(entry) for entry in result.left_out],
        }
    )
