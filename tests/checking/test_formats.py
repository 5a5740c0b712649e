"""Flaws as SARIF, as commands of GitHub Actions and as JSON rows."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from naturalness import __version__
from naturalness.checking.formats import as_commands, as_object, as_sarif
from naturalness.data.cells import finite
from tests.support.checks import MARKDOWN, checked
from tests.support.explained import BAD, NAN, TEXT, HandMade


@pytest.fixture(scope="module")
def log() -> dict[str, Any]:
    """Return the log as it is written."""
    document: dict[str, Any] = json.loads(json.dumps(finite(as_sarif(checked())), allow_nan=False))
    return document


def text_at(region: dict[str, Any]) -> str:
    """Return the text of a region, whose columns count characters."""
    lines = MARKDOWN.split("\n")[region["startLine"] - 1 : region["endLine"]]
    lines[-1] = lines[-1][: region["endColumn"] - 1]
    lines[0] = lines[0][region["startColumn"] - 1 :]
    return "\n".join(lines)


def test_the_log(log: dict[str, Any]) -> None:
    """The log names the version, the tool, the unit of columns, and the codes that occur, with help."""
    assert {*log} == {"$schema", "version", "runs"} and log["version"] == "2.1.0"
    (run,) = log["runs"]
    assert run["columnKind"] == "unicodeCodePoints"
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("naturalness", __version__)
    (rule,) = driver["rules"]
    assert (rule["id"], rule["defaultConfiguration"]) == ("he-go", {"level": "warning"})
    assert all(rule[name]["text"].rstrip(")").endswith(".") for name in ("shortDescription", "fullDescription", "help"))
    nothing = as_sarif(checked("All is well.\n"))["runs"][0]
    assert nothing["results"] == []


def test_a_result_for_each_sentence(log: dict[str, Any]) -> None:
    """A result has a rule, a place, a message, and replacements as fixes."""
    first, second = results = log["runs"][0]["results"]
    for result in results:
        assert (result["ruleId"], result["ruleIndex"]) == ("he-go", 0)
        assert result["message"]["text"] == (
            "Verb forms: naturalness 0.113 (0.05 to 0.19). “go”: after 'He' the verb ends in -s: "
            "'goes'. Unlike the training texts: 30% of its words are unknown."
        )
        (location,) = result["locations"]
        place = location["physicalLocation"]
        assert place["artifactLocation"] == {"uri": "docs/a%20b.md", "uriBaseId": "%SRCROOT%"}
        changes = [fix["artifactChanges"][0]["replacements"][0] for fix in result["fixes"]]
        replaced = [(text_at(change["deletedRegion"]), change["insertedContent"]["text"]) for change in changes]
        assert replaced == [("go", "goes"), ("go", "goes")]
    assert first["locations"][0]["physicalLocation"]["region"]["startColumn"] == 54
    assert text_at(second["locations"][0]["physicalLocation"]["region"]) == TEXT


def test_a_sentence_without_a_cause() -> None:
    """A sentence without a cause has the rule *unnatural*, no fixes, and escaped braces."""
    text = "Some {braces} here."
    plain = replace(
        BAD,
        text=text,
        naturalness=0.4,
        low=NAN,
        high=NAN,
        contributions=(),
        findings=(),
        edits=(),
        unlike=("{}",),
        cause="",
    )
    document = finite(as_sarif(checked(text, "/tmp/x.txt", model=HandMade([plain]))))
    (result,) = document["runs"][0]["results"]
    assert result["ruleId"] == "unnatural"
    assert result["message"]["text"] == ("The sentence as a whole: naturalness 0.400. Unlike the training texts: {{}}.")
    assert "fixes" not in result
    artifact = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert artifact == {"uri": "file:///tmp/x.txt"}


def test_equal_sentences_have_different_fingerprints(log: dict[str, Any]) -> None:
    """Equal sentences have different fingerprints, which do not depend on the lines above."""
    marks = [result["partialFingerprints"]["sentence/v1"] for result in log["runs"][0]["results"]]
    assert len(set(marks)) == 2
    moved = as_sarif(checked(f"Another one.\n\n{MARKDOWN}"))["runs"][0]["results"]
    assert [result["partialFingerprints"]["sentence/v1"] for result in moved] == marks


def test_a_file_name_that_is_not_utf8() -> None:
    """The URI of a file encodes the bytes of its name."""
    (run,) = as_sarif(checked(name="a\udcff b.md"))["runs"]
    location = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location["uri"] == "a%FF%20b.md"


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


def test_file_names_with_control_characters() -> None:
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
