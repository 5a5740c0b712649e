"""Choose which question a rater gets next, and give a reason for the choice.

A pool holds the texts with their features. Its texts become points, the principal components of the prepared features:
on them depend the coverage of the pool, the certainty of a model, and which texts show a cause of low scores.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from naturalness.arrays import BoolArray, FloatArray, IntArray
from naturalness.explaining.causes import TABLES, cause_of
from naturalness.models.learners.prepared import learn_preparation
from naturalness.studio.annotate.project.records import TextChoice


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """The texts to rate, with the features measured so far.

    A pool is immutable, so values derived from it can be cached by identity.
    """

    texts: tuple[str, ...]
    table: FloatArray
    """Features, (n, p); the row of an unmeasured text is all NaN."""
    columns: tuple[str, ...]
    left: tuple[int, ...] = ()
    """Indices of the texts that are yet to be measured."""

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def usable(self) -> BoolArray:
        """Whether each text has been measured and has values; a text that contains no words has none."""
        return np.asarray(~np.isnan(self.table).all(axis=1))


@dataclass(frozen=True, slots=True)
class GivenRating:
    """An answer that is in force; sequences of judgements are in the order in which they were given."""

    text: int
    value: float
    """Rating on the scale, higher is better."""
    test: bool
    """Whether the question was drawn at random for the test set."""
    again: bool
    """Whether this rater had already answered the question."""
    rater: str


def asked_texts(judgements: Sequence[GivenRating]) -> set[int]:
    """Return the texts that occur in the questions."""
    return {judgement.text for judgement in judgements}


def test_texts(judgements: Sequence[GivenRating]) -> set[int]:
    """Return the texts that any rater was asked about for the test set."""
    return asked_texts([judgement for judgement in judgements if judgement.test])


def means_of(judgements: Sequence[GivenRating]) -> tuple[IntArray, FloatArray]:
    """Return the rated texts and the mean of all answers to each, in the order of asking."""
    values: dict[int, list[float]] = {}
    for judgement in judgements:
        values.setdefault(judgement.text, []).append(judgement.value)
    means = [sum(answers) / len(answers) for answers in values.values()]
    return np.array(list(values), dtype=np.int64), np.array(means, dtype=np.float64)


MAX_DIRECTIONS = 64
"""Number of principal components; further ones are mostly noise and would keep raters waiting."""
SAMPLE_ROWS = 1000
"""Number of rows, evenly spaced in the table, from which means, standard deviations and components are computed."""
MAX_POOLS = 4
"""Number of pools whose points are cached."""
MAX_REFERENCES = 400
"""Maximum number of reference texts, evenly spaced in the pool, on which coverage is measured."""
LIKENESS_WIDTH = 0.5
"""Width of the similarity kernel, relative to the median distance between two texts."""


@dataclass(frozen=True, slots=True, eq=False)
class Space:
    """A pool as points; unusable texts are at the origin."""

    points: FloatArray
    """Coordinates of the texts, (n, d)."""
    usable: BoolArray
    penalty: float
    """Ridge penalty for features that explain as much variance as there is noise: the mean squared length of points."""


@lru_cache(maxsize=MAX_POOLS)
def space_of(pool: Pool) -> Space:
    """Return the points of a pool."""
    from sklearn.decomposition import PCA

    usable = pool.usable
    rows = np.flatnonzero(usable)
    if not len(rows):
        return Space(np.zeros((len(pool), 1)), usable, 1.0)
    sample = pool.table[rows[:: max(1, len(rows) // SAMPLE_ROWS)]]
    preparation = learn_preparation(sample)
    prepared = preparation.apply(sample)
    directions = PCA(min(MAX_DIRECTIONS, *prepared.shape), svd_solver="full").fit(prepared)
    points = np.zeros((len(pool), directions.n_components_))
    points[rows] = directions.transform(preparation.apply(pool.table[rows]))
    return Space(points, usable, max(float((points**2).sum()) / len(rows), 1e-9))


@lru_cache(maxsize=MAX_POOLS)
def likeness_of(space: Space) -> FloatArray:
    """Return the similarity of each text to each reference text, 0..1; (n, `MAX_REFERENCES` or fewer)."""
    from sklearn.metrics.pairwise import euclidean_distances

    rows = np.flatnonzero(space.usable)
    references = rows[:: max(1, -(-len(rows) // MAX_REFERENCES))]
    squares = euclidean_distances(space.points, space.points[references], squared=True)
    return np.asarray(np.exp(-squares / (2 * LIKENESS_WIDTH**2 * float(np.median(squares[references])) + 1e-12)))


def coverage_gain(space: Space, rated: IntArray, texts: IntArray) -> FloatArray:
    """Return how much a rating of each of these texts would improve the coverage of the pool, 0..1.

    A reference text is covered as far as it is similar to the most similar rated text: generalized coverage (Bae, Noh
    & Sutherland 2024).
    """
    likeness = likeness_of(space)
    covered = likeness[rated].max(axis=0, initial=0.0)
    return np.asarray(np.maximum(likeness[texts] - covered, 0.0).mean(axis=1))


def certainty(space: Space, rated: IntArray, taught: IntArray, values: FloatArray) -> FloatArray | None:
    """Return how far each text's predicted rating is from the mean, relative to its standard deviation; None unless
    the ratings differ.

    The prediction is a ridge regression of the ``values`` of ``taught``. Its variance follows from the posterior
    covariance of the weights given all ``rated`` texts, which include ``taught``.
    """
    from sklearn.linear_model import Ridge

    if not len(values) or not np.ptp(values):
        return None
    points = space.points
    model = Ridge(space.penalty).fit(points[taught], values)
    precision = points[rated].T @ points[rated] + space.penalty * np.eye(points.shape[1])
    variance = np.einsum("ij,ji->i", points, np.linalg.solve(precision, points.T))
    return np.asarray(np.abs(model.predict(points) - values.mean()) / np.sqrt(variance + 1e-12))


SLIPS: Mapping[str, str] = TABLES["slips"]
"""Descriptions of the causes that a text can show, keyed by cause; overall soundness is not one of them."""
WITNESSES = ("damage", "damage_fast", "rules", "grammar")
"""Names of feature groups whose columns measure errors; higher values are worse."""
SHOWN_QUANTILE = 0.9
"""Quantile of the pool above which a text shows a cause; texts equal to it, which may be most, do not."""


@lru_cache(maxsize=4)
def shown_by(pool: Pool) -> Mapping[str, BoolArray]:
    """Return, for each cause, which texts of the pool show it, (n,) each, in the order of `SLIPS`."""
    rows = np.flatnonzero(pool.usable)
    witnesses = [i for i, name in enumerate(pool.columns) if name.partition("__")[0] in WITNESSES]
    by_cause: dict[str, BoolArray] = {}
    if not len(rows):
        return by_cause
    table = pool.table[rows][:, witnesses]
    preparation = learn_preparation(table[:: max(1, len(table) // SAMPLE_ROWS)])
    values = preparation.apply(table)[:, : len(witnesses)]
    causes = np.array([cause_of(pool.columns[i]) for i in witnesses])
    for cause in SLIPS:
        if (causes == cause).any():
            level = values[:, causes == cause].max(axis=1)
            shown = np.zeros(len(pool), dtype=np.bool_)
            shown[rows] = level > np.quantile(level, SHOWN_QUANTILE)
            by_cause[cause] = shown
    return by_cause


TEST, AGAIN, RANDOM, UNLIKE, DOUBTFUL, CAUSE = "test", "again", "random", "unlike", "doubtful", "cause"
REASONS: Mapping[str, str] = {
    TEST: "drawn at random, to test the model",
    AGAIN: "asked again, to see how well you agree with yourself",
    RANDOM: "drawn at random",
    UNLIKE: "like many sentences that are not rated yet",
    DOUBTFUL: "the model is not sure about it, and few like it are rated so far",
    CAUSE: "no sentence with {} so far",
}
"""Reasons for asking a question, and their wording for raters."""

EVERY_TEST, EVERY_AGAIN, EVERY_CAUSE = 5, 10, 8
TEST_AT, AGAIN_AT, CAUSE_AT = 4, 7, 2
"""Positions, counted from 0, of the test question in every five questions, of the repeated question in every ten, and
of the question for a cause in every eight that the model chooses."""
RECENT_ANSWERS = 5
"""Number of most recent answers whose questions are not repeated, because the rater would remember them."""
DOUBTED_SHARE = 0.3
"""Share of the texts that count as least certain; of these, the text most unlike the rated ones is picked."""
MIN_MEASURED_TEXTS = 20
"""Minimum number of measured texts for a choice by features; below it, texts are drawn at random."""


def is_test_turn(turn: int) -> bool:
    """Return whether a rater's question, counted from 0, is for the test set."""
    return turn % EVERY_TEST == TEST_AT


def is_again_turn(turn: int) -> bool:
    """Return whether a rater's question, counted from 0, repeats an earlier one."""
    return turn % EVERY_AGAIN == AGAIN_AT


@lru_cache(maxsize=8)
def test_order(texts: tuple[str, ...], seed: int) -> tuple[int, ...]:
    """Return the texts of the test set in the order in which they are asked about."""
    marks = [_digest(f"{seed}:{' '.join(text.split()).casefold()}") for text in texts]
    order = sorted(range(len(texts)), key=lambda index: (marks[index], index))
    size = round(len(texts) / EVERY_TEST)
    while 0 < size < len(texts) and marks[order[size]] == marks[order[size - 1]]:
        size += 1  # duplicates of a text stay on one side
    return tuple(order[:size])


def _digest(key: str) -> bytes:
    return hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest()


def ask_again(judgements: Sequence[GivenRating]) -> GivenRating | None:
    """Return the earliest of a rater's answers whose question may be asked again; None if there is none."""
    excluded = asked_texts([judgement for judgement in judgements if judgement.again])
    excluded |= asked_texts(judgements[-RECENT_ANSWERS:])
    return next((judgement for judgement in judgements if judgement.text not in excluded), None)


def choose(
    pool: Pool, judgements: Sequence[GivenRating], *, turn: int, busy: AbstractSet[int], rater: str, seed: int
) -> TextChoice | None:
    """Return the next question for this rater; None if there is nothing left to ask.

    ``turn`` is the number of questions that the rater has had, including skipped ones. ``busy`` are texts not to ask
    about: those that other raters are being asked about now, those with enough answers, and those skipped by this
    rater; a repeated question may still use them.
    """
    answered = [judgement for judgement in judgements if judgement.rater == rater]
    if is_again_turn(turn) and (before := ask_again(answered)) is not None:
        return TextChoice(before.text, AGAIN, REASONS[AGAIN], again=True)
    rng = np.random.default_rng(int.from_bytes(_digest(f"{seed}:{turn}:{rater}"), "big"))
    left_out = busy | asked_texts(answered)
    order = test_order(pool.texts, seed)
    tests = [text for text in order if text not in left_out]
    # A text that was ever used for testing is never chosen, even if the test set has changed.
    apart = left_out | set(order) | test_texts(judgements)
    rest = [text for text in range(len(pool)) if text not in apart]
    if tests and (is_test_turn(turn) or not rest):
        return TextChoice(tests[0], TEST, REASONS[TEST], test=True)
    if not rest:
        return None
    candidates = np.array(rest, dtype=np.int64)
    known = candidates[pool.usable[candidates]]
    if len(known) < min(MIN_MEASURED_TEXTS, len(rest)):
        return TextChoice(int(rng.choice(candidates)), RANDOM, REASONS[RANDOM])
    return _choose_text(pool, judgements, known, busy, turn)


def _choose_text(
    pool: Pool, judgements: Sequence[GivenRating], known: IntArray, busy: AbstractSet[int], turn: int
) -> TextChoice:
    """Return the measured text that is most unlike the rated ones, taken from those that the model is least sure
    about; in some turns, from those that show a cause of low scores that no rated text shows.

    Texts of the test set count as rated, because `naturalness train` learns from them too, so that texts like them need
    not be rated. Their values are not used: otherwise the choice of training texts would depend on the test set.
    """
    space = space_of(pool)
    tests = test_texts(judgements)
    asked = asked_texts(judgements)
    taught, values = means_of([judgement for judgement in judgements if judgement.text not in tests])
    measured = pool.usable[taught]
    rated = np.array(sorted(asked | busy), dtype=np.int64)
    rated = rated[pool.usable[rated]]
    sure = certainty(space, rated, taught[measured], values[measured])
    doubted, reason, wording = known, UNLIKE, REASONS[UNLIKE]
    if sure is not None:
        order = known[np.argsort(sure[known], kind="stable")]
        doubted = np.sort(order[: max(1, round(DOUBTED_SHARE * len(order)))])
        reason, wording = DOUBTFUL, REASONS[DOUBTFUL]
    chosen_before = sum(not is_test_turn(past) and not is_again_turn(past) for past in range(turn))
    if chosen_before % EVERY_CAUSE == CAUSE_AT:
        for cause, shows in shown_by(pool).items():
            if shows[known].any() and not shows[list(asked)].any():
                doubted = doubted[shows[doubted]] if shows[doubted].any() else known[shows[known]]
                reason, wording = CAUSE, REASONS[CAUSE].format(SLIPS[cause])
                break
    gain = coverage_gain(space, rated, doubted)
    return TextChoice(int(doubted[gain.argmax()]), reason, wording)
