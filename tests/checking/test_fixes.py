"""Fixes: where they are allowed, which are made, and what stays unchanged."""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from naturalness.checking.checker import FileChecker
from naturalness.checking.fixes import (
    Fix,
    apply_fixes,
    difference,
    fixes,
    of_suggestion,
    sure_fixes,
    whole_repair,
    write_fixed,
)
from naturalness.checking.sources import make_source, read_source
from naturalness.checking.verdicts import SentenceVerdict
from naturalness.checking.words import STAND_INS
from naturalness.errors import TableError
from naturalness.explaining.explanation import Edit, Explanation, Repair
from naturalness.explaining.mending import Correction
from naturalness.pipelines.scorer import NaturalnessModel
from tests.support.checks import checked
from tests.support.explained import BAD, FINE, TEXT, WAS, WERE, HandMade, finding, gap

HAS, HAVE = "I has been there before.", "I have been there before."
"""Another text with an error of which rules and networks are sure, and the same text without the error."""
EVEN = 0.5
"""A probability that the edits of these errors exceed, whatever surrounds them."""


def edit(old: str, new: str, *, score: float = 0.7, text: str = TEXT) -> Edit:
    """Return an edit that replaces a word."""
    start = text.index(old)
    return Edit(start, start + len(old), old, new, score - 0.1, score, text.replace(old, new, 1))


def low(*steps: Edit, text: str = TEXT, score: float = 0.1) -> Explanation:
    """Return the explanation of a text with a score and a repair."""
    repair = Repair(steps[-1].text, 0.7, 0.6, steps) if steps else None
    findings = BAD.findings[:1] if text == TEXT else ()
    return replace(BAD, text=text, naturalness=score, findings=findings, edits=(), unlike=(), repair=repair)


def correction(text: str, old: str, new: str, fault: str = "agreement", **fields: Any) -> Correction:
    """Return a correction that replaces words, or adds at the end if ``old`` is empty."""
    start = text.index(old) if old else len(text)
    return Correction(
        start, start + len(old), new, **{"probability": 0.97, "kind": "replace", "fault": fault, **fields}
    )


def fixes_of(
    text: str,
    *known: Explanation,
    name: str = "a.md",
    sure: float = EVEN,
    off: Sequence[str] = (),
    words: Sequence[str] = (),
) -> list[Fix]:
    """Return the fixes of a file by a model with some known texts; other texts score well."""
    checker = FileChecker(cast(NaturalnessModel, HandMade(known)), sure=sure, off=off, words=words)
    return sure_fixes(checker.check([make_source(name, text)]), checker.off, checker.words)


def fixed(text: str, name: str = "a.md", **settings: Any) -> str:
    """Return the text of a file after its fixes."""
    return apply_fixes(make_source(name, text), fixes_of(text, name=name, **settings))


def kept(text: str, *corrections: Correction, off: Sequence[str] = ()) -> list[str]:
    """Return the replacements of the corrections of a file's last sentence that are made."""
    checker = FileChecker(cast(NaturalnessModel, HandMade()))
    source = make_source("a.md", text)
    *_, sentence = checker.sentences(source)
    result = replace(checker.check([source]), fixable=((sentence, SentenceVerdict(0.1, corrections=corrections)),))
    return [fix.new for fix in sure_fixes(result, off)]


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
    """A deletion leaves one space; an insertion adds one."""
    issue = finding(TEXT, part, "", suggestions=(suggestion,))
    start, end, new = of_suggestion(TEXT, issue, suggestion)
    assert TEXT[:start] + new + TEXT[end:] == expected
    assert of_suggestion(TEXT, gap(TEXT, "school", ""), "the")[2] == "the "


def test_no_fix_crosses_markup() -> None:
    """A fix never crosses markup or a line end."""
    both = replace(BAD, findings=(finding(TEXT, "go to", "", suggestions=("goes to",)),), edits=())
    assert [*fixes(checked(f"{TEXT}\n", model=HandMade([both])).flaws[0])]
    marked = TEXT.replace("go to", "**go** to")
    assert not [*fixes(checked(f"{marked}\n", model=HandMade([both])).flaws[0])]
    broken = TEXT.replace("go to", "go\nto")
    assert not [*fixes(checked(f"{broken}\n", model=HandMade([both])).flaws[0])]


def test_a_whole_repair_has_all_its_steps_or_none() -> None:
    """A repair is dropped if one of its steps would touch markup."""
    known = low(edit("go", "goes"), edit("school", "the school"))
    model = HandMade([known])

    def steps(text: str) -> list[str]:
        (flaw,) = FileChecker(model, edits=1).check([make_source("a.md", text)]).flaws  # type: ignore[arg-type]
        return [step.new for step in whole_repair(flaw)]

    assert steps(TEXT) == ["goes", "the school"]
    assert steps(TEXT.replace("school", "**sch**ool")) == []


def test_no_fix_changes_code() -> None:
    """A fix never changes code."""
    both = replace(BAD, findings=(finding(TEXT, "go", "", suggestions=("goes",)),), edits=())
    unknown = [low(text=TEXT.replace("go", word)) for word in STAND_INS]
    for mark in ("`", "``"):
        text = TEXT.replace("go", f"{mark}go{mark}")
        (flaw,) = checked(f"{text}\n", "a.md", model=HandMade([both, *unknown])).flaws
        assert not [*fixes(flaw)]
    beside = [low(text=TEXT.replace("school", word)) for word in STAND_INS]
    (flaw,) = checked(TEXT.replace("school", "`school`"), model=HandMade([both, *beside])).flaws
    assert [fix.new for fix in fixes(flaw)] == ["goes"]


UNTOUCHED = [
    f"$ ls | wc\n{WAS}\n{WAS}\n",
    f"There is many reasons for {{\n{WERE}\n{WERE}\n",
    f"> {WAS}\n",
    f"<blockquote>\n\n{WAS}\n\n</blockquote>\n",
    "A mark is \\` here. The command `You will recieve it` does that.\n",
    "His song *I dont like you* was a hit.\n",
    "A mistake such as *he dont know him* is rare, and _he dont know him_ is too.\n",
    "See [the list that I dont know][] and [another that I dont know].\n\n[the list that I dont know]: a.md\n",
    "We wrote &lsquo;the man that I dont know&rsquo; and ``the man that I dont know'' there.\n",
    "Since i and j are different, i cannot equal j. The number that i need to find is below.\n",
    "The word definately is misspelt, and we renamed enviroment to environment.\n",
    "Valid values are english, french and german.\n",
]


@pytest.mark.parametrize("text", UNTOUCHED)
def test_no_fix_changes_what_others_wrote(text: str) -> None:
    """Commands with their output, quotations, mentions, values, labels, inline code and titles stay as they are."""
    assert fixed(text) == text


def test_no_fix_changes_an_accepted_word() -> None:
    """An accepted word stays, although it is a known misspelling."""
    text = "We definately saw the old tool there.\n"
    assert fixed(text) != fixed(text, words=["definately"]) == text


def test_positions_in_markup() -> None:
    """Emphasis, links, lists and line ends are not touched."""
    text = f"# Title\r\n\r\n- 😀 {FINE} They **was**\r\n  there, and [we](https://a.example/) is ready.\r\n"
    assert fixed(text) == text.replace("**was**", "**were**").replace(" is ", " are ")
    assert fixed(f"`they was there`\n\n    {WAS}\n") == f"`they was there`\n\n    {WAS}\n"


def test_what_is_switched_off_or_ignored_stays() -> None:
    """A change is not made if its rule, kind or cause is switched off for the file or by a comment."""
    text = f"{HAS}\n"
    assert fixed(text, off=["he-go"]) == f"{HAVE}\n"
    for code in ("they-goes", "suspect-agreement", "agreement"):
        assert fixed(text, off=[code]) == text
        ignored = f"{HAS} <!-- naturalness: ignore {code} -->\n"
        assert fixed(f"{ignored}\n{HAS}\n") == f"{ignored}\n{HAVE}\n"
    ignored = f"{HAS} <!-- naturalness: ignore -->\n"
    assert fixed(ignored) == ignored


def test_the_final_mark_stays_as_it_is() -> None:
    """The mark at the end of a sentence is neither added, removed nor changed."""
    text = "Notes about two cat"
    assert not kept(text, correction(text, "", ".", "spelling", kind="punctuation"))
    assert kept(text, correction(text, "cat", "cats.")) == ["cats"]
    assert not kept(text, correction(text, "cat", "cat."))
    assert kept(f"{text}.", correction(f"{text}.", "cat.", "cats!")) == ["cats."]
    assert not kept(f"{text},", correction(f"{text},", ",", "", "punctuation", kind="delete"))
    assert fixed("# There is many cat\n") == "# There are many cats\n"
    assert fixed("# They was there\n").rstrip()[-1] != "."


ALONE = ["", "- ", "## ", "1. ", "```\nstop()\n```\n", "We left early.\n\n", "We took bread, tea, etc. "]
AFTER = ["We left early. ", "Did we (all of us) leave?  ", "We said “no.”\n"]


@pytest.mark.parametrize("before", ALONE + AFTER)
def test_only_a_sentence_after_another_gets_a_capital(before: str) -> None:
    """Items, headings and lines after code may begin in lower case."""
    text = "it was late when they came home."
    assert kept(before + text, correction(text, "it", "It", "spelling", kind="case")) == ["It"] * (before in AFTER)
    assert kept(before + text, correction(text, "it", "That", "wrong")) == ["That"]


def test_a_common_noun_gets_no_capital() -> None:
    """A common noun or abbreviation inside a sentence gets a capital only if a rule suggests it."""
    for old, new, made in (("paris", "Paris", True), ("council", "Council", False), ("nginx", "NGINX", False)):
        text = f"They went to the {old} team."
        capital = correction(text, old, new, "spelling", kind="case")
        assert kept(text, capital) == [new] * made
        assert kept(text, replace(capital, rule="SMALL_MONDAY")) == [new]


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_nothing_but_the_change_changes(tmp_path: Path, line_end: str) -> None:
    """Line ends, a byte order mark, permissions and the rest of the text stay the same."""
    file = tmp_path / "a.md"
    before = f"\ufeff# Yes\n\n- {WAS} *Well*,\tyes.  \nno line end".replace("\n", line_end)
    file.write_bytes(before.encode())
    file.chmod(0o640)
    source = read_source(str(file))
    changes = [fix for fix in fixes_of(source.text) if fix.new == "were"]
    assert len(changes) == 1
    write_fixed(source, apply_fixes(source, changes))
    assert file.read_bytes() == before.replace(WAS, WERE).encode()
    assert file.read_bytes().startswith(codecs.BOM_UTF8)
    assert file.stat().st_mode & 0o777 == 0o640


def test_files_that_are_not_written(tmp_path: Path) -> None:
    """Links, and files that changed during the check, are not written."""
    file, link = tmp_path / "a.md", tmp_path / "b.md"
    file.write_text(TEXT)
    link.symlink_to(file)
    source = read_source(str(link))
    with pytest.raises(TableError, match=r"b\.md is a link; name the file that it leads to, '.*a\.md'"):
        write_fixed(source, "other")
    source = read_source(str(file))
    file.write_text("Two.\n")
    with pytest.raises(TableError, match=r"a\.md changed while it was being checked; check it again"):
        write_fixed(source, "Three.\n")
    assert file.read_text() == "Two.\n"


def test_a_difference() -> None:
    """The program `patch` can apply the difference."""
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
