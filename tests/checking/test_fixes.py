"""Fixes: where they may stand, which are made, and what a file keeps."""

from __future__ import annotations

import codecs
import math
import os
from dataclasses import replace
from pathlib import Path

import pytest

from naturalness.checking.check import Checker
from naturalness.checking.fixes import (
    CLEAR_GAIN,
    Repair,
    difference,
    fixes,
    of_edit,
    of_suggestion,
    repaired,
    repairs,
    whole_repair,
    write_repaired,
)
from naturalness.checking.sources import make_source, read_source
from naturalness.checking.words import STAND_INS
from naturalness.errors import TableError
from naturalness.explaining.combining import log_odds
from naturalness.explaining.explanation import Edit, Explanation, Finding
from naturalness.explaining.explanation import Repair as ProposedRepair
from tests.support.checks import checked
from tests.support.explained import BAD, TEXT, HandMade, finding, gap

FIXED = TEXT.replace("go", "goes")
GO, SCHOOL = BAD.findings[0], finding(TEXT, "school", "", suggestions=("schools",), code="x")


def edit(old: str, new: str, *, score: float = 0.7, text: str = TEXT) -> Edit:
    """An edit that replaces a word."""
    start = text.index(old)
    return Edit(start, start + len(old), old, new, score - 0.1, score, text.replace(old, new, 1))


def low(*steps: Edit, text: str = TEXT, findings: tuple[Finding, ...] = (GO,), score: float = 0.1) -> Explanation:
    """The explanation of a text with a score and a repair."""
    repair = ProposedRepair(steps[-1].text, 0.7, 0.6, steps) if steps else None
    return replace(BAD, text=text, naturalness=score, findings=findings, edits=(), unlike=(), repair=repair)


def repairs_of(text: str, *known: Explanation, name: str = "a.md") -> list[Repair]:
    """The repairs of a file, judged by a model that knows some texts and finds others fine."""
    model = HandMade(known)
    checker = Checker(model, fixes=True)  # type: ignore[arg-type]
    return repairs(checker.judge_changed, checker.check([make_source(name, text)]).flaws)


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


def test_a_whole_repair_has_all_its_steps_or_none() -> None:
    """None if one of them would touch markup."""
    known = low(edit("go", "goes"), edit("school", "the school"))
    model = HandMade([known])

    def steps(text: str) -> list[str]:
        (flaw,) = Checker(model, edits=1).check([make_source("a.md", text)]).flaws  # type: ignore[arg-type]
        return [step.new for step in whole_repair(flaw)]

    assert steps(TEXT) == ["goes", "the school"]
    assert steps(TEXT.replace("school", "**sch**ool")) == []


def test_no_fix_reaches_into_code() -> None:
    """Nor into what reStructuredText writes so."""
    both = replace(BAD, findings=(finding(TEXT, "go", "", suggestions=("goes",)),), edits=())
    unknown = [low(text=TEXT.replace("go", word), findings=()) for word in STAND_INS]
    for name, mark in (("a.md", "`"), ("a.md", "``"), ("a.rst", "``")):
        text = TEXT.replace("go", f"{mark}go{mark}")
        (flaw,) = checked(f"{text}\n", name, model=HandMade([both, *unknown])).flaws
        assert not [*fixes(flaw)]
    beside = [low(text=TEXT.replace("school", word), findings=()) for word in STAND_INS]
    (flaw,) = checked(TEXT.replace("school", "`school`"), model=HandMade([both, *beside])).flaws
    assert [fix.new for fix in fixes(flaw)] == ["goes"]


def test_a_step_of_the_repair_that_a_rule_is_sure_of() -> None:
    """Is made if it gains clearly; a line says what changed."""
    (repair,) = repairs_of(f"{TEXT}\n", low(edit("go", "goes"), score=0.113))
    assert (repair.region.line, repair.region.column, repair.new) == (1, 4, "goes")
    assert str(repair) == "a.md:1:4: “go” → “goes” [he-go] (0.113 → 0.741)"
    unclear = 1 / (1 + math.exp(-log_odds(0.1) - CLEAR_GAIN + 0.01))
    assert not repairs_of(TEXT, low(edit("go", "goes")), low(text=FIXED, findings=(), score=unclear))


def test_the_repair_decides_between_the_forms_of_a_word() -> None:
    """A rule knows no tense."""
    (repair,) = repairs_of(TEXT, low(edit("go", "went")))
    assert (repair.new, repair.code) == ("went", "he-go")


def test_changes_that_add_and_leave_out() -> None:
    """Are called so."""
    missing = replace(gap(TEXT, "school", "", weight=0.9), source="rules", suggestions=("the",), code="x")
    put_in = Edit(9, 9, "", "the ", 0.6, 0.7, TEXT.replace("school", "the school"))
    (repair,) = repairs_of(TEXT, low(put_in, findings=(missing,)))
    assert str(repair).startswith("a.md:1:10: put in “the” [x]")
    needless = finding(TEXT, "yesterday", "", suggestions=("",), code="x")
    (repair,) = repairs_of(TEXT, low(edit(" yesterday", ""), findings=(needless,)))
    assert str(repair).startswith("a.md:1:18: leave out “yesterday” [x]")


@pytest.mark.parametrize(
    "known",
    [
        low(edit("go", "goes"), findings=(replace(GO, weight=0.4),)),
        low(edit("go", "goes"), findings=(replace(GO, source="detector"),)),
        low(edit("go", "goes"), findings=(replace(GO, suggestions=()),)),
        low(edit("go", "runs")),
        low(edit("to", "into")),
        low(),
        replace(low(edit("go", "goes")), edits=(edit("go", "goes", score=0.6), edit("go to", "leave", score=0.7))),
    ],
    ids=["not sure", "no rule", "no suggestion", "another word", "another place", "no repair", "a better edit"],
)
def test_what_is_not_made(known: Explanation) -> None:
    """Rule, networks and score must agree."""
    assert not repairs_of(f"{TEXT}\n", known)


def test_nothing_may_be_wrong_afterwards() -> None:
    """Neither the same finding nor a new one; other findings may stay."""
    steps, after = low(edit("go", "goes"), findings=(GO, SCHOOL)), low(text=FIXED, findings=(), score=0.9)
    assert repairs_of(TEXT, steps, replace(after, findings=(finding(FIXED, "school", "", code="x"),)))
    assert not repairs_of(TEXT, steps, replace(after, findings=(finding(FIXED, "goes", "", code="new"),)))


def test_one_finding_is_mended_once() -> None:
    """Where either of two words may go, one stays."""
    twice = replace(finding(TEXT, "to school", ""), source="rules", suggestions=("to", "school"), code="x")
    steps = low(edit("to ", ""), edit(" school", ""), findings=(twice,))
    (repair,) = repairs_of(TEXT, steps, low(text=TEXT.replace("to ", ""), findings=(), score=0.9))
    assert (repair.new, repair.region.start) == ("", TEXT.index("to "))


def test_several_in_a_sentence_are_made_together() -> None:
    """If they do not pass together, the first that passes alone is made."""
    first = edit("go", "goes")
    second = replace(edit("school", "schools"), text=FIXED.replace("school", "schools"))
    both = low(first, second, findings=(GO, SCHOOL))
    fine = low(text=second.text, findings=(), score=0.9)
    assert [repair.new for repair in repairs_of(TEXT, both, fine)] == ["goes", "schools"]
    assert [repair.new for repair in repairs_of(TEXT, both, replace(fine, naturalness=0.1))] == ["goes"]


def test_nothing_but_the_change_changes(tmp_path: Path) -> None:
    """Line ends, a byte order mark and permissions stay; so does the rest of the text."""
    file = tmp_path / "a.md"
    before = f"\ufeff# Yes\r\n\r\n- {TEXT} *Well*,\tyes.  \r\nno line end"
    file.write_bytes(before.encode())
    file.chmod(0o640)
    source = read_source(str(file))
    changes = repairs_of(source.text, low(edit("go", "goes")))
    assert len(changes) == 1
    write_repaired(source, repaired(source, changes))
    assert file.read_bytes() == before.replace(" go ", " goes ").encode()
    assert file.read_bytes().startswith(codecs.BOM_UTF8)
    assert file.stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="no extended attributes on this system")
def test_extended_attributes_stay(tmp_path: Path) -> None:
    """They belong to the file, not to its text."""
    file = tmp_path / "a.md"
    file.write_text(TEXT)
    try:
        os.setxattr(file, "user.origin", b"here")
    except OSError as error:
        pytest.skip(f"no extended attributes on this disk ({error})")
    write_repaired(read_source(str(file)), "other")
    assert file.read_text() == "other"
    assert os.getxattr(file, "user.origin") == b"here"


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    """What a link leads to may lie anywhere: the file itself has to be named."""
    file, link = tmp_path / "a.md", tmp_path / "b.md"
    file.write_text(TEXT)
    link.symlink_to(file)
    source = read_source(str(link))
    with pytest.raises(TableError, match=r"b\.md is a link; name the file that it leads to, '.*a\.md'"):
        write_repaired(source, "other")
    assert file.read_text() == TEXT


def test_no_file_leaves_its_other_names(tmp_path: Path) -> None:
    """A new file would be written under one of them only."""
    file, other = tmp_path / "a.md", tmp_path / "b.md"
    file.write_text(TEXT)
    other.hardlink_to(file)
    with pytest.raises(
        TableError, match=r"b\.md has other names \(hard links\), which would keep its old text; remove"
    ):
        write_repaired(read_source(str(other)), "other")
    assert file.read_text() == other.read_text() == TEXT


def test_a_file_of_another_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Is left alone; the administrator may write it, and it stays that user's."""
    file = tmp_path / "a.md"
    file.write_text(TEXT)
    monkeypatch.setattr("os.geteuid", lambda: file.stat().st_uid + 1, raising=False)
    with pytest.raises(TableError, match=r"a\.md belongs to another user, who would lose it; fix it as that user"):
        write_repaired(read_source(str(file)), "other")
    monkeypatch.setattr("os.geteuid", lambda: 0)
    write_repaired(read_source(str(file)), "other")
    assert file.read_text() == "other"


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    """Somebody else has written it."""
    file = tmp_path / "a.md"
    file.write_text("One.\n")
    source = read_source(str(file))
    file.write_text("Two.\n")
    with pytest.raises(TableError, match=r"a\.md has changed while it was checked; check it again"):
        write_repaired(source, "Three.\n")
    assert file.read_text() == "Two.\n"


def test_a_difference() -> None:
    """As patch reads it."""
    source = make_source("a.md", "One.\n\nHe go")
    assert difference(source, "One.\n\nHe goes") == (
        "--- a.md\n+++ a.md\n@@ -1,3 +1,3 @@\n One.\n \n-He go\n\\ No newline at end of file\n"
        "+He goes\n\\ No newline at end of file\n"
    )
    assert difference(source, source.text) == ""
    feed = make_source("a.md", "One line.\x0cHe go.\u2028So.\n")
    assert difference(feed, feed.text.replace("go", "goes")) == (
        "--- a.md\n+++ a.md\n@@ -1 +1 @@\n-One line.\x0cHe go.\u2028So.\n+One line.\x0cHe goes.\u2028So.\n"
    )
