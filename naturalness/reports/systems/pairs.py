"""Significance tests for the differences between systems."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.pages.formats import enumeration
from naturalness.reports.systems.answers import codes
from naturalness.reports.systems.resampling import Sums, difference, mean, sum_up, t_test
from naturalness.statistics.bootstrap import MIN_SOURCES, Interval, Resampling, bca, draw, leave_out
from naturalness.statistics.significance import ALPHA, with_holm

MAX_NAMED = 5
"""The largest number of systems that a sentence names; the others are only counted."""
MAX_EXCEPTIONS = 6
"""The largest number of sentences about single systems within groups."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A comparison of two systems, with the better one as the first."""

    first: str
    second: str
    difference: Interval
    """The mean naturalness of the first system minus the mean naturalness of the second."""
    p: float
    """The two-sided p-value of the difference; NaN for too few texts."""
    n_shared: int
    """The number of shared inputs on which the systems are compared; 0 if they are compared on all their texts."""
    corrected: float = math.nan
    """The p-value, corrected for the number of pairs (Holm)."""

    @property
    def differs(self) -> bool:
        """Whether the first system is significantly better after correction."""
        return self.corrected < ALPHA


def compare_pairs(
    systems: Sequence[str], score: int, sums: Sums, per_input: FloatArray | None, how: Resampling
) -> tuple[Pair, ...]:
    """Return a comparison for each pair of systems, the best first, using the column ``score`` of ``sums``.

    ``per_input`` has the mean score of each system on each input, (n_systems, n_inputs), with NaN for missing scores;
    it is None if systems share no inputs. If two systems share at least `MIN_SOURCES` inputs, and at least half of the
    inputs of the system with fewer inputs, they are compared on the shared inputs, each weighted equally.
    """
    both = combinations(range(len(systems)), 2)
    pairs = [_pair(systems, i, j, score, sums, per_input, how) for i, j in both]
    return tuple(with_holm(pairs, [pair.p for pair in pairs]))


def _pair(
    systems: Sequence[str], i: int, j: int, score: int, sums: Sums, per_input: FloatArray | None, how: Resampling
) -> Pair:
    if per_input is not None:
        known = ~np.isnan(per_input[[i, j]])
        shared = known.all(axis=0)
        n = int(shared.sum())
        if n >= max(MIN_SOURCES, int(known.sum(axis=1).min()) / 2):
            gaps = per_input[i, shared] - per_input[j, shared]
            gap_interval, p = paired(gaps, how)
            if gap_interval.value < 0:
                i, j, gap_interval = j, i, Interval(-gap_interval.value, -gap_interval.high, -gap_interval.low)
            return Pair(systems[i], systems[j], gap_interval, p, n)
    gap = difference(mean(i, score), mean(j, score))
    return Pair(systems[i], systems[j], sums.figure(gap, i, j), sums.test(gap, i, j).p, 0)


def paired(gaps: FloatArray, how: Resampling) -> tuple[Interval, float]:
    """Return the mean of the differences with its interval, and the two-sided p-value for the hypothesis that
    the mean is 0.
    """
    alone, value = np.arange(len(gaps)), float(gaps.mean())
    drawn = np.concatenate([gaps @ w for w in draw(alone, how.resamples, how.seed)]) / len(gaps)
    left = np.concatenate([(gaps @ w) / w.sum(axis=0) for w in leave_out(alone, how.seed)])
    return bca(value, drawn, left), t_test(value, drawn, len(gaps)).p


def means_per_input(scores: FloatArray, member: IntArray, inputs: IntArray, n_systems: int) -> FloatArray:
    """Return the mean score of each system on each input, (n_systems, n_inputs); NaN for an input without a score."""
    n_inputs = int(inputs.max()) + 1 if len(inputs) else 0
    known = ~np.isnan(scores)
    at = (member * n_inputs + inputs)[known]
    size = n_systems * n_inputs
    sums = np.bincount(at, weights=scores[known], minlength=size)
    many = np.bincount(at, minlength=size)
    with np.errstate(invalid="ignore"):
        return np.asarray(sums / many, dtype=np.float64).reshape(n_systems, n_inputs)


def groups_of(order: Sequence[str], pairs: Sequence[Pair]) -> list[list[str]]:
    """Split systems, the best first, into groups within which no two systems differ significantly.

    A system joins the last group if it differs from no system in that group. Systems in different groups do not
    necessarily differ, because the relation is not transitive.
    """
    differ = {frozenset((pair.first, pair.second)) for pair in pairs if pair.differs}
    out: list[list[str]] = []
    for system in order:
        if out and all(frozenset((system, member)) not in differ for member in out[-1]):
            out[-1].append(system)
        else:
            out.append([system])
    return out


def tell_groups(order: Sequence[str], pairs: Sequence[Pair], few: Sequence[str]) -> list[str]:
    """Return sentences that say which systems sound more natural than others.

    ``order`` lists the systems with enough texts, the best first, and ``few`` lists the other systems.
    """
    out = _groups(order, pairs) if len(order) > 1 else []
    if few:
        verb = "has" if len(few) == 1 else "have"
        out.append(f"{enumeration(few, MAX_NAMED)} {verb} too few texts to be compared.")
    return out


def _groups(order: Sequence[str], pairs: Sequence[Pair]) -> list[str]:
    groups = groups_of(order, pairs)
    if len(groups) == 1:
        who = "The two systems do not" if len(order) == 2 else f"None of the {len(order)} systems"
        return [f"{who} differ clearly in naturalness: {enumeration(order, MAX_NAMED)}."]
    if len(order) == 2:
        pair = next(candidate for candidate in pairs if {candidate.first, candidate.second} == set(order))
        low, high = pair.difference.low, pair.difference.high
        clause = f"{pair.first} sounds more natural than {pair.second}"
        return [f"{clause}, by {pair.difference.value:.3f} (95 % interval {low:.3f} to {high:.3f})."]
    differ = {frozenset((pair.first, pair.second)) for pair in pairs if pair.differs}
    out, rest = [], []
    for i, group in enumerate(groups):
        later = [system for other in groups[i + 1 :] for system in other]
        beaten = [other for other in later if all(frozenset((candidate, other)) in differ for candidate in group)]
        out += _sentence(group, beaten, everything=bool(later) and beaten == later)
        others = [other for other in later if other not in beaten]
        rest += _exceptions(group, others, differ)
    more = ["The table of pairs has the rest."] if len(rest) > MAX_EXCEPTIONS else []
    return [*out, *rest[:MAX_EXCEPTIONS], *more]


def _sentence(group: Sequence[str], beaten: Sequence[str], *, everything: bool) -> list[str]:
    apart = "do not differ clearly"
    if not beaten:
        return [f"{enumeration(group, MAX_NAMED)} {apart}."] if len(group) > 1 else []
    than = "all others" if everything and len(beaten) > MAX_NAMED else enumeration(beaten, MAX_NAMED)
    if len(group) == 1:
        return [f"{group[0]} sounds more natural than {than}."]
    who = "both" if len(group) == 2 else "all"
    return [f"{enumeration(group, MAX_NAMED)} {apart}; {who} sound more natural than {than}."]


def _exceptions(group: Sequence[str], others: Sequence[str], differ: set[frozenset[str]]) -> list[str]:
    """Return sentences about single systems of a group: which other systems they beat, and from which they do not
    differ.
    """
    out = []
    for system in group:
        beaten = [other for other in others if frozenset((system, other)) in differ]
        close = [other for other in others if other not in beaten]
        out += [f"{system} sounds more natural than {enumeration(beaten, MAX_NAMED)}."] if beaten else []
        out += [f"{system} does not differ clearly from {enumeration(close, MAX_NAMED)}."] if close else []
    return out


@dataclass(frozen=True, slots=True)
class Scored:
    """A system and the scores of its texts."""

    system: str
    n_texts: int
    n_scored: int
    mean: Interval
    """The mean naturalness, 0..1; the ends of its interval are NaN for fewer than `MIN_SOURCES` texts."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A comparison of systems, the best first, with the tests of all pairs."""

    systems: tuple[Scored, ...]
    pairs: tuple[Pair, ...]
    verdict: tuple[str, ...]
    """Sentences that say which systems differ."""


def compare_systems(
    names: Sequence[str], member: IntArray, table: FloatArray, score: int, inputs: IntArray | None, how: Resampling
) -> tuple[Sums, tuple[Pair, ...], tuple[str, ...]]:
    """Return the sums of ``table`` over systems, the tests of all pairs, and sentences about the tests.

    ``names`` are the systems, the best first, and ``score`` is the column that is tested. ``member`` has the index of
    each text's system. If systems share inputs, ``inputs`` has the index of each text's input.
    """
    sums = sum_up(table, member, len(names), inputs, how)
    per_input = None
    if inputs is not None and len(inputs):
        per_input = means_per_input(table[:, score], member, inputs, len(names))
    pairs = compare_pairs(names, score, sums, per_input, how)
    comparable = [name for name, n in zip(names, sums.units, strict=True) if n >= MIN_SOURCES]
    return sums, pairs, tuple(tell_groups(comparable, pairs, [name for name in names if name not in comparable]))


def best_first(scores: Mapping[str, Sequence[float]]) -> list[str]:
    """Return systems sorted by mean score, the best first; systems without scores come last."""
    known = {name: [value for value in values if not math.isnan(value)] for name, values in scores.items()}
    means = {name: float(np.mean(values)) if values else -math.inf for name, values in known.items()}
    return sorted(means, key=lambda name: (-means[name], name))


def compare_scores(scores: Mapping[str, Sequence[float]], *, paired: bool, how: Resampling | None = None) -> Compared:
    """Compare systems by the naturalness of their texts; the score of an unusable text is NaN.

    If ``paired``, the n-th texts of all systems answer the same input; inputs are then resampled, and differences are
    computed within inputs. p is corrected for the number of pairs (Holm).
    """
    how = how or Resampling()
    names = best_first(scores)
    member = codes([name for name in names for _ in scores[name]], names)
    table = np.array([[value] for name in names for value in scores[name]], dtype=np.float64).reshape(-1, 1)
    inputs = np.array([i for name in names for i in range(len(scores[name]))], dtype=np.int64) if paired else None
    sums, pairs, verdict = compare_systems(names, member, table, 0, inputs, how)
    return Compared(
        tuple(
            Scored(
                name,
                len(scores[name]),
                sum(not math.isnan(value) for value in scores[name]),
                sums.figure(mean(number, 0), number),
            )
            for number, name in enumerate(names)
        ),
        pairs,
        verdict,
    )
