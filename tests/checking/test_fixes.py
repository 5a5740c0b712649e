"""Fixes: where they may stand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from naturalness.checking.fixes import fixes, of_edit, of_suggestion
from naturalness.checking.words import STAND_INS
from naturalness.explaining.explanation import Edit, Explanation, Finding
from tests.support.checks import checked
from tests.support.explained import BAD, TEXT, HandMade, finding, gap


def low(text: str, *findings: Finding, score: float = 0.1) -> Explanation:
    """An explanation of a text with a score."""
    return replace(BAD, text=text, naturalness=score, findings=findings, edits=(), unlike=())


@pytest.mark.parametrize(
    ("part", "suggestion", "expected"),
    [
        ("go", "goes", "He goes to school 語 yesterday."),
        ("go", "", "He to school 語 yesterday."),
        ("He", "", "go to school 語 yesterday."),
        (" yesterday", "", "He go to school 語."),
        (".", "", "He go to school 語 yesterday"),
    ],
)
def test_suggestions(part: str, suggestion: str, expected: str) -> None:
    """What is left out leaves one space."""
    issue = finding(TEXT, part, "", suggestions=(suggestion,))
    start, end, new = of_suggestion(TEXT, issue, suggestion)
    assert TEXT[:start] + new + TEXT[end:] == expected


def test_what_is_put_in_brings_a_space() -> None:
    """Before the word behind the gap."""
    start, end, new = of_suggestion(TEXT, gap(TEXT, "school", ""), "the")
    assert TEXT[:start] + new + TEXT[end:] == "He go to the school 語 yesterday."


def test_an_edit_is_told_by_the_text_that_it_makes() -> None:
    """Whatever it says of the words; one that does not fit its own text is none."""
    edit = Edit(9, 9, "", "the", 0.1, 0.5, "He go to the school 語 yesterday.")
    assert of_edit(TEXT, edit) == (9, 9, "the ")
    assert of_edit(TEXT, replace(edit, text="Another text.")) is None


def test_no_fix_reaches_over_markup() -> None:
    """Nor over a line end: the file would lose them."""
    both = replace(BAD, findings=(finding(TEXT, "go to", "", suggestions=("goes to",)),), edits=())
    assert [*fixes(checked(f"{TEXT}\n", model=HandMade([both])).flaws[0])]
    marked = TEXT.replace("go to", "**go** to")
    assert not [*fixes(checked(f"{marked}\n", model=HandMade([both])).flaws[0])]
    broken = TEXT.replace("go to", "go\nto")
    assert not [*fixes(checked(f"{broken}\n", model=HandMade([both])).flaws[0])]


def test_no_fix_reaches_into_code() -> None:
    """Nor into what reStructuredText writes so."""
    both = replace(BAD, findings=(finding(TEXT, "go", "", suggestions=("goes",)),), edits=())
    unknown = [low(TEXT.replace("go", word)) for word in STAND_INS]
    for name, mark in (("a.md", "`"), ("a.md", "``"), ("a.rst", "``")):
        text = TEXT.replace("go", f"{mark}go{mark}")
        (flaw,) = checked(f"{text}\n", name, model=HandMade([both, *unknown])).flaws
        assert not [*fixes(flaw)]
    beside = [low(TEXT.replace("school", word)) for word in STAND_INS]
    (flaw,) = checked(TEXT.replace("school", "`school`"), model=HandMade([both, *beside])).flaws
    assert [fix.new for fix in fixes(flaw)] == ["goes"]
