"""The model learned from the answers, and the advice that depends on it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from naturalness.pipelines.learning import Rated
from naturalness.statistics.correlation import spearman
from naturalness.studio.annotate.asking.choosing import GivenRating
from naturalness.studio.annotate.asking.teaching import measure, teach
from naturalness.studio.annotate.project import LABELS, POINTS, SLIDER, Scale
from tests.support.pools import judge, make_pool, planted, rate

SIX = Scale(POINTS, 1.0, 6.0)


def answers(questions: int, scale: Scale = SIX, texts: int = 300) -> list[GivenRating]:
    """Return answers that follow two columns of the pool, in whole points."""
    ratings = planted(make_pool(texts), low=scale.low, high=scale.high)
    return rate(make_pool(texts), lambda i: float(np.rint(ratings[i])), questions)


@pytest.mark.parametrize(
    "scale",
    [
        SIX,
        Scale(LABELS, 0.0, 1.0, ("unnatural", "natural")),
        Scale(LABELS, 0.0, 2.0, ("unnatural", "not sure", "natural")),
        Scale(SLIDER, 0.0, 100.0),
    ],
    ids=str,
)
def test_ratings_that_follow_features_are_learned(scale: Scale) -> None:
    """Both the figure on the test set and the learning curve are high."""
    taught = teach(make_pool(400), answers(150, scale, 400), scale)
    assert taught.known and taught.figure is not None and taught.curve is not None
    assert taught.figure.words.startswith("rank correlation")
    assert taught.figure.low < taught.figure.value < taught.figure.high
    assert taught.figure.value > 0.7
    assert taught.texts + taught.test == 135
    assert taught.curve.steps[-1].mean > 0.4


def test_model_does_not_learn_from_the_test_set() -> None:
    """Inverting the ratings of the test set inverts the figure; ratings of test texts are never used for training."""
    judgements = answers(120)
    tests = {one.text for one in judgements if one.test}
    other = [replace(one, value=7.0 - one.value) if one.text in tests else one for one in judgements]
    others = [judge(text, 1.0, "bert") for text in tests]
    one, two, three = (teach(make_pool(300), some, SIX) for some in (judgements, other, judgements + others))
    assert one.figure is not None and two.figure is not None
    assert two.figure.value == pytest.approx(-one.figure.value)
    assert (one.texts, one.test) == (two.texts, two.test) == (three.texts, three.test)


@pytest.mark.parametrize(
    ("judgements", "scale", "words"),
    [
        ([], SIX, "Go on: a model needs 20 rated sentences besides those it is measured on; there are 0."),
        (answers(15), SIX, "there are 11."),
        (rate(make_pool(), lambda i: 1.0, 60), SIX, "all sentences have the same rating so far"),
        (answers(60), SIX, "only 12 sentences are held out"),
    ],
)
def test_advice_says_which_answers_are_missing(judgements: list[GivenRating], scale: Scale, words: str) -> None:
    """No figure is shown until 20 texts of the test set are rated."""
    taught = teach(make_pool(300), judgements, scale)
    assert words in taught.advice and not taught.may_stop
    assert taught.figure is None and taught.curve is None


def test_unmeasured_texts_are_counted_as_waiting() -> None:
    """Rated texts that are not measured yet are counted as waiting."""
    pool, judgements = make_pool(300), answers(100)
    rated = {one.text for one in judgements[:20]}
    table = pool.table.copy()
    table[list(rated)] = np.nan
    taught = teach(replace(pool, table=table, left=tuple(rated)), judgements, SIX)
    assert taught.waiting == len(rated)
    assert taught.texts + taught.test + taught.waiting == 90
    assert not teach(replace(pool, table=table), judgements, SIX).waiting  # measured, but without words
    nothing = replace(pool, table=np.full_like(table, np.nan), left=tuple(range(300)))
    assert "90 more are not measured yet" in teach(nothing, judgements, SIX).advice


@pytest.mark.slow
def test_advice_is_to_stop_once_the_curve_is_flat() -> None:
    """Two columns without noise are learned from few texts, sixty columns with noise are not."""
    pool = make_pool(900)
    ratings = pool.table[:, 0] - 0.7 * pool.table[:, 1]
    slide = Scale(SLIDER, -5.0, 5.0)
    done = teach(pool, rate(pool, lambda i: float(ratings[i]), 800), slide)
    assert done.may_stop and done.advice.startswith("You may stop")
    hard = make_pool(600, columns=tuple(f"surface__c{i}" for i in range(60)))
    rng = np.random.default_rng(3)
    said = hard.table @ rng.normal(size=60) / 8 + 0.5 * rng.normal(size=600)
    more = teach(hard, rate(hard, lambda i: float(said[i]), 150), slide)
    assert not more.may_stop and more.curve is not None and more.curve.gain > 0


def test_self_agreement() -> None:
    """The first answer to a question is compared with the repeated one."""
    judgements = [
        judge(0, 2.0),
        judge(0, 5.0, "bert"),
        judge(1, 6.0),
        judge(0, 3.0, again=True),
        judge(1, 6.0, again=True),
    ]
    (agreement,) = teach(make_pool(60), judgements, SIX).self_agreements
    assert (agreement.rater, agreement.repeats, agreement.same) == ("anna", 2, 0.5)
    assert agreement.distance == pytest.approx(0.1)


def held_out(ratings: np.ndarray) -> Rated:
    """Return a test set with these ratings."""
    n = len(ratings)
    nothing = np.zeros(n, dtype=np.int64)
    return Rated((), np.zeros((n, 1)), ("a",), nothing, ratings, nothing, ("a", "b"), (1, 6), rates=True)


@pytest.mark.parametrize("n", [20, 60])
@pytest.mark.parametrize("strength", [0.0, 0.5, 0.9])
@pytest.mark.parametrize("points", [2, 6])
def test_interval_contains_the_true_rank_correlation(n: int, strength: float, points: int) -> None:
    """The interval covers the true value in at least 92 of 100 runs, even with many ties."""
    rng = np.random.default_rng(0)

    def draw(size: int) -> tuple[np.ndarray, np.ndarray]:
        x = rng.normal(size=size)
        y = strength * x + np.sqrt(1 - strength**2) * rng.normal(size=size)
        return x, np.clip(np.rint((points + 1) / 2 + 1.2 * y), 1, points)

    truth = spearman(*draw(200_000))
    figures = [measure(scores, held_out(ratings)) for scores, ratings in (draw(n) for _ in range(400))]
    assert np.mean([one.low <= truth <= one.high or np.isnan(one.value) for one in figures]) >= 0.92
