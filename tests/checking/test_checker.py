"""Files judged sentence by sentence."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest

from naturalness.checking.checker import CheckedFiles, FileChecker, summary
from naturalness.checking.sources import make_source
from naturalness.checking.words import STAND_INS
from naturalness.errors import ModelError
from naturalness.explaining.codes import codes
from naturalness.pipelines.scorer import NaturalnessModel
from tests.support.checks import checked
from tests.support.explained import BAD, FINE, TEXT, HandMade


def test_only_low_sentences_are_explained() -> None:
    """Sentences below the minimum are explained, equal ones once; one without a score is only counted."""
    model = HandMade([BAD])
    report = checked(model=model)
    assert model.explained == [TEXT]
    assert [flaw.explained.text for flaw in report.flaws] == [TEXT, TEXT]
    assert summary(report).startswith("1 file, ")
    assert summary(report).endswith(" sentences: 2 below 0.5; 1 without a score (no words)")
    assert not checked(f"{FINE}\n").flaws
    assert summary(checked(f"{FINE}\n")) == "1 file, 1 sentence: 0 below 0.5"
    assert summary(checked("")) == "1 file, 0 sentences: 0 below 0.5"


def test_code_and_accepted_words_do_not_lower_scores() -> None:
    """A sentence passes if it reaches the minimum with familiar words in place of code and accepted words."""
    low = replace(BAD, text="The benepar is slow.", naturalness=0.2, findings=())
    still = replace(low, text="The benepar go.")
    variants = [replace(low, text=f"The {word} go.", naturalness=0.3) for word in STAND_INS]
    model = HandMade([low, still, *variants])

    def counts(text: str, *words: str) -> tuple[int, int]:
        report = FileChecker(model, words=words).check([make_source("a.md", text)])  # type: ignore[arg-type]
        return len(report.flaws), report.counts["accepted"]

    assert counts("The benepar is slow.\n") == (1, 0)
    assert counts("The benepar is slow.\n", "benepar") == (0, 1)
    assert counts("The `benepar` is slow.\n\nThe benepar is slow.\n") == (1, 1)
    assert counts("The benepar go.\n", "benepar") == (1, 0)


def test_what_is_switched_off_or_ignored() -> None:
    """Flaws that are switched off or ignored are counted but not reported; a comment covers its own line."""
    text = f"{TEXT} <!-- naturalness: ignore he-go -->\n\n{TEXT}\n"
    report = checked(text)
    assert ([flaw.sentence.region().line for flaw in report.flaws], report.counts["ignored"]) == ([3], 1)
    assert summary(report) == "1 file, 2 sentences: 1 below 0.5; 1 ignored"
    model = HandMade([BAD])
    report = FileChecker(model, off=["verbs"]).check([make_source("a.md", text)])  # type: ignore[arg-type]
    assert (len(report.flaws), report.counts["ignored"]) == (0, 2)


def test_rule_errors_that_familiar_words_remove() -> None:
    """A rule's error counts only if the rule still finds it after familiar words replace accepted ones."""

    def lines(text: str, *words: str) -> list[int]:
        model = cast(
            NaturalnessModel, HandMade([replace(BAD, text=row, naturalness=0.7) for row in text.split("\n\n")])
        )
        report = FileChecker(model, rules=True, words=words).check([make_source("a.txt", text)])
        return [flaw.sentence.region().line for flaw in report.flaws]

    text = "The alarms says what it finds.\n\nThe alarms says that he go to school."
    assert lines(text) == [1, 3]
    assert lines(text, "alarms") == [3]


STALE, FRESH = codes()["voice"].before, codes()["voice"].after
"""Passages with a low and a high voice."""


def by_voice(text: str, name: str = "a.md", **options: Any) -> CheckedFiles:
    """Return the result of a check with voice."""
    model = cast(NaturalnessModel, HandMade([BAD]))
    return FileChecker(model, voice=True, **options).check([make_source(name, text)])


def test_what_is_switched_off_in_a_passage() -> None:
    """Codes, causes, comments, accepted words and code apply to passages as to sentences."""
    codes_left = [flaw.codes for flaw in by_voice(STALE, off=["voice-phrase", "voice-passage"]).flaws]
    assert codes_left == [["voice-hedged-opener"]]
    for report in (by_voice(STALE, off=["voice"]), by_voice(f"{STALE} <!-- naturalness: ignore voice -->")):
        assert (len(report.flaws), report.counts["ignored"]) == (0, 1)
    words = by_voice(STALE, words=["is a testament to the resilience of"]).flaws[0].explained.findings
    ticks = by_voice(STALE.replace("a testament to", "`a testament to`")).flaws[0].explained.findings
    assert "a testament to" not in {finding.text for finding in (*words[:-1], *ticks[:-1])}


def test_rules_and_voice_need_english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules and voice raise an error for a pipeline of another language, and are off by default."""
    monkeypatch.setattr("naturalness.checking.checker.pipeline_language", lambda spec: "fr")
    with pytest.raises(ModelError, match="`rules` needs an English pipeline, found 'en'; leave it out"):
        FileChecker(cast(NaturalnessModel, HandMade()), rules=True).check([])
    with pytest.raises(ModelError, match="`voice` needs an English pipeline"):
        FileChecker(cast(NaturalnessModel, HandMade()), voice=True).check([])
    assert not FileChecker(cast(NaturalnessModel, HandMade())).check([make_source("a.txt", "He go to school.")]).flaws
