"""Flaws for GitHub Actions and as JSON rows, on whole output."""

from __future__ import annotations

from dataclasses import replace

from naturalness.checking.formats import as_commands, as_object
from tests.support.checks import checked
from tests.support.explained import BAD, NAN, TEXT, HandMade

SAID = "“go”: after 'He' the verb ends in -s: 'goes'; unlike the training texts: 30% of its words are unknown"


def test_workflow_commands() -> None:
    """Properties and messages are escaped; columns are given for sentences on one line."""
    message = f"He go to school 語 yesterday.%0A{SAID.replace('%', '%25').replace('; unl', '%0Aunl')}"
    title = "title=0.113 (0.05 to 0.19) verb forms [he-go]"
    assert as_commands(checked(name="docs/a,b:100%.md")) == (
        f"::error file=docs/a%2Cb%3A100%25.md,line=3,endLine=4,{title}::{message}\n"
        "::error file=docs/a%2Cb%3A100%25.md,line=6,endLine=6,col=3,endColumn=31,"
        f"{title}::{message}\n"
    )


def test_commands_without_findings() -> None:
    """Without findings, a command gives the causes that lower the score."""
    plain = replace(BAD, text="One thing.", findings=(), unlike=(), low=NAN)
    assert as_commands(checked("One thing.", "a.txt", model=HandMade([plain]))).endswith(
        "title=0.113 verb forms [verbs]::One thing.%0Averb forms −1.8; articles, prepositions, pronouns −0.6\n"
    )


def test_file_names_that_command_a_terminal() -> None:
    """Control characters in file names are escaped."""
    report = checked(name="a\x1b[2J\nb.md")
    assert as_commands(report).startswith("::error file=a\\x1b[2J%0Ab.md,line=3,")


def test_rows_have_places_in_the_file() -> None:
    """Rows have positions in the file; offsets refer to the sentence."""
    report = as_object(checked())
    assert (report["below"], report["without_score"], report["min_score"]) == (2, 1, 0.5)
    row = report["results"][0]
    assert row["file"] == "docs/a b.md"
    assert row["place"]["line"] == 3 and row["place"]["end_line"] == 4
    go = row["findings"][0]
    assert (go["start"], go["place"]["line"], go["place"]["column"]) == (3, 3, 59)
    assert row["edits"][0]["after"] == "goes"
    assert row["cause"] == "verbs" and row["text"] == TEXT
