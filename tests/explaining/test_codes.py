"""Codes: the table is complete and its examples are right."""

from __future__ import annotations

import pytest

from naturalness.english.rules import FAMILIES
from naturalness.english.rules.reading import rules
from naturalness.errors import UnknownName
from naturalness.explaining.causes import KINDS, TITLES, cause_of
from naturalness.explaining.codes import EVERYTHING, LANGUAGETOOL, UNNATURAL, about, check_code, code_of, codes, is_off
from naturalness.explaining.findings import find
from naturalness.explaining.phrasing import phrasing
from naturalness.models.detector import KINDS as DAMAGE
from naturalness.models.voice import voice
from naturalness.text.parsing import parse

CONSTRUCTED = ("phrase", "not-just", "not-x-it-is-y", "hedged-opener", "closing-summary", "passage")
VOICE = {f"voice-{name}": "voice" for name in CONSTRUCTED}
"""Codes of phrases, constructions and passages."""
OF_PARSE = {"long-sentence": "length"}
"""Codes of finders without a rule or a network's kind."""
RULES = {code_of(rule.id): KINDS[FAMILIES[family]] for family, in_family in rules().items() for rule in in_family}
SUSPECTED = {f"suspect-{kind}": KINDS[kind] for kind in DAMAGE[1:]}


def test_every_rule_finder_and_cause_has_its_code() -> None:
    """The table lists each under the cause of its findings, and nothing else."""
    causes = {code_of(cause): code_of(cause) for cause in (*TITLES, "")}
    inside = {name: code_of(cause) for name, cause in {**RULES, **SUSPECTED, **OF_PARSE, **VOICE}.items()}
    assert {code.name: code.cause for code in codes().values()} == causes | inside
    for code in codes().values():
        assert all((code.finds.endswith("."), code.fix.endswith((".", "?")), code.before, code.after)), code.name
        assert code.before != code.after


def test_names_become_codes() -> None:
    """Codes are lower case with hyphens; "no cause" has a code too."""
    assert [code_of(name) for name in ("HE_GO", "small_words", "group my_own", "")] == [
        "he-go",
        "small-words",
        "group-my-own",
        UNNATURAL,
    ]
    assert code_of(cause_of("mine__n")) == "group-mine"


def test_what_can_be_switched_off() -> None:
    """Codes and unnumbered families can be switched off; other names are errors with a suggestion."""
    for name in ("he-go", "voice", LANGUAGETOOL, "languagetool-en-a-vs-an", "group-mine"):
        assert check_code(name) == name
        assert about(name).finds
    with pytest.raises(UnknownName, match="unknown code 'he-goo'; did you mean 'he-go'"):
        check_code("he-goo")


def test_a_wider_code_switches_off_a_narrower_one() -> None:
    """A cause switches off its findings, LanguageTool its rules, a bare comment everything."""
    assert is_off("he-go", "agreement", frozenset({"he-go"}))
    assert is_off("he-go", "agreement", frozenset({"agreement"}))
    assert is_off("article-x", "small_words", frozenset({"small-words"}))
    assert is_off("languagetool-x", "verbs", frozenset({LANGUAGETOOL}))
    assert is_off("he-go", "agreement", frozenset({EVERYTHING}))
    assert not is_off("he-go", "agreement", frozenset({"verbs", LANGUAGETOOL, "he-are"}))


@pytest.mark.slow
def test_examples_are_true() -> None:
    """Each rule and finder finds the first version; no rule finds anything in the corrected one."""
    narrow = [code for code in codes().values() if code.name != code.cause and code.name not in VOICE]
    before = find(parse([code.before for code in narrow]), ())
    silent = [
        code.name
        for code, findings in zip(narrow, before, strict=True)
        if code.name not in {finding.code for finding in findings}
    ]
    after = find(parse([code.after for code in codes().values()]), ())
    loud = [
        (code.name, finding.code)
        for code, findings in zip(codes().values(), after, strict=True)
        for finding in findings
        if finding.source == "rules"
    ]
    assert (silent, loud) == ([], [])


@pytest.mark.parametrize("name", ["voice", *VOICE])
def test_examples_of_voice_are_true(name: str) -> None:
    """The first version has the phrase or construction; nothing is found in the corrected one."""
    code = codes()[name]
    found = {finding.code for finding in phrasing(code.before, voice())[1]}
    assert name in found or (name == "voice" and found)
    assert phrasing(code.after, voice())[1] == []
