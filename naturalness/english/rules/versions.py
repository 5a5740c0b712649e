"""Which rules these are, by checksums, and what has changed since a model learned from others.

`versions.json` holds, for each set of rules that a shipped model or a release came with, a checksum
of every rule. ``python -m naturalness.english.rules.versions`` adds the present set to it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from naturalness.english.rules import FAMILIES
from naturalness.english.rules.pattern import CodeRule, Rule

VERSION = 2
"""Raised when code of the engine, of a test or of a code rule changes what is found."""
SHIPPED = "3e4c77ca2062"
"""`checksum` of the shipped rules; a test compares them. To work it out each time costs 50 ms."""
RECORDED = Path(__file__).with_name("versions.json")
FORMER_NAMES = {"determined_subject": "one_subject", "article_with_noun": "one_thing"}
"""What functions were called when checksums were recorded: a new name alone is no new rule."""
ENGINE = "engine"
"""The name, beside those of rules, of the code that all of them share."""
NAMED_RULES = 5
"""Rules that a message names."""

Families = Mapping[str, Sequence[Rule | CodeRule]]


def checksum(families: Families) -> str:
    """Return twelve letters that change with the rules: data is spelt out, functions go by their names."""
    spelt = repr([(family, [_spelt(rule) for rule in rules]) for family, rules in families.items()])
    return _hashed(f"{VERSION};{spelt}")


def rule_checksums(families: Families = FAMILIES) -> dict[str, str]:
    """Return a checksum of each rule by its id, and the version of the engine."""
    rules = {rule.id: _hashed(repr((family, _spelt(rule)))) for family, rules in families.items() for rule in rules}
    return {ENGINE: str(VERSION), **rules}


def changes_since(version: str, families: Families = FAMILIES) -> str:
    """Return which rules were added, changed and removed since a set of rules, named by its checksum."""
    known = json.loads(RECORDED.read_text(encoding="utf-8"))
    if version not in known:
        return "which rules differ is not recorded"
    before, now = known[version], rule_checksums(families)
    changes = {
        "added": now.keys() - before.keys(),
        "changed": {name for name in now.keys() & before.keys() if now[name] != before[name]},
        "removed": before.keys() - now.keys(),
    }
    return "; ".join(f"{change} {_listed(names)}" for change, names in changes.items() if names) or "reordered"


def _listed(names: Iterable[str]) -> str:
    """Return the first names, and how many more there are."""
    ordered = sorted(names)
    more = [f"{len(ordered) - NAMED_RULES} more"] if len(ordered) > NAMED_RULES else []
    return ", ".join([*ordered[:NAMED_RULES], *more])


def _hashed(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _spelt(value: Any) -> Any:
    """Return plain data that is the same in every process: no addresses, no order of sets."""
    if is_dataclass(value):
        # Examples and words of a message change nothing in the numbers.
        parts = [f.name for f in fields(value) if f.name not in ("bad", "good", "message")]
        return [type(value).__name__, *(_spelt(getattr(value, name)) for name in parts)]
    if isinstance(value, Mapping):
        return sorted((str(key), _spelt(entry)) for key, entry in value.items())
    if isinstance(value, frozenset | set):
        return sorted(map(str, value))
    if isinstance(value, tuple | list):
        return [_spelt(entry) for entry in value]
    if callable(value):
        # Methods of built-in types (str.isupper) have no module.
        name = FORMER_NAMES.get(value.__qualname__, value.__qualname__)
        return f"{getattr(value, '__module__', 'builtins')}.{name}"
    return repr(value)


def record(path: Path = RECORDED) -> str:
    """Add the present rules to what is recorded; return their checksum."""
    known = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    version = checksum(FAMILIES)
    path.write_text(json.dumps({**known, version: rule_checksums()}, indent=1) + "\n", encoding="utf-8")
    return version


if __name__ == "__main__":
    record()
