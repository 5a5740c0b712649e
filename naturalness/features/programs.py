"""Programs that are installed apart and that some groups need: are they here, and which version.

A model that was trained with one remembers its version, as it does the checksum of an asset.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from naturalness.features.base import Requirement
from naturalness.models.checkers import languagetool
from naturalness.models.parsers.link import parser as link

PROGRAM = "program"
"""The kind of a `Requirement` that names one."""


class Program(NamedTuple):
    """One program."""

    missing: Callable[[], str]
    """Why it cannot be used and what to do; empty where it can."""
    version: Callable[[], str]
    """Version of the program and of its data."""


PROGRAMS: Mapping[str, Program] = {
    "languagetool": Program(languagetool.available, languagetool.version),
    "link-grammar": Program(link.available, link.version),
}


def missing_program(need: Requirement) -> str:
    """What is wrong with the program that is needed; empty where it is here, or none is needed."""
    return PROGRAMS[need.name].missing() if need.kind == PROGRAM else ""


def program_version(need: Requirement) -> tuple[str, str] | None:
    """Name and version of the program that is needed; None for other needs."""
    return (need.name, PROGRAMS[need.name].version()) if need.kind == PROGRAM else None
