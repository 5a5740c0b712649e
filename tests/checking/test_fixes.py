"""What could be put into a file."""

from __future__ import annotations

from dataclasses import replace

import pytest

from naturalness.checking.fixes import fixes, of_edit, of_suggestion
from naturalness.explaining.explanation import Edit
from tests.support.checks import checked
from tests.support.explained import BAD, TEXT, HandMade, finding, gap


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
    found = finding(TEXT, part, "", suggestions=(suggestion,))
    start, end, new = of_suggestion(TEXT, found, suggestion)
    assert TEXT[:start] + new + TEXT[end:] == expected


def test_what_is_put_in_brings_a_space() -> None:
    """Before the word behind the gap."""
    start, end, new = of_suggestion(TEXT, gap(TEXT, "school", ""), "the")
    assert TEXT[:start] + new + TEXT[end:] == "He go to the school 語 yesterday."


def test_an_edit_is_told_by_the_text_that_it_makes() -> None:
    """Whatever it says of the words; one that does not fit its own text is none."""
    made = Edit(9, 9, "", "the", 0.1, 0.5, "He go to the school 語 yesterday.")
    assert of_edit(TEXT, made) == (9, 9, "the ")
    assert of_edit(TEXT, replace(made, text="Another text.")) is None


def test_no_fix_reaches_over_markup() -> None:
    """Nor over a line end: the file would lose them."""
    both = replace(BAD, findings=(finding(TEXT, "go to", "", suggestions=("goes to",)),), edits=())
    assert [*fixes(checked(f"{TEXT}\n", model=HandMade([both])).flaws[0])]
    marked = TEXT.replace("go to", "**go** to")
    assert not [*fixes(checked(f"{marked}\n", model=HandMade([both])).flaws[0])]
    broken = TEXT.replace("go to", "go\nto")
    assert not [*fixes(checked(f"{broken}\n", model=HandMade([both])).flaws[0])]
