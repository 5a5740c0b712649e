"""What GRUEN adds and takes off."""

from __future__ import annotations

import math

import pytest

from naturalness.models.metrics import APART
from naturalness.models.metrics.gruen import GRUEN_METRICS
from naturalness.models.metrics.gruen.judges import shipped_judges
from naturalness.models.metrics.gruen.parts import NOTHING, PLAIN, Constants, Parts, gruen_parts
from naturalness.text.parsing import parse

STEPS = ("", "u", "ur", "urn")
TWO = "The gate was open. Anna closed it."


def test_each_step_takes_off_its_part() -> None:
    """Grammaticality .7; a violation of focus .1, two of redundancy .2, half a nat .05."""
    parts = Parts((0.6,), (0.8,), repeated=2, unrelated=1, disorder=0.5)
    found = [parts.sum_of(steps) for steps in STEPS]
    assert found == pytest.approx([0.7, 0.6, 0.4, 0.35])


def test_the_worst_sentence_counts_as_much_as_the_mean() -> None:
    """Sentences of .7 and .3: mean .5, least .3; and by other constants."""
    parts = Parts((0.6, 0.4), (0.8, 0.2), 0, 0, math.nan)
    assert parts.grammaticality() == pytest.approx(0.4)
    assert parts.grammaticality(Constants(least=0)) == pytest.approx(0.5)
    assert parts.grammaticality(Constants(acceptability=1, least=1)) == pytest.approx(0.2)
    assert parts.grammaticality(Constants(acceptability=0, least=0)) == pytest.approx(0.5)
    assert (parts.likelihood, parts.acceptability) == pytest.approx((0.5, 0.5))


def test_the_papers_sum_by_hand() -> None:
    """The mean .5 of sentences of .7 and .3, less two violations, less the whole loss of .2."""
    parts = Parts((0.6, 0.4), (0.8, 0.2), repeated=1, unrelated=1, disorder=0.2)
    assert parts.sum_of("urn", PLAIN) == pytest.approx(0.1)
    assert parts.sum_of("urn") == pytest.approx(0.4 - 0.2 - 0.02)


def test_the_papers_sum_is_a_metric_and_the_others_are_called_changed() -> None:
    """Its signature tells the constants and how words are hidden."""
    papers = APART["gruen-sum"]
    assert "least=0,violation=0.1,nat=1|alone:" in papers.signature
    assert "changed" not in papers.description
    assert all(
        metric.description.endswith("; Zhu & Bhat (2020), changed")
        for metric in GRUEN_METRICS
        if metric.name != "gruen-sum"
    )
    (parts,) = gruen_parts(docs := parse([TWO]), shipped_judges(masked=True, alone=True))
    each = zip(parts.likelihoods, parts.acceptabilities, strict=True)
    wanted = sum((likely + sound) / 2 for likely, sound in each) / 2
    wanted -= 0.1 * (parts.repeated + parts.unrelated) + parts.disorder
    assert papers.score(docs).tolist() == pytest.approx([max(0.0, wanted)])


def test_the_sum_stays_within_bounds() -> None:
    """However many violations there are."""
    assert Parts((0.6,), (0.8,), repeated=60, unrelated=0, disorder=0.1).sum_of("urn") == 0


def test_one_sentence_loses_nothing_by_its_order() -> None:
    """A text without words has no number at all."""
    assert Parts((0.6,), (0.8,), 0, 0, math.nan).sum_of("urn") == pytest.approx(0.7)
    assert all(math.isnan(NOTHING.sum_of(steps)) for steps in STEPS)


def test_parts_are_measured_once() -> None:
    """All steps, and the columns of the group, share them."""
    docs = parse([TWO, ""])
    judges = shipped_judges(masked=False)
    first, empty = gruen_parts(docs, judges)
    assert gruen_parts(docs, judges)[0] is first
    assert empty is NOTHING
    assert len(first.likelihoods) == len(first.acceptabilities) == 2


def test_steps_take_off_more_and_more() -> None:
    """And a fragment is worse than a sentence; decimals part no sentence."""
    texts = ["The price rose by 3.5 percent in May. The price rose by 3.5 percent in June."]
    docs = parse(texts)
    scores = [float(metric.score(docs)[0]) for metric in GRUEN_METRICS[:4]]
    assert scores == sorted(scores, reverse=True) and scores[2] < scores[1]
    assert len(gruen_parts(docs, shipped_judges(masked=False))[0].likelihoods) == 2
