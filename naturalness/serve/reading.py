"""Bodies of requests as what they ask for; whatever is wrong with one is told in words."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from naturalness.errors import UnknownName
from naturalness.reports.systems.answers import MOST_SYSTEMS
from naturalness.serve.limits import MOST_EDITS, Limits
from naturalness.web.refusals import Refusal

TEXT, TEXTS = "text", "texts"


@dataclass(frozen=True, slots=True)
class Explaining:
    """A request for explanations."""

    texts: list[str]
    edits: int
    in_words: bool


@dataclass(frozen=True, slots=True)
class Comparing:
    """A request for a comparison of systems."""

    systems: Mapping[str, list[str]]
    paired: bool


def read_scoring(body: bytes, limits: Limits) -> list[str]:
    """The texts to score."""
    given = _object(body, (TEXT, TEXTS))
    return _texts(given, limits.texts)


def read_explaining(body: bytes, limits: Limits) -> Explaining:
    """The texts to explain, and how."""
    given = _object(body, (TEXT, TEXTS, "edits", "in_words"))
    edits = given.get("edits", 0)
    if not isinstance(edits, int) or isinstance(edits, bool) or not 0 <= edits <= MOST_EDITS:
        raise Refusal(400, f"'edits' must be a whole number from 0 to {MOST_EDITS}, found {_shown(edits)}")
    return Explaining(_texts(given, limits.explained), edits, _flag(given, "in_words", False))


def read_comparing(body: bytes, limits: Limits) -> Comparing:
    """The systems to compare: by name the texts of each."""
    given = _object(body, ("systems", "paired"))
    systems = given.get("systems")
    if not isinstance(systems, dict) or not 2 <= len(systems) <= MOST_SYSTEMS:
        found = f"{len(systems)} systems" if isinstance(systems, dict) else _shown(systems)
        raise Refusal(
            400,
            f"'systems' must be an object with the texts of 2 to {MOST_SYSTEMS} systems by their names, found {found}",
        )
    if any(not name.strip() for name in systems):
        raise Refusal(400, "a system needs a name")
    texts = {name: _list(values, f"'systems' > {_shown(name)}") for name, values in systems.items()}
    _check_number(sum(map(len, texts.values())), limits.texts)
    lengths = {len(values) for values in texts.values()}
    paired = _flag(given, "paired", len(lengths) == 1)
    if paired and len(lengths) > 1:
        told = ", ".join(f"{_shown(name)} has {len(values)}" for name, values in texts.items())
        raise Refusal(
            400, f"'paired' needs as many texts of each system, the first for the first input and so on; {told}"
        )
    return Comparing(texts, paired)


def _object(body: bytes, known: tuple[str, ...]) -> dict[str, Any]:
    """A JSON object that has none but known fields."""
    try:
        given = json.loads(body)
    except (ValueError, RecursionError) as error:
        told = error.msg if isinstance(error, json.JSONDecodeError) else "not JSON in UTF-8"
        where = f" at character {error.pos}" if isinstance(error, json.JSONDecodeError) else ""
        raise Refusal(400, f"the body cannot be read as JSON: {told}{where}") from None
    if not isinstance(given, dict):
        raise Refusal(400, f"expected a JSON object such as {{{_example(known)}}}, found {_shown(given)}")
    for name in given:
        if name not in known:
            raise Refusal(400, str(UnknownName("field", name[:100], known)))
    return given


def _example(known: tuple[str, ...]) -> str:
    return '"texts": ["..."]' if TEXTS in known else '"systems": {"A": ["..."], "B": ["..."]}'


def _texts(given: Mapping[str, Any], most: int) -> list[str]:
    if (TEXT in given) == (TEXTS in given):
        raise Refusal(400, "give either 'texts', a list, or 'text', a single one")
    texts = [given[TEXT]] if TEXT in given else given[TEXTS]
    found = _list(texts, "'text'" if TEXT in given else "'texts'")
    _check_number(len(found), most)
    return found


def _list(values: Any, name: str) -> list[str]:
    if not isinstance(values, list):
        raise Refusal(400, f"{name} must be a list of strings, found {_shown(values)}")
    for place, value in enumerate(values):
        if not isinstance(value, str):
            told = f"number {place + 1} is {_shown(value)}"
            raise Refusal(400, f"{name} must be made of strings; {told}")
    return values


def _check_number(found: int, most: int) -> None:
    if found > most:
        words = f"expected at most {most:,} texts, found {found:,}; send them in several requests"
        raise Refusal(413, words)


def _flag(given: Mapping[str, Any], name: str, usual: bool) -> bool:
    value = given.get(name, usual)
    if not isinstance(value, bool):
        raise Refusal(400, f"{name!r} must be true or false, found {_shown(value)}")
    return value


def _shown(value: Any) -> str:
    """A value as JSON has it, cut short."""
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "a list"
    told = json.dumps(value)
    return told if len(told) <= 60 else f"{told[:57]}..."
