"""Versions of rules; a model records the versions of the rules that it uses."""

from __future__ import annotations

from collections.abc import Iterable

from naturalness.english.rules.reading import rules

NAMED_RULES = 5
"""The largest number of rules that a message lists."""


def versions_of(family: str) -> str:
    """Return the versions of a family's rules as one string: ``HE_GO 1, HE_ARE 2``."""
    return ", ".join(f"{rule.id} {rule.version}" for rule in rules()[family])


def changes_since(family: str, recorded: str) -> str:
    """Describe which rules of a family have been added, changed or removed since a model recorded their versions."""
    before, now = _by_rule(recorded), _by_rule(versions_of(family))
    changes = {
        "added": now.keys() - before.keys(),
        "changed": {name for name in now.keys() & before.keys() if now[name] != before[name]},
        "removed": before.keys() - now.keys(),
    }
    listed = [f"{change} {_listed(names)}" for change, names in changes.items() if names]
    return f"other rules of {family.replace('_', ' ')} ({'; '.join(listed) or 'reordered'})"


def _by_rule(versions: str) -> dict[str, str]:
    return {name: version for name, _, version in (entry.partition(" ") for entry in versions.split(", "))}


def _listed(names: Iterable[str]) -> str:
    """Return the first `NAMED_RULES` names, followed by the number of further names, as text."""
    ordered = sorted(names)
    more = [f"{len(ordered) - NAMED_RULES} more"] if len(ordered) > NAMED_RULES else []
    return ", ".join([*ordered[:NAMED_RULES], *more])
