"""The real LanguageTool, where there is one: LTP_PATH, ../shared/tools/languagetool, and Java."""

from __future__ import annotations

import os
import random
import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from naturalness.features.grammar import GrammarFeatures
from naturalness.models.checkers.languagetool import VARIABLE, LanguageToolChecker, address, available, close, version
from naturalness.text.matches import Checked
from naturalness.text.parsing import parse

psutil = pytest.importorskip("psutil", reason="needs the extra languagetool")

SHARED = Path(__file__).parents[5] / "shared" / "tools" / "languagetool"
TEXTS = [
    "He go to school by bus.",
    "The 😀 dog dont know teh way.",
    "This are a very good ideas.",
    'She said "come in and left.',
    "The ferry leaves at nine.",
    "the end",
    "I have saw it it.",
    "A notice\n\nThey is closed (until monday.",
    "Hello , world .",
    "We did an good job.",
    "Their are three reason for it.",
    "The cat sat. The cat ran. The cat slept. The cat ate.",
    "Colour and color differ.",
    "It costs 5$ , I think.",
    "Between you and I, she do n't care.",
    "An very long time ago, there was a king.",
    "The the end.",
    "wich one of this do you wants",
]


@pytest.fixture(scope="module", autouse=True)
def real() -> Iterator[None]:
    """A server for all tests of this file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(VARIABLE, raising=False)
        if "LTP_PATH" not in os.environ and SHARED.is_dir():
            patch.setenv("LTP_PATH", str(SHARED))
        if shutil.which("java") is None:
            pytest.skip("no Java on this machine")
        if reason := available():
            pytest.skip(f"no LanguageTool: {reason}")
        yield
        close()


@pytest.fixture(autouse=True)
def no_server() -> None:
    """The server stays from test to test here."""


@pytest.fixture(scope="module")
def alone(real: None) -> list[Checked]:
    """What is found in each text when it is asked about by itself."""
    checker = LanguageToolChecker()
    return [checker.check(parse([text]))[0] for text in TEXTS]


def java() -> Any:
    """The server's process."""
    children = psutil.Process().children(recursive=True)
    return next(child for child in children if "java" in child.name())


def test_matches_do_not_depend_on_company(alone: list[Checked]) -> None:
    """Neither on order nor on repetition."""
    order = [i for i in range(len(TEXTS)) for _ in range(3)]
    random.Random(1).shuffle(order)
    findings = LanguageToolChecker().check(parse([TEXTS[i] for i in order]))
    assert findings == [alone[i] for i in order]


@pytest.mark.slow
def test_matches_are_those_of_language_tool_python(alone: list[Checked]) -> None:
    """Which asks about one text after the other, a server that keeps no rules between them."""
    import language_tool_python

    tool = language_tool_python.LanguageTool("en-US")
    try:
        for text, result in zip(TEXTS, alone, strict=True):
            (doc,) = parse([text])
            if doc.text != text:
                continue
            expected = sorted((m.offset, m.offset + m.error_length, m.rule_id, m.category) for m in tool.check(text))
            assert [(m.start, m.end, m.rule, m.category) for m in result.matches] == expected
    finally:
        tool.close()


@pytest.mark.slow
def test_killing_java_half_way_loses_nothing(alone: list[Checked]) -> None:
    """The same findings, from another process."""
    docs = parse([f"{text} So says number {i}." for i in range(4) for text in TEXTS])
    started = time.perf_counter()
    expected = LanguageToolChecker().check(docs)
    half = (time.perf_counter() - started) / 2
    first = java()
    timer = threading.Timer(min(half, 0.3), first.kill)
    timer.start()
    actual = LanguageToolChecker().check(docs)
    timer.join()
    assert actual == expected
    address()
    assert java().pid != first.pid


def test_known_mistakes_are_found(alone: list[Checked]) -> None:
    """Of grammar and of spelling, with places of the original; version and memory are bounded."""
    rules = {match.rule for match in alone[0].matches}
    assert rules == {"HE_VERB_AGR"}
    text, result = TEXTS[1], alone[1]
    assert "teh" in {text[m.start : m.end] for m in result.matches if m.category == "TYPOS"}
    assert alone[4] == Checked(())
    assert not any(check.problem for check in alone)
    table = GrammarFeatures().extract(parse([TEXTS[0], TEXTS[4]]))
    assert GrammarFeatures.features[0].name == "any_grammar" and table[:, 0].tolist() == [1, 0]
    assert version()[0].isdigit() and "-Xmx1024m" in java().cmdline()
