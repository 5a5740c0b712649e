"""What groups need besides assets: programs that are installed apart, and rules in code.

A model that was trained with one remembers its version, as it does the checksum of an asset.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from naturalness.features.base import Requirement

PROGRAM, RULES = "program", "rules"
"""Kinds of a `Requirement`: a program, and the rules that come with the package."""


class Program(NamedTuple):
    """One program."""

    missing: Callable[[], str]
    """Why it cannot be used and what to do; empty where it can."""
    version: Callable[[], str]
    """Version of the program and of its data."""


# Opened when asked: most runs need neither.
def _languagetool_missing() -> str:
    from naturalness.models.checkers import languagetool

    return languagetool.available()


def _languagetool_version() -> str:
    from naturalness.models.checkers import languagetool

    return languagetool.version()


def _link_missing() -> str:
    from naturalness.models.parsers.link.parser import available

    return available()


def _link_version() -> str:
    from naturalness.models.parsers.link.parser import version

    return version()


PROGRAMS: Mapping[str, Program] = {
    "languagetool": Program(_languagetool_missing, _languagetool_version),
    "link-grammar": Program(_link_missing, _link_version),
}


def missing_program(need: Requirement) -> str:
    """What is wrong with the program that is needed; empty where it is here, or none is needed."""
    return PROGRAMS[need.name].missing() if need.kind == PROGRAM else ""


def program_version(need: Requirement) -> tuple[str, str] | None:
    """Name and version of the program, or of the rules, that are needed; None for other needs."""
    if need.kind == RULES:
        from naturalness.features.rules import rule_checker

        return need.name, rule_checker().signature.removeprefix(f"{need.name}:")
    return (need.name, PROGRAMS[need.name].version()) if need.kind == PROGRAM else None
