"""Codes: short stable names of causes, rules and finders, by which `check` shows and switches off what it finds."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from naturalness.english.rules import FAMILIES
from naturalness.english.rules.reading import rules
from naturalness.errors import UnknownName
from naturalness.explaining.causes import KINDS

LANGUAGETOOL = "languagetool"
"""The code of all that LanguageTool finds; that of one of its rules ends in the rule's id."""
OPEN = (f"{LANGUAGETOOL}-", "group-", "column-")
"""How codes begin whose number is not known: rules of LanguageTool, and causes that are a user's own."""
EVERYTHING = "*"
"""What a comment ignores that names no code."""
UNNATURAL = "unnatural"
"""The code of a sentence that no cause lowers: a typical one already scores too low."""


@dataclass(frozen=True, slots=True)
class Code:
    """What a code stands for."""

    name: str
    cause: str
    """The code of its cause; its name where it is one."""
    finds: str
    fix: str
    """What to do."""
    before: str
    after: str
    """A sentence with the flaw, and without."""


def code_of(name: str) -> str:
    """Return the code of a rule or a cause: ``HE_GO`` is ``he-go``; of no cause `UNNATURAL`."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or UNNATURAL


@cache
def codes() -> Mapping[str, Code]:
    """Return all codes by name: each cause, followed by its rules and finders."""
    with (Path(__file__).parent / "codes.toml").open("rb") as file:
        causes = tomllib.load(file)
    by_cause = _rules_by_cause()
    every: dict[str, Code] = {}
    for cause, table in causes.items():
        inside = {name: part for name, part in table.items() if isinstance(part, dict)}
        alone = {name: text for name, text in table.items() if isinstance(text, str)}
        for name, fields in {cause: alone, **by_cause.get(cause, {}), **inside}.items():
            every[name] = Code(name, cause, **{"fix": table["fix"], **fields})
    return every


def _rules_by_cause() -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    """Return the entries of rules by cause and code; the first examples of a rule are a sentence before and after."""
    by_cause: dict[str, dict[str, Mapping[str, str]]] = {}
    for family, in_family in rules().items():
        for rule in in_family:
            entry = {"finds": rule.finds, "before": rule.bad[0], "after": rule.good[0]}
            advice = {"fix": rule.fix} if rule.fix else {}
            by_cause.setdefault(code_of(KINDS[FAMILIES[family].kind]), {})[code_of(rule.id)] = {**entry, **advice}
    return by_cause


def check_code(name: str) -> str:
    """Return a code that can be switched off; refuse one that is unknown."""
    if name == LANGUAGETOOL or name in codes() or name.startswith(OPEN):
        return name
    raise UnknownName("code", name, codes())


def about(name: str) -> Code:
    """Return what a code stands for; of one that is open, what is known of it."""
    if name in codes():
        return codes()[name]
    if name.startswith(LANGUAGETOOL):
        rule = name.removeprefix(f"{LANGUAGETOOL}-")
        return Code(name, LANGUAGETOOL, f"What LanguageTool finds with its rule {rule}.", "Read its message.", "", "")
    return Code(name, name, "A cause of features of your own.", "Look at their values.", "", "")


def is_off(code: str, cause: str, off: frozenset[str]) -> bool:
    """Return whether a finding of this code and cause is switched off, by its code or by a wider one."""
    wider = {code_of(cause), EVERYTHING, *([LANGUAGETOOL] if code.startswith(f"{LANGUAGETOOL}-") else [])}
    return not off.isdisjoint({code, *wider})
