"""How far raters agree."""

from __future__ import annotations

import math

import pytest

from naturalness.statistics.agreement import krippendorff
from naturalness.studio.annotate.project import LABELS, PAIRS, SLIDER, Project, Scale
from tests.support.annotation_projects import Make, rate

SAID = {"ann": (1, 2, 5, 6, 3), "bob": (1, 3, 5, 5, 3), "cid": (6, None, 2, None, None)}


@pytest.fixture
def project(make: Make) -> Project:
    """Three raters; the third skips much and sees things otherwise."""
    project = make(overlap=3)
    for rater, values in SAID.items():
        for text, value in enumerate(values):
            rate(project, rater, text, value)
    return project


def test_pairs_of_raters(project: Project) -> None:
    """Alpha over what both have rated; those who share most first."""
    agreement = project.agreement()
    assert (agreement.level, agreement.items) == ("ordinal", 5)
    assert [(p.first, p.second, p.items) for p in agreement.pairs] == [
        ("ann", "bob", 5),
        ("ann", "cid", 2),
        ("bob", "cid", 2),
    ]
    ann_bob = list(zip(SAID["ann"], SAID["bob"], strict=True))
    assert agreement.pairs[0].alpha == pytest.approx(krippendorff(ann_bob, "ordinal"))  # type: ignore[arg-type]
    assert agreement.pairs[0].alpha > 0.8 > 0 > agreement.pairs[1].alpha
    assert (agreement.pairs[0].same, agreement.pairs[1].same) == (0.6, 0.0)
    everything = [[1, 1, 6], [2, 3], [5, 5, 2], [6, 5], [3, 3]]
    assert agreement.alpha == pytest.approx(krippendorff(everything, "ordinal"))


def test_repeated_questions(project: Project) -> None:
    """Answers to what was asked again do not count as agreement of two."""
    before = project.agreement()
    for text, value in ((0, 1), (1, 2), (2, 4)):
        rate(project, "ann", text, value, again=True)
    after = project.agreement()
    assert (after.pairs, after.alpha, after.items) == (before.pairs, before.alpha, before.items)


def test_nothing_to_agree_on(make: Make) -> None:
    """Without a second rater, or where all is the same, agreement is unknown."""
    project = make(overlap=2)
    assert math.isnan(project.agreement().alpha)
    rate(project, "ann", 0, 3)
    assert project.agreement().pairs == ()
    rate(project, "bob", 0, 3)
    (pair,) = project.agreement().pairs
    assert (pair.items, pair.same, math.isnan(pair.alpha)) == (1, 1.0, True)


def test_items_of_one_rater_are_not_counted(make: Make) -> None:
    """Only what two have rated says something of agreement."""
    project = make(overlap=3)
    for text, raters in enumerate(("ann", "ann bob", "ann bob cid", "bob")):
        for rater in raters.split():
            rate(project, rater, text, 3)
    assert project.agreement().items == 2


def test_a_slider_has_even_steps(make: Make) -> None:
    """Its alpha is that of intervals."""
    project = make(scale=Scale(SLIDER, 0, 100), overlap=2)
    for text, (x, y) in enumerate([(0, 10), (50, 55), (90, 20)]):
        rate(project, "ann", text, x)
        rate(project, "bob", text, y)
    agreement = project.agreement()
    assert agreement.level == "interval"
    assert agreement.alpha == pytest.approx(krippendorff([[0, 10], [50, 55], [90, 20]], "interval"))


def test_pairs_that_were_shown_in_other_orders(make: Make) -> None:
    """The first of one rater may be the second of another."""
    project = make(scale=Scale(PAIRS, -1, 1), overlap=2)
    for first, second, ann, bob in ((0, 1, 1, -1), (2, 3, 0, 0), (1, 4, 1, 1)):
        rate(project, "ann", (first, second), ann)
        rate(project, "bob", (second, first), bob)
    (pair,) = project.agreement().pairs
    assert (pair.items, pair.same) == (3, pytest.approx(2 / 3))


def test_labels_are_ordered(make: Make) -> None:
    """Their places count, so the middle is nearer than the end."""
    project = make(scale=Scale(LABELS, 0, 2, ("bad", "so-so", "good")), overlap=2)
    rate(project, "ann", 0, 0)
    rate(project, "bob", 0, 1)
    assert project.agreement().level == "ordinal"
