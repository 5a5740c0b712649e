"""Constructions that chat models overuse, found by patterns over lower-case tokens; no parse is needed.

A text is read as lines of tokens: one sentence per line, tokens separated by single spaces, quotes and dashes in one
form, numbers as ``0``. ``constructions.toml`` has a pattern for each construction, with examples.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import NamedTuple

from naturalness.text.boundaries import TITLES, sentence_starts

TOKEN = re.compile(
    rf"\b(?:{'|'.join(sorted(map(re.escape, TITLES)))})\.|[^\W_]++(?:[-'’][^\W_]++)*+|--+|\.\.+|[^\w\s]", re.IGNORECASE
)
NUMBER = "0"
MARKS = {"“": '"', "”": '"', "’": "'", "‘": "'", "–": "—", "…": "..."}
PARTS = {
    "word": r"[\w'-]++",
    "start": r"^(?:[\"'(*—-] )*",
    "abstract": r"\w{2,24}(?:tion|sion|ment|ness|ity|ance|ence|ency|ship|ism|ility|ation|acy)s?\b",
}
"""Parts of patterns, written ``{word}`` in the TOML file."""


class TokenLines(NamedTuple):
    """A text as lines of tokens."""

    tokens: list[str]
    """Words and marks in lower case, with one spelling for each mark."""
    spans: list[tuple[int, int]]
    """Start and end of each token in the text."""
    starts: list[int]
    """Index of the first token of each sentence."""

    @property
    def n_words(self) -> int:
        """The number of tokens that are words."""
        return sum(map(is_word, self.tokens))

    @property
    def text(self) -> str:
        """The tokens, separated by spaces, with a line break before each sentence but the first."""
        bounds = [*self.starts, len(self.tokens)]
        return "\n".join(" ".join(self.tokens[a:b]) for a, b in pairwise(bounds))


class Construction(NamedTuple):
    """A construction, with texts in which its pattern finds something or nothing."""

    name: str
    title: str
    pattern: re.Pattern[str]
    bad: tuple[str, ...]
    good: tuple[str, ...]


def token_lines(text: str) -> TokenLines:
    """Return the tokens of a text."""
    matches = list(TOKEN.finditer(text))
    spans = [match.span() for match in matches]
    typed = [match.group() for match in matches]
    tokens = [MARKS.get(token, token) if len(token) == 1 else token for token in typed]
    spaced = [a[1] < b[0] for a, b in pairwise(spans)] + [False]
    starts = sentence_starts(tokens, spaced)
    return TokenLines([_common_form(token) for token in tokens], spans, starts)


def _common_form(token: str) -> str:
    first = token[0]
    if first.isdigit():
        return NUMBER
    if first == "-" or (first == "." and len(token) > 1):
        return "—" if first == "-" else "..."
    return token.lower().replace("’", "'")


def is_word(token: str) -> bool:
    """Return whether a token is a word, not a mark."""
    return token[0].isalnum()


def grams(tokens: Sequence[str], length: int) -> Iterator[str]:
    """Yield each run of ``length`` tokens, joined by spaces."""
    return map(" ".join, zip(*(tokens[i:] for i in range(length)), strict=False)) if length > 1 else iter(tokens)


@cache
def constructions() -> tuple[Construction, ...]:
    """Return all constructions, in the order of the file."""
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return tuple(
        Construction(
            name,
            entry["title"],
            re.compile(_filled(entry["pattern"]), re.MULTILINE),
            tuple(entry["bad"]),
            tuple(entry["good"]),
        )
        for name, entry in table.items()
    )


def _filled(pattern: str) -> str:
    for name, part in PARTS.items():
        pattern = pattern.replace(f"{{{name}}}", part)
    return pattern


def find_constructions(lines: TokenLines) -> Iterator[tuple[str, int, int]]:
    """Yield each construction in a text: its name, first token and end."""
    text = lines.text
    offsets: list[int] = []
    for construction in constructions():
        for match in construction.pattern.finditer(text):
            offsets = offsets or [0, *accumulate(len(token) + 1 for token in lines.tokens)]
            start, end = (bisect_right(offsets, at) - 1 for at in (match.start(), match.end() - 1))
            yield construction.name, start, end + 1
