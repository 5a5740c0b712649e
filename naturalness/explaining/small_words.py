"""Function words by class: what may be put in, taken out or exchanged without inventing content."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

with (Path(__file__).parent / "small_words.toml").open("rb") as _file:
    _TABLE = tomllib.load(_file)
BE, SUBJECTS = _TABLE["be"].split(), _TABLE["subjects"].split()
EXCHANGED = [words.split() for words in _TABLE["exchanged"]]
"""Classes within which a word may stand for another."""
INSERTED = _TABLE["inserted"].split()
"""Words that may be missing; *an* is *a* before a vowel."""
SMALL = frozenset(word.lower() for those in EXCHANGED for word in those)
"""All of them, in lower case."""


def _exchanges() -> Mapping[str, tuple[str, ...]]:
    exchanges: dict[str, dict[str, None]] = {}
    for those in EXCHANGED:
        for word in those:
            rest = dict.fromkeys(other for other in those if other != word)
            exchanges.setdefault(word.lower(), {}).update(rest)
    return {word: tuple(others) for word, others in exchanges.items()}


EXCHANGES = _exchanges()
"""What may stand for each of them."""
