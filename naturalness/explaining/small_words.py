"""Function words, grouped into classes; they can be inserted, dropped or exchanged without adding content."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

with (Path(__file__).parent / "small_words.toml").open("rb") as _file:
    _TABLE = tomllib.load(_file)
BE, SUBJECTS = _TABLE["be"].split(), _TABLE["subjects"].split()
EXCHANGED = [words.split() for words in _TABLE["exchanged"]]
"""Classes of words; the words of a class can replace each other."""
INSERTED = _TABLE["inserted"].split()
"""Words that may be missing from a text; *a* becomes *an* before a vowel."""
SMALL = frozenset(word.lower() for those in EXCHANGED for word in those)
"""All words in `EXCHANGED`, in lower case."""


def _exchanges() -> Mapping[str, tuple[str, ...]]:
    exchanges: dict[str, dict[str, None]] = {}
    for those in EXCHANGED:
        for word in those:
            rest = dict.fromkeys(other for other in those if other != word)
            exchanges.setdefault(word.lower(), {}).update(rest)
    return {word: tuple(others) for word, others in exchanges.items()}


EXCHANGES = _exchanges()
"""The possible replacements of each word, keyed by word."""
