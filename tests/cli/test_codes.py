"""`check --code`, on whole output."""

from __future__ import annotations

import pytest

from naturalness.cli import run
from naturalness.explaining.codes import codes

Captured = pytest.CaptureFixture[str]
TO_CAN = """\
to-can  (verb forms)
A modal verb after “to”. Give the verb the form that the words around it
require.

before  I want to can speak French.
after   I want to be able to speak French.

Switch it off: --off to-can; on one line: <!-- naturalness: ignore to-can -->
"""


def test_a_rule(capsys: Captured) -> None:
    """What it finds, what to do, an example, how to switch it off."""
    assert run(["check", "--code", "to-can"]) == 0
    assert capsys.readouterr().out == TO_CAN


def test_a_cause(capsys: Captured) -> None:
    """Is of no other."""
    assert run(["check", "--code", "verbs"]) == 0
    assert capsys.readouterr().out.startswith("verbs\nA form of a verb does not fit")


def test_all_codes(capsys: Captured) -> None:
    """A line each, in the order of the table."""
    assert run(["check", "--code"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [*codes()]
    assert [line for line in lines if not line.startswith(" ")][1].endswith(" do not agree.")


def test_an_unknown_code(capsys: Captured) -> None:
    """Is guessed."""
    assert run(["check", "--code", "he-goo"]) == 2
    assert capsys.readouterr().err == "error: unknown code 'he-goo'; did you mean 'he-go'?\n"
