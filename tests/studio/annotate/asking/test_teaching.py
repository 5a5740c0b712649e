"""What is learned of the answers, and what is said of it."""

from __future__ import annotations

import math
import time
from dataclasses import replace

import numpy as np
import pytest

from naturalness.explaining.causes import TITLES
from naturalness.studio.annotate.asking import FIGURES, Judgement, Pool, teach
from naturalness.studio.annotate.asking.taught import GO_ON, STOP, advise, spearman_figure
from tests.support.pools import PAIRS, PLAIN, POINTS, SLIPS, THREE, TWO, Scale, make_pool, planted, rate


def answered(pool: Pool, questions: int, scale: Scale = POINTS, noise: float = 0.3) -> list[Judgement]:
    """Answers on a scale, in whole points."""
    ratings = planted(pool, noise=noise, low=scale.low, high=scale.high)
    return rate(pool, lambda i: float(np.rint(ratings[i])), questions, pairs=scale.kind == "pairs")


@pytest.mark.parametrize("scale", [POINTS, TWO, THREE, Scale("slider", 0.0, 100.0)], ids=str)
def test_a_planted_direction_is_found(scale: Scale) -> None:
    """The figure says so."""
    pool = make_pool(400)
    taught = teach(pool, answered(pool, 150, scale), scale)
    assert taught.known
    assert taught.figure is not None
    assert taught.figure.name == ("roc_auc" if scale == TWO else "spearman")
    assert taught.figure.low < taught.figure.value < taught.figure.high
    assert taught.figure.value > 0.75
    assert {figure.name for figure in taught.figures} <= set(FIGURES)
    assert [f.name for f in taught.figures[1:]] == (
        ["weighted_f1"] if scale == TWO else ["roc_auc", "weighted_f1"] if scale == THREE else []
    )


def test_pairs_teach_a_score() -> None:
    """The model prefers what the rater prefers."""
    pool = make_pool(300)
    ratings = planted(pool, low=-1, high=1)
    judgements = rate(pool, lambda i: float(ratings[i]), 200, pairs=True)
    taught = teach(pool, judgements, PAIRS)
    assert taught.known
    assert taught.figure is not None
    assert taught.figure.name == "pairs_right"
    assert taught.figure.value > 0.75


def test_the_order_of_a_pair_does_not_matter() -> None:
    """The second better is the first worse."""
    pool = make_pool(100)
    judgements = rate(pool, lambda i: float(pool.table[i, 0]), 60, pairs=True)
    turned = [replace(g, text=g.other or 0, other=g.text, value=-g.value) for g in judgements]
    one, two = teach(pool, judgements, PAIRS), teach(pool, turned, PAIRS)
    assert (one.figures, one.causes) == (two.figures, two.causes)


def test_the_figures_never_see_the_test_share() -> None:
    """Other answers there change the figure, but no weight of the model that is measured."""
    pool = make_pool(300)
    judgements = answered(pool, 120)
    apart = {one.text for one in judgements if one.test}
    other = [replace(one, value=7.0 - one.value) if one.text in apart else one for one in judgements]
    one, two = teach(pool, judgements, POINTS), teach(pool, other, POINTS)
    assert one.figure is not None
    assert two.figure is not None
    assert two.figure.value == pytest.approx(-one.figure.value)
    assert one.texts == two.texts


def test_a_text_of_the_test_share_teaches_nothing_whoever_rated_it() -> None:
    """Another rater may have got it as a question like any other."""
    pool = make_pool(300)
    judgements = answered(pool, 120)
    tests = [one for one in judgements if one.test]
    more = [Judgement(one.text, 1.0, False, False, "bert") for one in tests]
    one, two = teach(pool, judgements, POINTS), teach(pool, judgements + more, POINTS)
    assert (one.texts, one.test) == (two.texts, two.test)


@pytest.mark.slow
@pytest.mark.parametrize("scale", [POINTS, TWO, PAIRS], ids=lambda scale: str(scale.kind))
def test_five_hundred_ratings_take_three_seconds(scale: Scale) -> None:
    """Of the processor, on 350 features; twice that is allowed here."""
    pool = make_pool(2000, columns=tuple(f"surface__c{i}" for i in range(350)))
    ratings = planted(pool, low=scale.low, high=scale.high)
    rng = np.random.default_rng(0)
    rows = rng.permutation(2000)[:1000].reshape(-1, 2).tolist()
    judgements = [
        Judgement(i, float(np.rint(ratings[i])), n % 5 == 4, False, "anna")
        if scale.kind != "pairs"
        else Judgement(i, 1.0 if ratings[i] > ratings[j] else -1.0, n % 5 == 4, False, "anna", other=j)
        for n, (i, j) in enumerate(rows)
    ]
    started = time.process_time()
    taught = teach(pool, judgements, scale)
    assert time.process_time() - started < 6
    assert taught.texts == 400
    assert taught.test == 100
    assert taught.curve is not None


@pytest.mark.parametrize(
    ("questions", "words"), [(0, "needs 20 rated sentences"), (15, "there are 11"), (24, "there are 18")]
)
def test_too_few_ratings_say_what_is_lacking(questions: int, words: str) -> None:
    """And that one had better go on."""
    pool = make_pool()
    taught = teach(pool, answered(pool, questions), POINTS)
    assert not taught.known
    assert words in taught.why
    assert taught.advice.answer == GO_ON
    assert taught.why in taught.advice.words
    assert taught.figures == ()


def test_too_few_pairs_say_what_is_lacking() -> None:
    """Pairs that are the same to the rater do not count."""
    pool = make_pool()
    judgements = rate(pool, lambda i: 0.0, 40, pairs=True)
    assert "there are 0" in teach(pool, judgements, PAIRS).why


def test_one_label_alone_teaches_nothing() -> None:
    """Nor do ratings that are all the same."""
    pool = make_pool()
    natural = rate(pool, lambda i: 1.0, 60)
    assert "0 are 'unnatural' so far" in teach(pool, natural, TWO).why
    assert "the same rating" in teach(pool, natural, POINTS).why


def test_what_is_not_measured_waits() -> None:
    """It counts, but teaches later."""
    pool = make_pool(200)
    judgements = answered(pool, 100)
    rated = [one.text for one in judgements][:20]
    table, measured = pool.table.copy(), pool.measured.copy()
    table[rated], measured[rated] = np.nan, False
    taught = teach(Pool(pool.texts, table, pool.columns, measured), judgements, POINTS)
    assert taught.waiting == len(set(rated))
    assert taught.texts + taught.test + taught.waiting == taught.ratings
    few = Pool(pool.texts, np.full_like(table, np.nan), pool.columns, np.zeros_like(measured))
    assert "not measured yet" in teach(few, judgements, POINTS).why


@pytest.mark.slow
def test_a_clear_case_may_stop_and_a_hard_one_goes_on() -> None:
    """Eight columns without noise are soon learned; sixty with much noise are not."""
    easy = make_pool(600)
    ratings = easy.table[:, 0] - 0.7 * easy.table[:, 1]
    done = teach(easy, rate(easy, lambda i: float(ratings[i]), 450), Scale("slider", -5.0, 5.0))
    assert done.advice.answer == STOP
    hard = make_pool(600, columns=tuple(f"surface__c{i}" for i in range(60)))
    truth = hard.table @ np.random.default_rng(3).normal(size=60) / 8
    said = truth + 0.5 * np.random.default_rng(4).normal(size=600)
    more = teach(hard, rate(hard, lambda i: float(said[i]), 150), Scale("slider", -5.0, 5.0))
    assert more.advice.answer == GO_ON
    assert more.curve is not None
    assert more.curve.gain > 0


def test_few_texts_of_the_test_share_say_go_on() -> None:
    """There is no figure of so few: it might as well be negative."""
    pool = make_pool(300)
    taught = teach(pool, answered(pool, 60), POINTS)
    assert taught.test == 12
    assert taught.advice.answer == GO_ON
    assert "12 sentences are held out" in taught.advice.words
    assert taught.figures == () and taught.curve is None


def test_no_figure_names_both_causes() -> None:
    """The correlation is undefined if ratings are alike, or if the model gives all texts the same score."""
    nothing = spearman_figure(np.zeros(30), np.arange(30.0))
    advice = advise(nothing, None, 100, 30, 1.0, "sentences")
    assert advice.answer == GO_ON
    assert advice.words.endswith("are all rated alike, or the model gives all of them the same score.")


def test_a_model_as_good_as_the_rater_may_stop() -> None:
    """Who says something else the second time can be taught no better."""
    pool = make_pool(600)
    ratings = planted(pool, noise=0.0)
    judgements = rate(pool, lambda i: float(ratings[i]), 200)
    rng = np.random.default_rng(0)
    judgements = [replace(one, value=float(rng.uniform(1, 6))) if one.again else one for one in judgements]
    taught = teach(pool, judgements, POINTS)
    (agreement,) = taught.self_agreements
    assert agreement.rater == "anna"
    assert agreement.repeats == 20
    assert agreement.spearman < 0.5
    assert agreement.same == 0.0
    assert taught.advice.answer == STOP
    assert "agree with yourself" in taught.advice.words


def test_agreement_with_oneself() -> None:
    """Of each rater who was asked again, also of pairs that came the other way round."""
    pool = make_pool(60)
    judgements = [
        Judgement(0, 2.0, False, False, "anna"),
        Judgement(0, 5.0, False, False, "bert"),
        Judgement(1, 6.0, False, False, "anna"),
        Judgement(0, 3.0, False, True, "anna"),
        Judgement(1, 6.0, False, True, "anna"),
    ]
    (agreement,) = teach(pool, judgements, POINTS).self_agreements
    assert (agreement.rater, agreement.repeats, agreement.same) == ("anna", 2, 0.5)
    assert agreement.distance == pytest.approx(0.1)
    assert np.isnan(agreement.spearman)
    pairs = [Judgement(0, 1.0, False, False, "anna", other=1), Judgement(1, -1.0, False, True, "anna", other=0)]
    (agreement,) = teach(pool, pairs, PAIRS).self_agreements
    assert agreement.same == 1.0


def test_the_causes_that_count_are_told() -> None:
    """Ratings that follow slips of agreement make a model of that cause."""
    pool = make_pool(400, columns=PLAIN + SLIPS)
    table = pool.table.copy()
    table[:, -3:] = np.random.default_rng(5).uniform(0, 0.5, (400, 3))
    pool = replace(pool, table=table)
    judgements = rate(pool, lambda i: float(6 - 10 * table[i, -3]), 200)
    taught = teach(pool, judgements, POINTS)
    first = taught.causes[0]
    assert (first.cause, first.title) == ("agreement", TITLES["agreement"])
    assert 0.5 < first.strength <= 1
    assert all(one.strength >= two.strength for one, two in zip(taught.causes, taught.causes[1:], strict=False))


def test_the_curve_grows_to_the_figure() -> None:
    """Its last step is all answers, measured as the figure is."""
    pool = make_pool(400)
    taught = teach(pool, answered(pool, 200, noise=1.0), POINTS)
    assert taught.curve is not None
    assert taught.figure is not None
    n = taught.texts
    sizes = [math.ceil(n / 4), math.ceil(n / 2), math.ceil(3 * n / 4), n]
    assert [step.texts for step in taught.curve.steps] == sizes
    assert taught.curve.steps[-1].mean == pytest.approx(taught.figure.value)
    assert taught.curve.low < taught.curve.gain < taught.curve.high
