"""Labels from ratings: the rules of papers at their bounds, aspects, floors, votes, bad rules."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.data.labels import NATURAL, NOT_SURE, RULES, SAME, UNNATURAL, LabelRule, rule_named
from naturalness.errors import NaturalnessError, TableError

NAN = float("nan")


def votes(positive: int, all_: int) -> list[list[float]]:
    """Return one aspect with that many positive votes."""
    return [[1.0] * positive + [0.0] * (all_ - positive)]


WORKED = [
    # rule, single ratings per aspect, label
    ("groves2018-votes", votes(8, 10), NATURAL),
    ("groves2018-votes", votes(7, 10), None),  # exactly 70 % is not more than 70 %
    ("groves2018-votes", votes(14, 20), None),
    ("groves2018-votes", votes(5, 7), NATURAL),  # .714
    ("groves2018-votes", votes(3, 10), None),  # exactly 30 % is not less than 30 %
    ("groves2018-votes", votes(2, 7), UNNATURAL),  # .286
    ("groves2018-votes", votes(1, 2), None),
    ("groves2018-votes", votes(0, 5), UNNATURAL),
    ("groves2018-votes-not-sure", votes(7, 10), NOT_SURE),
    ("groves2018-votes-not-sure", votes(3, 10), NOT_SURE),
    ("groves2018-votes-not-sure", votes(8, 10), NATURAL),
    ("groves2018-votes-not-sure", votes(2, 10), UNNATURAL),
    ("groves2018-likert", [[5, 5, 5]], NATURAL),
    ("groves2018-likert", [[6, 6, 4]], UNNATURAL),  # mean 5.33, but one rating under 5
    ("groves2018-likert", [[5, 5, 4]], UNNATURAL),
    ("groves2018-likert", [[6]], NATURAL),
    ("groves2018-likert-proxy", [[6, 6, 4]], NATURAL),  # what the proxy gets wrong
    ("groves2018-likert-proxy", [[5, 5, 4]], UNNATURAL),
    ("groves2018-webnlg", [[3, 3, 3, 2, 2], [3, 3, 3, 2, 2]], NATURAL),  # both 2.6
    ("groves2018-webnlg", [[3, 3, 3, 2, 2], [3, 3, 2, 2, 2]], UNNATURAL),  # grammar 2.4
    ("groves2018-webnlg", [[3, 3, 3, 3, 1], [3, 3, 3, 3, 3]], UNNATURAL),  # 2.6, but a 1
    ("heilman2014-gug", [[4, 4, 3, 3, 3, 4]], NATURAL),  # 3.5
    ("heilman2014-gug", [[4, 3, 3, 3, 3, 4]], UNNATURAL),  # 3.33
]


@pytest.mark.parametrize(("name", "aspects", "label"), WORKED)
def test_rules_of_papers(name: str, aspects: list[list[float]], label: str | None) -> None:
    """The label on both sides of every bound and on it, determined by hand."""
    assert rule_named(name).label(aspects) == label


def test_every_rule_is_worked_out_and_has_a_source() -> None:
    """Every paper's rule has a row in the table above."""
    assert {name for name, _, _ in WORKED} == set(RULES)
    assert all(rule.source for rule in RULES.values())


def test_all_aspects_must_be_natural() -> None:
    """One unnatural aspect decides; a middle one leaves the text in the middle."""
    rule = LabelRule(4, 2, middle="not sure")
    assert rule.label([[5], [4]]) == NATURAL
    assert rule.label([[5], [3]]) == NOT_SURE
    assert rule.label([[5], [2]]) == NOT_SURE
    assert rule.label([[5], [1]]) == UNNATURAL
    assert rule.label([[3], [1]]) == UNNATURAL
    assert LabelRule(4, 2).label([[5], [3]]) is None


def test_unknown_aspects_are_left_out_unless_another_settles_it() -> None:
    """A missing aspect is ignored; one unnatural aspect is enough."""
    rule = LabelRule(4)
    assert rule.label([]) is None
    assert rule.label([[]]) is None
    assert rule.label([[NAN]]) is None
    assert rule.label([[5], []]) is None
    assert rule.label([[1], []]) == UNNATURAL


def test_bounds_are_natural_from_and_unnatural_below() -> None:
    """Unless strict, the upper bound counts as natural and the lower one as the middle."""
    plain, strict = LabelRule(4, 2), LabelRule(4, 2, strict=True)
    assert [plain.label([[r]]) for r in (4, 3, 2, 1.9)] == [NATURAL, None, None, UNNATURAL]
    assert [strict.label([[r]]) for r in (4.1, 4, 2, 1.9)] == [NATURAL, None, None, UNNATURAL]
    one = LabelRule(4, strict=True)
    assert [one.label([[r]]) for r in (4.1, 4, 3.9)] == [NATURAL, None, UNNATURAL]


def test_rounding_does_not_move_a_bound() -> None:
    """A mean that misses its bound by a rounding error is on the bound."""
    ratings = [0.1, 0.2]
    assert sum(ratings) / 2 != 0.15
    assert LabelRule(0.15).label([ratings]) == NATURAL
    assert LabelRule(0.15, strict=True).label([ratings]) is None
    assert LabelRule(0, votes_from=0.3).label([[0.1 + 0.2]]) == NATURAL
    assert LabelRule(0, floor=0.3).label([[0.7 - 0.4]]) == NATURAL
    below = LabelRule(1, 0)
    assert below.label([[-SAME]]) is None
    assert below.label([[-2 * SAME]]) == UNNATURAL


def test_means_serve_where_single_ratings_are_not_public() -> None:
    """Individual ratings come first; without them the mean counts."""
    rule = LabelRule(3.5)
    assert rule.label([[], []], [4, 3.5]) == NATURAL
    assert rule.label([[], []], [4, 3.4]) == UNNATURAL
    assert rule.label([[1], []], [4, 4]) == UNNATURAL
    assert rule.label([[]], [NAN]) is None
    with pytest.raises(ValueError, match="shorter"):
        rule.label([[], []], [4])


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        (LabelRule(5, floor=5), "the label rule needs single ratings for the floor of 5,"),
        (RULES["groves2018-votes"], "needs single ratings for the share of votes from 1 on,"),
    ],
)
def test_a_rule_on_single_ratings_refuses_means(rule: LabelRule, reason: str) -> None:
    """A floor or a share of votes cannot be checked with a mean; the error says what to do."""
    assert rule.needs_single_ratings
    with pytest.raises(TableError) as caught:
        rule.label([[]], [5.5])
    assert reason in str(caught.value)
    assert "and only means are given; name columns of single ratings" in str(caught.value)
    assert rule.label([[]], [NAN]) is None


BAD: list[tuple[dict[str, Any], str]] = [
    (
        {"natural_from": 2, "unnatural_below": 3},
        "label rule: natural from 2 on, but unnatural below 3: a text could be both; lower "
        "unnatural_below or raise natural_from",
    ),
    ({"natural_from": NAN}, "label rule: natural_from is nan; expected a finite number"),
    ({"natural_from": 5, "floor": math.inf}, "label rule: floor is inf; expected a finite number"),
    (
        {"natural_from": 70, "votes_from": 1},
        "label rule: natural_from is 70, but with votes_from the bounds are shares of votes; "
        "expected 0 to 1, as 0.7 for 70 %",
    ),
    (
        {"natural_from": 0.7, "unnatural_below": -1, "votes_from": 1},
        "label rule: unnatural_below is -1, but with votes_from the bounds are shares of votes; "
        "expected 0 to 1, as 0.7 for 70 %",
    ),
    (
        {"natural_from": 4, "middle": "not sure"},
        "label rule: no text could be 'not sure', because natural and unnatural meet at 4; give an "
        "unnatural_below under it, or leave the middle out",
    ),
    (
        {"natural_from": 4, "unnatural_below": 2, "middle": "not-sure"},
        "unknown middle of a label rule 'not-sure'; did you mean 'not sure'?",
    ),
]


@pytest.mark.parametrize(("options", "message"), BAD)
def test_rules_without_meaning_are_refused(options: dict[str, Any], message: str) -> None:
    """The message says what was found, what was expected and what to do."""
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
    assert LabelRule(5, 3, floor=2, middle="not sure").describe() == (
        "natural from a mean rating of 5; unnatural below 3; not sure between; unnatural with any rating below 2"
    )


@given(st.lists(st.lists(st.integers(1, 6), min_size=1, max_size=5), min_size=1, max_size=3))
def test_better_ratings_never_make_a_worse_label(aspects: list[list[int]]) -> None:
    """Raising every rating by one never lowers the label, for every paper's rule."""
    better = [[rating + 1 for rating in one] for one in aspects]
    for rule in (*RULES.values(), LabelRule(4, 2, middle="not sure")):
        order = [UNNATURAL, NOT_SURE, NATURAL]
        before, after = (rule.label(a) or NOT_SURE for a in (aspects, better))
        assert order.index(after) >= order.index(before)
