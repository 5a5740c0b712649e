"""Codes: short, stable names of causes, rules and finders. `check` shows them, and users switch findings off by
code.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from naturalness.english.rules import FAMILIES
from naturalness.english.rules.reading import rules
from naturalness.errors import UnknownName, guess
from naturalness.explaining.causes import KINDS
from naturalness.files.toml import read_beside

LANGUAGETOOL = "languagetool"
"""The code of all matches of LanguageTool; the code of a single LanguageTool rule has the rule's id appended."""
OPEN = (f"{LANGUAGETOOL}-", "group-")
"""Prefixes of open-ended codes, which cannot be listed: LanguageTool's rules, and causes of a user's own features."""
EVERYTHING = "*"
"""The entry that stands for all codes; used if a comment names no code."""
UNNATURAL = "unnatural"
"""The code of a sentence that scores too low although no cause lowers its score, since even a typical text scores
too low.
"""


@dataclass(frozen=True, slots=True)
class Code:
    """The description of a code, with advice and an example."""

    name: str
    cause: str
    """The code of the cause that this code belongs to; the same as ``name`` if the code names a cause."""
    finds: str
    fix: str
    """Advice on how to correct the flaw."""
    before: str
    after: str
    """The example sentence without the flaw; ``before`` is the same sentence with the flaw."""


def code_of(name: str) -> str:
    """Return the code for the name of a rule or cause, such as ``he-go`` for ``HE_GO``; `UNNATURAL` for an empty
    name.
    """
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or UNNATURAL


@cache
def codes() -> Mapping[str, Code]:
    """Return the descriptions of all codes, keyed by code: each cause, followed by its rules and finders."""
    causes = read_beside(__file__)
    by_cause = _rules_by_cause()
    every: dict[str, Code] = {}
    for cause, table in causes.items():
        inside = {name: part for name, part in table.items() if isinstance(part, dict)}
        alone = {name: text for name, text in table.items() if isinstance(text, str)}
        for name, fields in {cause: alone, **by_cause.get(cause, {}), **inside}.items():
            every[name] = Code(name, cause, **{"fix": table["fix"], **fields})
    return every


def _rules_by_cause() -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    """Return the entries of all rules, each with its first bad and good example, keyed by cause and then by code."""
    by_cause: dict[str, dict[str, Mapping[str, str]]] = {}
    for family, in_family in rules().items():
        for rule in in_family:
            entry = {"finds": rule.finds, "before": rule.bad[0], "after": rule.good[0]}
            advice = {"fix": rule.fix} if rule.fix else {}
            by_cause.setdefault(code_of(KINDS[FAMILIES[family]]), {})[code_of(rule.id)] = {**entry, **advice}
    return by_cause


def is_known_code(name: str) -> bool:
    """Return whether a code can be switched off."""
    return name in (LANGUAGETOOL, EVERYTHING) or name in codes() or name.startswith(OPEN)


def unknown_code(name: str) -> UnknownName:
    """Return the error for an unknown code; there are too many codes to list."""
    return UnknownName("code", name, codes(), guess(name, codes(), "") or "see docs/codes.md")


def check_code(name: str) -> str:
    """Return the code if it can be switched off; raise an error for an unknown code."""
    if name == EVERYTHING or not is_known_code(name):
        raise unknown_code(name)
    return name


def about(name: str) -> Code:
    """Return the description of a code; for an open-ended code, a generic one."""
    if name in codes():
        return codes()[name]
    if name.startswith(LANGUAGETOOL):
        rule = name.removeprefix(f"{LANGUAGETOOL}-")
        return Code(name, LANGUAGETOOL, f"What LanguageTool finds with its rule {rule}.", "Read its message.", "", "")
    return Code(name, name, "A cause of features of your own.", "Look at their values.", "", "")


def is_off(code: str, cause: str, off: frozenset[str]) -> bool:
    """Return whether a finding is switched off, by its own code, its cause's code, or a more general code."""
    wider = [LANGUAGETOOL] if code.startswith(f"{LANGUAGETOOL}-") else []
    return not off.isdisjoint([code, code_of(cause), EVERYTHING, *wider])
