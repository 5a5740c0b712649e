"""`check --code`: complete output."""

from __future__ import annotations

from tests.support.commands import Cli

TO_CAN = """\
to-can  (verb forms)
A modal verb after “to”. Give the verb the form that the words around it
require.

before  I want to can speak French.
after   I want to be able to speak French.

Switch it off: --off to-can; on one line: <!-- naturalness: ignore to-can -->
"""


def test_a_rule(cli: Cli) -> None:
    """The page of a rule says what it finds, what to do, and how to switch it off, with an example."""
    assert cli(0, "check --code to-can").out == TO_CAN


def test_a_cause(cli: Cli) -> None:
    """The description of a cause names no parent cause."""
    assert cli(0, "check --code verbs").out.startswith("verbs\nA form of a verb does not fit")


def test_an_unknown_code(cli: Cli) -> None:
    """The error suggests a known code."""
    assert cli(2, "check --code he-goo").err == "error: unknown code 'he-goo'; did you mean 'he-go'?\n"
