"""Word lists and tables of the rules, from `words.toml` and the sections `words` and `tables` of each family's file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

SHARED = "words"
"""The name, without extension, of the file with lists that all families share."""


@cache
def read(name: str) -> Mapping[str, Any]:
    """Return the contents of a family's TOML file, or of the shared one."""
    folder = Path(__file__).parent / "rules"
    with ((folder if name == SHARED else folder / "families") / f"{name}.toml").open("rb") as file:
        return tomllib.load(file)


@cache
def word_list(name: str, file: str = SHARED) -> frozenset[str]:
    """Return the word list with this name in a file, or the keys of the table with this name.

    Names that are not in the file are looked up in the shared one.
    """
    contents = read(file)
    if name in contents["words"]:
        return expand(contents["words"][name], file)
    if name in contents.get("tables", {}):
        return frozenset(contents["tables"][name])
    if file == SHARED:
        raise ValueError(f"no word list or table is called {name!r}")
    return word_list(name)


def expand(text: str, file: str) -> frozenset[str]:
    """Return the words of a text, in which ``@name`` stands for all words of a list."""
    lists = [word_list(word[1:], file) if word[0] == "@" and len(word) > 1 else {word} for word in text.split()]
    return frozenset[str]().union(*lists)


def table(name: str, file: str) -> Mapping[str, Any]:
    """Return the table with this name in a file."""
    entries: Mapping[str, Any] = read(file)["tables"][name]
    return entries
