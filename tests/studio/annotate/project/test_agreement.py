"""Agreement among raters."""

from __future__ import annotations

import math

import pytest

from naturalness.statistics.agreement import krippendorff
from naturalness.studio.annotate.project import LABELS, PAIRS, SLIDER, Scale
from tests.support.annotation_projects import Make, rate

SAID = {"ann": (1, 2, 5, 6, 3), "bob": (1, 3, 5, 5, 3), "cid": (6, None, 2, None, None)}


def test_agreement_of_all_raters_and_of_each_pair(make: Make) -> None:
    """Pairs of raters that share most come first; answers to repeated questions do not count."""
    project = make(overlap=3)
    for rater, values in SAID.items():
        for text, value in enumerate(values):
            rate(project, rater, text, value)
    agreement = project.agreement()
    assert agreement.items == 5
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
    for text, value in ((0, 1), (1, 2), (2, 4)):
        rate(project, "ann", text, value, again=True)
    again = project.agreement()
    assert (again.pairs, again.alpha, again.items) == (agreement.pairs, agreement.alpha, agreement.items)


def test_agreement_is_undefined_without_shared_texts(make: Make) -> None:
    """It is undefined, too, if all ratings are equal; texts of one rater do not count."""
    project = make(overlap=2)
    assert math.isnan(project.agreement().alpha)
    rate(project, "ann", 0, 3)
    rate(project, "ann", 1, 4)
    assert project.agreement().pairs == ()
    rate(project, "bob", 0, 3)
    (pair,) = project.agreement().pairs
    assert (pair.items, pair.same, math.isnan(pair.alpha), project.agreement().items) == (1, 1.0, True, 1)


@pytest.mark.parametrize(
    ("scale", "level"), [(Scale(SLIDER, 0, 2), "interval"), (Scale(LABELS, 0, 2, ("bad", "so-so", "good")), "ordinal")]
)
def test_only_a_slider_is_an_interval_scale(make: Make, scale: Scale, level: str) -> None:
    """Labels are ordered."""
    project = make(scale=scale, overlap=2)
    both = [(0, 1), (2, 2), (1, 2)]
    for text, (x, y) in enumerate(both):
        rate(project, "ann", text, x)
        rate(project, "bob", text, y)
    agreement = project.agreement()
    assert agreement.alpha == pytest.approx(krippendorff(both, level))


def test_displayed_order_of_a_pair_does_not_matter(make: Make) -> None:
    """The first text for one rater may be the second for another."""
    project = make(scale=Scale(PAIRS, -1, 1), overlap=2)
    for first, second, ann, bob in ((0, 1, 1, -1), (2, 3, 0, 0), (1, 4, 1, 1)):
        rate(project, "ann", (first, second), ann)
        rate(project, "bob", (second, first), bob)
    (pair,) = project.agreement().pairs
    assert (pair.items, pair.same) == (3, pytest.approx(2 / 3))
