"""Labels from ratings: the rules of papers at their bounds, aspects, floors, votes, bad rules."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.data.labels import (
    NATURAL,
    RULES,
    SAME,
    UNNATURAL,
    LabelRule,
    known_order,
    majority,
    match_order,
    rule_named,
    unify,
)
from naturalness.errors import NaturalnessError, TableError

NAN = float("nan")


WORKED = """
groves2018-votes           1 1 1 1 1 1 1 1 0 0                              natural
groves2018-votes           1 1 1 1 1 1 1 0 0 0                              -           exactly 70 % is not more
groves2018-votes           1 1 1 1 1 1 1 1 1 1 1 1 1 1 0 0 0 0 0 0          -
groves2018-votes           1 1 1 1 1 0 0                                    natural     .714
groves2018-votes           1 1 1 0 0 0 0 0 0 0                              -           exactly 30 % is not less
groves2018-votes           1 1 0 0 0 0 0                                    unnatural   .286
groves2018-votes           1 0                                              -
groves2018-votes           0 0 0 0 0                                        unnatural
groves2018-likert          5 5 5                                            natural
groves2018-likert          6 6 4                                            unnatural   but one rating under 5
groves2018-likert          5 5 4                                            unnatural
groves2018-likert          6                                                natural
groves2018-likert-proxy    6 6 4                                            natural     what the proxy gets wrong
groves2018-likert-proxy    5 5 4                                            unnatural
groves2018-webnlg          3 3 3 2 2/3 3 3 2 2                              natural     both 2.6
groves2018-webnlg          3 3 3 2 2/3 3 2 2 2                              unnatural   grammar 2.4
groves2018-webnlg          3 3 3 3 1/3 3 3 3 3                              unnatural   2.6, but a 1
heilman2014-gug            4 4 3 3 3 4                                      natural     3.5
heilman2014-gug            4 3 3 3 3 4                                      unnatural   3.33
"""
"""Rule, single ratings per aspect, label, and a remark."""


def test_rules_of_papers() -> None:
    """Labels on, above and below every bound of every rule equal those determined by hand."""
    rows = [re.split("  +", line) for line in WORKED.strip().splitlines()]
    for name, ratings, label, *_ in rows:
        aspects = [list(map(float, aspect.split())) for aspect in ratings.split("/")]
        assert (rule_named(name).label(aspects) or "-") == label, (name, ratings)
    assert {name for name, *_ in rows} == set(RULES)
    assert all(rule.source for rule in RULES.values())


@pytest.mark.parametrize(
    ("rule", "labels"),
    [
        # An unnatural aspect decides; otherwise, a missing or middle one leaves the text out.
        (
            LabelRule(4, 2),
            {
                "5 4": NATURAL,
                "5 3": None,
                "5 2": None,
                "3 1": UNNATURAL,
                "5 nan": None,
                "1 nan": UNNATURAL,
                "nan": None,
                "": None,
            },
        ),
        # Unless strict, the upper bound counts as natural and the lower one as the middle.
        (LabelRule(4, 2), {"4": NATURAL, "3": None, "2": None, "1.9": UNNATURAL}),
        (LabelRule(4, 2, strict=True), {"4.1": NATURAL, "4": None, "2": None, "1.9": UNNATURAL}),
        (LabelRule(4, strict=True), {"4.1": NATURAL, "4": None, "3.9": UNNATURAL}),
    ],
)
def test_aspects_and_bounds(rule: LabelRule, labels: dict[str, str | None]) -> None:
    """Each aspect has one rating; NaN is a missing one."""
    for ratings, label in labels.items():
        assert rule.label([[float(rating)] for rating in ratings.split()]) == label, ratings
    assert rule.label([[]]) is None


def test_rounding_does_not_move_a_bound() -> None:
    """A mean that misses its bound by a rounding error is on the bound."""
    ratings = [0.1, 0.2]
    assert sum(ratings) / 2 != 0.15
    assert LabelRule(0.15).label([ratings]) == NATURAL
    assert LabelRule(0.15, strict=True).label([ratings]) is None
    assert LabelRule(0, votes_from=0.3).label([[0.1 + 0.2]]) == NATURAL
    assert LabelRule(0, floor=0.3).label([[0.7 - 0.4]]) == NATURAL
    assert LabelRule(1, votes_from=1).label([[1]]) == NATURAL
    below = LabelRule(1, 0)
    assert below.label([[-SAME]]) is None
    assert below.label([[-2 * SAME]]) == UNNATURAL


def test_means_are_used_if_there_are_no_single_ratings() -> None:
    """Individual ratings take precedence over the mean."""
    rule = LabelRule(3.5)
    assert rule.label([[], []], [4, 3.5]) == NATURAL
    assert rule.label([[], []], [4, 3.4]) == UNNATURAL
    assert rule.label([[1], []], [4, 4]) == UNNATURAL
    assert rule.label([[]], [NAN]) is None
    with pytest.raises(ValueError, match="shorter"):
        rule.label([[], []], [4])


@pytest.mark.parametrize("rule", [LabelRule(5, floor=5), RULES["groves2018-votes"]])
def test_a_rule_on_single_ratings_ignores_means(rule: LabelRule) -> None:
    """A floor or a share of votes cannot be checked with a mean."""
    assert rule.needs_single_ratings
    assert rule.label([[]], [5.5]) is None


BAD: list[tuple[dict[str, Any], str]] = [
    (
        {"natural_from": 2, "unnatural_below": 3},
        "label rule: natural from 2 on, but unnatural below 3: a text could be both; lower "
        "unnatural_below or raise natural_from",
    ),
    ({"natural_from": NAN}, "label rule: natural_from is nan; expected a finite number"),
    ({"natural_from": 5, "floor": math.inf}, "label rule: floor is inf; expected a finite number"),
    (
        {"natural_from": 1.5, "votes_from": 1},
        "label rule: natural_from is 1.5, but with votes_from the bounds are shares of votes; "
        "expected 0 to 1, such as 0.7 for 70 %",
    ),
    (
        {"natural_from": 0.7, "unnatural_below": -1, "votes_from": 1},
        "label rule: unnatural_below is -1, but with votes_from the bounds are shares of votes; "
        "expected 0 to 1, such as 0.7 for 70 %",
    ),
]


@pytest.mark.parametrize(("options", "message"), BAD)
def test_contradictory_rules_are_refused(options: dict[str, Any], message: str) -> None:
    """A contradictory rule raises an error that says what was found, what was expected and what to do."""
    with pytest.raises(NaturalnessError) as caught:
        LabelRule(**options)
    assert str(caught.value) == message


def test_rules_describe_themselves() -> None:
    """The description names the bounds, the middle, the floor and the paper in one line."""
    assert LabelRule(3.5).describe() == "natural from a mean rating of 3.5"
    assert RULES["groves2018-votes"].describe() == (
        "natural above a share of votes (ratings from 1 on) of 0.7; unnatural below 0.3; left out "
        "between (Groves, Tian & Douratsos 2018, INLG, W18-6512)"
    )
    assert LabelRule(5, 3, floor=2).describe() == (
        "natural from a mean rating of 5; unnatural below 3; left out between; unnatural with any rating below 2"
    )


@given(st.lists(st.lists(st.integers(1, 6), min_size=1, max_size=5), min_size=1, max_size=3))
def test_better_ratings_never_make_a_worse_label(aspects: list[list[int]]) -> None:
    """Raising every rating by one never lowers the label, for every paper's rule."""
    better = [[rating + 1 for rating in one] for one in aspects]
    for rule in (*RULES.values(), LabelRule(4, 2)):
        order = [UNNATURAL, None, NATURAL]
        before, after = (rule.label(a) for a in (aspects, better))
        assert order.index(after) >= order.index(before)


@pytest.mark.parametrize(
    "labels",
    [
        "unnatural<natural",
        "Unnatural<Not Sure<Natural",
        "0<1",
        "0.0<1.0",
        "-1<1",
        "-1.0<1.0",
        "False<True",
        "no<maybe<yes",
        "bad<good",
        "not perfect<perfect",
        "not_perfect<perfect",
        "unacceptable<acceptable",
        "ungrammatical<grammatical",
        "disfluent<fluent",
        "not-fluent<FLUENT",
        "natural",
    ],
)
def test_known_labels_have_an_order(labels: str) -> None:
    """Known labels are ordered in any case and with any hyphen; the table's names are kept."""
    order = labels.split("<")
    assert known_order(order[::-1], "column 'label'") == order


@pytest.mark.parametrize("classes", [["ok", "broken"], ["1", "2"], ["good", "no"], ["not sure"]])
def test_unknown_labels_must_be_ordered_by_the_user(classes: list[str]) -> None:
    """Labels of two pairs do not order each other; a middle label alone orders nothing."""
    with pytest.raises(TableError) as caught:
        known_order(classes, "column 'label' of 'x.tsv'")
    assert str(caught.value) == (
        f"column 'label' of 'x.tsv' holds the labels {', '.join(sorted(classes))}, whose order is not known; "
        "name them with `labels=worst,…,best` (if they are ratings, name the column with "
        "`rating_columns`, and write plain numbers)"
    )


def test_spellings_become_one_class() -> None:
    """The most frequent spelling names the class."""
    assert unify(["Good", "good", "good", "1.0", "1", "1"]) == {"Good": "good", "good": "good", "1.0": "1", "1": "1"}


@pytest.mark.parametrize("classes", [["-1", "1"], ["-1", "0", "1"], ["A", "A-", "B", "B-"], ["+", "-"]])
def test_signs_distinguish_labels(classes: list[str]) -> None:
    """A minus sign before a number or after a grade makes it a different class."""
    assert unify(classes) == {name: name for name in classes}
    assert match_order(classes, classes, "x") == {name: name for name in classes}


def test_a_given_order_names_the_classes() -> None:
    """Labels outside the given order count as absent."""
    assert match_order(["Bad", "fine"], ["fine", "bad", "other"], "x") == {"bad": "Bad", "fine": "fine"}


@pytest.mark.parametrize(
    ("order", "message"),
    [
        (["good"], "`labels=good`: expected two or more different labels, worst first"),
        (["bad", "Bad"], "`labels=bad,Bad`: expected two or more different labels, worst first"),
        (["bad", "goood"], "column holds no label 'goood'; did you mean 'good'? It holds: bad, good"),
        (["bad", "xyz"], "column holds no label 'xyz'; it holds: bad, good"),
    ],
)
def test_errors_in_a_given_order_are_refused(order: list[str], message: str) -> None:
    """An unknown label in the order would silently lose a class."""
    with pytest.raises(TableError) as caught:
        match_order(order, ["good", "bad"], "column")
    assert str(caught.value) == message


def test_ties_give_the_worse_label() -> None:
    """The worse label wins a tie; without labels there is no majority."""
    order = ["bad", "fair", "good"]
    assert majority(["good", "good", "bad"], order) == "good"
    assert majority(["good", "bad"], order) == "bad"
    assert majority(["good", "fair", "good", "fair", "bad"], order) == "fair"
    assert majority([], order) is None
