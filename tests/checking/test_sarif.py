"""SARIF 2.1.0, by what its schema and the standard ask for."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from naturalness import __version__
from naturalness.checking.sarif import as_sarif
from naturalness.data.cells import finite
from tests.support.checks import MARKDOWN, checked
from tests.support.explained import BAD, NAN, TEXT, HandMade

LEVELS = {"none", "note", "warning", "error"}
KEYS = {
    "log": {"$schema", "version", "runs"},
    "run": {"tool", "invocations", "columnKind", "results", "properties"},
    "driver": {"name", "version", "rules"},
    "rule": {"id", "name", "shortDescription", "fullDescription", "help", "defaultConfiguration"},
    "result": {
        "ruleId",
        "ruleIndex",
        "level",
        "message",
        "locations",
        "partialFingerprints",
        "properties",
        "relatedLocations",
        "fixes",
    },
    "region": {"startLine", "startColumn", "endLine", "endColumn", "snippet"},
    "fix": {"description", "artifactChanges"},
}
"""Names that the schema knows, of those that are written; it allows no others."""


@pytest.fixture(scope="module")
def log() -> dict[str, Any]:
    """As it is written."""
    document: dict[str, Any] = json.loads(json.dumps(finite(as_sarif(checked())), allow_nan=False))
    return document


def text_at(region: dict[str, Any]) -> str:
    """What a reader of UTF-16 finds there."""
    lines = [line.encode("utf-16-le") for line in MARKDOWN.split("\n")]
    first, last = region["startLine"] - 1, region["endLine"] - 1
    if first == last:
        section = lines[first][2 * (region["startColumn"] - 1) : 2 * (region["endColumn"] - 1)]
        return section.decode("utf-16-le")
    parts = [
        lines[first][2 * (region["startColumn"] - 1) :],
        *lines[first + 1 : last],
        lines[last][: 2 * (region["endColumn"] - 1)],
    ]
    return "\n".join(part.decode("utf-16-le") for part in parts)


def check_region(region: dict[str, Any]) -> None:
    """From 1 on, and not backwards."""
    assert set(region) <= KEYS["region"]
    numbers = [region[name] for name in ("startLine", "startColumn", "endLine", "endColumn")]
    assert all(isinstance(number, int) and number >= 1 for number in numbers)
    assert (numbers[0], numbers[1]) <= (numbers[2], numbers[3])


def test_the_log(log: dict[str, Any]) -> None:
    """Version, tool, kind of columns."""
    assert set(log) == KEYS["log"] and log["version"] == "2.1.0"
    (run,) = log["runs"]
    assert set(run) == KEYS["run"] and run["columnKind"] == "utf16CodeUnits"
    driver = run["tool"]["driver"]
    assert set(driver) == KEYS["driver"]
    assert (driver["name"], driver["version"]) == ("naturalness", __version__)
    assert run["invocations"] == [{"executionSuccessful": True, "exitCode": 1}]
    assert run["properties"]["minScore"] == 0.5


def test_rules_are_codes_with_help(log: dict[str, Any]) -> None:
    """All that occur, each with a text, each once."""
    rules = log["runs"][0]["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["he-go"]
    for rule in rules:
        assert set(rule) == KEYS["rule"]
        assert rule["defaultConfiguration"]["level"] in LEVELS
        assert all(rule[name]["text"].rstrip(")").endswith(".") for name in ("shortDescription", "help"))


def test_a_result_for_each_sentence(log: dict[str, Any]) -> None:
    """With its rule, its level by the score, its place, and a message with score and cause."""
    run = log["runs"][0]
    assert len(run["results"]) == 2
    for result in run["results"]:
        assert set(result) == KEYS["result"]
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] == "error"  # 0.113 is below half of 0.5
        assert result["message"]["text"] == (
            "Verb forms: naturalness 0.113 (0.05 to 0.19). “go”: after 'He' the verb ends in -s: "
            "'goes'. Unlike the training texts: 30% of its words are unknown."
        )
        assert result["properties"]["naturalness"] == 0.113
        (location,) = result["locations"]
        physical_location = location["physicalLocation"]
        assert physical_location["artifactLocation"] == {"uri": "docs/a%20b.md", "uriBaseId": "%SRCROOT%"}
        check_region(physical_location["region"])
        assert text_at(physical_location["region"]) == physical_location["region"]["snippet"]["text"]
    regions = [result["locations"][0]["physicalLocation"]["region"] for result in run["results"]]
    assert regions[0]["startColumn"] == 55  # the emoji before it is two units
    assert text_at(regions[1]) == TEXT


def test_findings_are_related_locations(log: dict[str, Any]) -> None:
    """Each with its message, where it stands; ids differ. An unknown word that the file has twice is a name."""
    for result in log["runs"][0]["results"]:
        related = result["relatedLocations"]
        assert [one["id"] for one in related] == [0, 1]
        assert [text_at(one["physicalLocation"]["region"]) for one in related] == ["go", ""]
        for one in related:
            check_region(one["physicalLocation"]["region"])
            assert one["message"]["text"].endswith(".")


def test_fixes_replace_what_stands_there(log: dict[str, Any]) -> None:
    """Edits first, then suggestions."""
    first, second = log["runs"][0]["results"]
    for result in (first, second):
        assert {name for fix in result["fixes"] for name in fix} == KEYS["fix"]
        done = []
        for fix in result["fixes"]:
            (change,) = fix["artifactChanges"]
            (replacement,) = change["replacements"]
            check_region(replacement["deletedRegion"])
            where = text_at(replacement["deletedRegion"])
            done.append((where, replacement["insertedContent"]["text"]))
        assert done == [("go", "goes"), ("go", "goes")]


def test_a_sentence_without_a_cause_and_a_score_that_is_not_so_low() -> None:
    """A rule of its own; a warning; no lists that hold nothing; braces stand for themselves."""
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
    assert (result["ruleId"], result["level"]) == ("unnatural", "warning")
    assert result["message"]["text"] == ("The sentence as a whole: naturalness 0.400. Unlike the training texts: {{}}.")
    assert not {"relatedLocations", "fixes"} & set(result)
    artifact = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert artifact == {"uri": "file:///tmp/x.txt"}
    assert result["properties"]["low"] is None


def test_equal_sentences_have_fingerprints_of_their_own(log: dict[str, Any]) -> None:
    """And the same ones when other lines come before them."""
    marks = [result["partialFingerprints"]["sentence/v1"] for result in log["runs"][0]["results"]]
    assert len(set(marks)) == 2
    moved = as_sarif(checked(f"Another one.\n\n{MARKDOWN}"))["runs"][0]["results"]
    assert [result["partialFingerprints"]["sentence/v1"] for result in moved] == marks


def test_a_file_name_that_is_not_utf8() -> None:
    """Its bytes are in the address; another program finds the file."""
    (run,) = as_sarif(checked(name="a\udcff b.md"))["runs"]
    location = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location["uri"] == "a%FF%20b.md"


def test_nothing_found() -> None:
    """An empty list of results, which tells a code host that all is well."""
    run = as_sarif(checked("All is well.\n"))["runs"][0]
    assert run["results"] == [] and run["invocations"][0]["exitCode"] == 0
