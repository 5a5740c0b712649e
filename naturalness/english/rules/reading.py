"""Read rules from TOML files, one per family, and look up the functions that they name.

A rule is a table named by its id. Word lists are texts in which ``@name`` stands for a list or table::

    [THAT_THINGS]
    finds = "“that” before a plural."
    message = "'{noun}' is plural: 'those {noun}'"
    suggest = ["those"]                        # texts; or { token = "@table" }; or "function"
    tokens.determiner = { lower = "that", dep = "det" }
    tokens.noun = { where = "after determiner", tag = "NNS", like = "is_plural" }
    unless = ["more", { how = { where = "before determiner", lower = "how @adverbs" } }]
    bad = ["I never heard of that places.", "She always speaks about that books."]
    good = ["I never heard of those places.", "I know that places like this exist."]

The keys are the fields of `pattern.Rule`. A token has a position (``where``: a key of `RELATIONS` and the name of a
token bound before it, or ``between`` and the names of two), conditions (the names of columns, with the suffix ``_not``
for unwanted values), and a predicate
(``like``). The section ``patterns`` names groups of tokens for use in ``unless``. Functions are defined in the family's
Python file, in `verbs.py` or in `nouns.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from naturalness.english.lists import expand, read, table
from naturalness.english.rules import FAMILIES, nouns, verbs
from naturalness.english.rules.pattern import COLUMNS, RELATIONS, Condition, Replacement, Rule, Template, Token, Tokens

COMPUTED = {f"@{name}": table for name, table in verbs.TABLES.items()}


@cache
def rules() -> Mapping[str, tuple[Rule, ...]]:
    """Return the rules of every family."""
    return {family: read_family(family) for family in FAMILIES}


def read_family(family: str) -> tuple[Rule, ...]:
    """Return the rules of a family in the order of its file."""
    return tuple(rule_of(family, name, entry) for name, entry in read(family).items() if name.isupper())


def rule_versions(family: str) -> str:
    """Return the versions of a family's rules, which a model records: ``HE_GO 1, HE_ARE 2``."""
    return ", ".join(f"{rule.id} {rule.version}" for rule in rules()[family])


def rule_of(family: str, name: str, entry: Mapping[str, Any]) -> Rule:
    """Return the rule that an entry in a family's file defines."""
    return Rule(id=name, **{key: _field(family, key, value) for key, value in entry.items()})


def _field(family: str, key: str, value: Any) -> Any:
    """Return the value of a field of a rule."""
    match key:
        case "test" | "find":
            return _function(family, value)
        case "bad" | "good":
            return tuple(value)
        case "mark":
            return tuple(value.split())
        case "tokens":
            return _tokens(family, value)
        case "unless":
            return tuple(_tokens(family, group) for part in value for group in _groups(family, part))
        case "suggest":
            return _suggestion(family, value)
    return value


def token(family: str, name: str, where: str = "", like: str = "", **conditions: str) -> Token:
    """Return a token of a pattern.

    Example: ``token("agreement", "verb", "head of subject", tag="VBP VBZ", lemma_not="be")``.
    """
    relation, _, other = where.rpartition(" ")
    ordered = [
        Condition(COLUMNS.index(key.removesuffix("_not")), _words(family, values), not key.endswith("_not"))
        for key, values in conditions.items()
    ]
    ordered.sort(key=lambda c: (not c.wanted, c.column))
    predicate = _function(family, like) if like else None
    _, between, behind = relation.rpartition("between ")
    relation = "same as" if between or not relation else relation
    return Token(name, tuple(ordered), RELATIONS[relation], other, behind * bool(between), predicate)


def _words(family: str, text: str) -> frozenset[str]:
    """Return the words of a condition, in which ``@name`` may also stand for a table that `verbs.py` computes."""
    return frozenset[str]().union(*(COMPUTED.get(word) or expand(word, family) for word in text.split()))


def _tokens(family: str, group: Mapping[str, Mapping[str, str]]) -> Tokens:
    return tuple(token(family, name, **conditions) for name, conditions in group.items())


def _groups(family: str, part: str | Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the groups of tokens in an entry of ``unless``: one group, or the groups of a named pattern."""
    return read(family)["patterns"][part] if isinstance(part, str) else [part]


def _suggestion(family: str, value: Any) -> Any:
    if isinstance(value, str):
        return _function(family, value)
    if isinstance(value, list):
        return Template(tuple(value), read(family).get("tables", {}))
    ((name, reference),) = value.items()
    return Replacement(name, COMPUTED.get(reference) or table(reference[1:], family))


def _function(family: str, name: str) -> Any:
    code = f"{__package__}.{family}"
    for module in (import_module(code) if find_spec(code) else verbs, verbs, nouns):
        if function := getattr(module, name, None):
            return function
    raise ValueError(f"{family}.toml names a function {name!r}, not defined in {family}.py, verbs.py or nouns.py")
