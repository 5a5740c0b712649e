"""Flaws of a sentence, and which remain when codes are switched off."""

from __future__ import annotations

from dataclasses import replace

import pytest

from naturalness.checking.flaws import Flaw, coded, explanation_to_report, title
from naturalness.checking.sources import make_source, sentences
from naturalness.explaining.explanation import Explanation, Finding
from tests.support.explained import BAD, NAN, TEXT, finding
from tests.support.lines import rows

GO, ODD, GAP = BAD.findings
WORDS = replace(finding(TEXT, "school", "odd", cause="wording", code="suspect-wrong"), source="detector")


def flaw(*findings: Finding) -> Flaw:
    """Return a flaw with these findings."""
    (sentence,) = sentences(make_source("a.txt", TEXT))
    return Flaw(sentence, replace(BAD, findings=findings))


def codes_left(explained: Explanation, *off: str, accepted: tuple[tuple[int, int], ...] = ()) -> list[str] | None:
    """Return the codes of the reported findings; None if the text does not fail."""
    report = explanation_to_report(explained, frozenset(off), accepted, low=True)
    return None if report is None else [finding.code for finding in report.findings]


OFF = """
order style | he-go suspect-wrong misspelt-word
he-go | suspect-wrong misspelt-word
misspelt-word | he-go suspect-wrong
he-go suspect-wrong |
verbs wording |
* |
"""


@pytest.mark.parametrize(("off", "expected"), rows(OFF))
def test_a_sentence_fails_as_long_as_a_sure_finding_is_left(off: str, expected: str) -> None:
    """A code switches off its findings or those of its cause; doubtful findings alone do not count."""
    left = codes_left(replace(BAD, findings=(GO, WORDS, ODD)), *off.split())
    assert left == (expected.split() or None)


def test_a_sentence_without_sure_findings_fails_for_its_cause() -> None:
    """A sentence without sure findings fails for its cause, which can be switched off as well."""
    doubtful = replace(BAD, findings=(ODD,))
    assert codes_left(doubtful) == ["misspelt-word"]
    assert codes_left(doubtful, "misspelt-word") == []
    assert codes_left(doubtful, "verbs") is None
    assert codes_left(replace(BAD, findings=(), cause=""), "unnatural") is None


def test_accepted_words_count_as_switched_off() -> None:
    """A sentence whose only findings concern accepted words does not fail."""
    start = TEXT.index("school")
    assert codes_left(replace(BAD, findings=(WORDS,)), accepted=((start, start + 6),)) is None
    assert codes_left(replace(BAD, findings=(GO, WORDS)), accepted=((start, start + 6),)) == ["he-go"]


def test_codes_of_a_flaw() -> None:
    """The codes are those of the sure findings, the main cause first, or the cause's code if there are none."""
    assert flaw(WORDS, GO, ODD).codes == ["he-go", "suspect-wrong"]
    assert flaw(ODD, GAP).codes == ["verbs"]
    assert title(flaw(WORDS, GO)) == "0.113 (0.05 to 0.19) verb forms [he-go, suspect-wrong]"
    assert coded(GO, TEXT).endswith(": 'goes' [he-go]")
    assert not coded(replace(GO, code=""), TEXT).endswith("]")


def test_the_title_without_a_finding() -> None:
    """The title of a flaw without a cause names the whole sentence."""
    assert title(Flaw(flaw().sentence, replace(BAD, findings=(), low=NAN, cause=""))).endswith("whole [unnatural]")
