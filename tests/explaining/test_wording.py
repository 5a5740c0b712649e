"""Explanations in words and round numbers."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.explaining import wording
from naturalness.explaining.explanation import Edit, Repair
from tests.support.explained import BAD, GOOD, NAN, TEXT, finding, gap, moved, without
from tests.support.lines import rows

STANDINGS = """
1 | 0.03 | lower than in 97 % of your texts
1 | 0.97 | higher than in 97 % of your texts
1 | 0.0 | lower than in over 99 % of your texts
1 | 0.3 | usual in your texts
1 | nan | 1 here
nan | nan | undefined here
"""
"""A value, the share of texts with a lower value, and the comparison in words."""


@pytest.mark.parametrize(("value", "share", "expected"), rows(STANDINGS))
def test_where_a_value_stands(value: str, share: str, expected: str) -> None:
    """The position of a value among the reference texts is counted from the nearer end."""
    feature = replace(moved("a__b", float(share), -1.0), value=float(value))
    assert wording.standing(feature, "your texts") == expected


def test_only_causes_that_lower_the_score_get_a_remark() -> None:
    """Causes that lower the score get a remark, except for a rating of the whole text."""
    verbs = BAD.contributions[0]
    one = replace(BAD, findings=())
    assert wording.remark(verbs, one) == "suspected verb errors: higher than in 97 % of reference texts"
    raised = replace(verbs, value=1.2, features=(replace(verbs.features[1], effect=0.9),))
    opinion = replace(verbs, cause="rating")
    assert wording.remark(raised, one) == wording.remark(opinion, one) == ""
    assert wording.why(replace(one, contributions=(opinion,), cause=""), lowering=True) == ""


def test_findings_in_a_line() -> None:
    """Suggestions already in the message are not repeated; a gap names the next word."""
    lines = [wording.in_a_line(one, TEXT) for one in BAD.findings]
    assert lines == [
        "“go”: after 'He' the verb ends in -s: 'goes'",
        "“語”: this is not a word → leave it out",
        "“school”: a word seems to be missing before this",
    ]
    several = finding(TEXT, "go", "this does not agree.", suggestions=("goes", "went", "go", "x"))
    assert wording.in_a_line(several, TEXT) == ("“go”: this does not agree → “goes” or “went” or “go”")
    end = replace(gap(TEXT, "He", "something is missing"), start=len(TEXT), end=len(TEXT))
    assert wording.in_a_line(end, TEXT) == "something is missing"


def test_edits_in_a_line() -> None:
    """An unknown probability and a missing reason are left out."""
    of = Edit(0, 2, "of", "on", 0.4, 0.513, "…", 0.944, "replace", "'depend' takes 'on'")
    assert wording.edit_in_full(of) == "“of” → “on” (94 %): 'depend' takes 'on'"
    assert wording.merits(of) == "'depend' takes 'on' (94 %)"
    plain = replace(of, probability=NAN, reason="")
    assert wording.edit_in_full(plain) == "“of” → “on”"
    assert wording.merits(plain) == "naturalness 0.513 (+0.400)"
    assert wording.edit_in_full(replace(plain, after="")) == "leave out “of”"


def test_repairs_in_a_line() -> None:
    """The line ends with the joint probability of several edits if each has one."""
    step = Edit(0, 2, "go", "went", 0.4, 0.513, "…", 0.9)
    pair = Repair("…", 0.6, 0.5, (step, step))
    assert pair.probability == pytest.approx(0.81)
    assert wording.repair_in_words(pair) == "“go” → “went” (90 %); “go” → “went” (90 %); all (81 %)"
    assert wording.repair_in_words(Repair("…", 0.6, 0.5, (step,))) == "“go” → “went” (90 %)"
    unknown = Repair("…", 0.6, 0.5, (step, replace(step, probability=NAN)))
    assert math.isnan(unknown.probability)
    assert wording.repair_in_words(unknown) == "“go” → “went” (90 %); “go” → “went”"


def test_causes_in_a_line() -> None:
    """The line has the three strongest causes, or only those that lower the score."""
    assert wording.why(BAD) == ("verb forms −1.8; articles, prepositions, pronouns −0.6; length and readability +0.1")
    assert wording.why(BAD, lowering=True) == ("verb forms −1.8; articles, prepositions, pronouns −0.6")
    assert wording.why(without("…", "no words")) == ""


def test_titles() -> None:
    """The title is that of the cause or, without one, *the sentence as a whole*."""
    assert wording.title_of(BAD) == "verb forms"
    assert wording.title_of(GOOD) == wording.WHOLE


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=14), st.floats(-0.02, 0.02))
def test_rounded_values_add_up(values: list[float], off: float) -> None:
    """Rounded values add up to the rounded sum, each within about one last digit."""
    total = math.fsum(values) + off * 0.1
    shown = wording.adding_up(values, total)
    assert round(math.fsum(shown), 2) == round(round(total / 0.01) * 0.01, 2)
    assert max(abs(a - b) for a, b in zip(shown, values, strict=True)) < 0.02


def test_the_named_cause_is_never_rounded_to_zero() -> None:
    """Rounding never shows the named cause as 0.00."""
    values = [-0.0051, -0.014, -0.014]
    assert wording.adding_up(values, -0.02) == [0.0, -0.01, -0.01]
    assert wording.adding_up(values, -0.02, spared=0) == [-0.01, 0.0, -0.01]
