"""Constructions that chat models overuse, found by patterns over lower-case tokens; no parse is needed.

A text is read as lines of tokens: one sentence per line, tokens separated by single spaces, quotes and dashes in one
form, numbers as ``0``. ``constructions.toml`` has a pattern for each construction, with examples.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate, pairwise
from typing import NamedTuple

from naturalness.files.toml import read_beside
from naturalness.text.boundaries import TITLES, sentence_starts

TOKEN = re.compile(r"((?<!\w)[EeIi]\.[GgEe]\.|[^\W_]++(?:[-'’][^\W_]++)*+|--+|\.\.+|[^\w\s])([\s_]*+)")
"""A word or mark, and the space behind it."""
LEADING_SPACE = re.compile(r"[\s_]*+")
ABBREVIATIONS = TITLES - {"no", "nos"}
"""Words that keep their full stop; *no* ends sentences as well."""
NUMBER = "0"
MARKS = {"“": '"', "”": '"', "’": "'", "‘": "'", "–": "—", "…": "..."}
PARTS = {
    "word": r"[\w'-]++",
    "start": r"^(?:[\"'(*—-] )*",
    "abstract": r"(?:tion|sion|ment|ness|ity|ance|ence|ency|ship|ism|ility|ation|acy)s?\b",
}
"""Parts of patterns, written ``{word}`` in the TOML file."""


class TokenLines(NamedTuple):
    """A text as lines of tokens."""

    tokens: list[str]
    """Words and marks in lower case, with one spelling for each mark."""
    starts: list[int]
    """Index of the first token of each sentence."""
    typed: list[tuple[str, str]]
    """Each token as typed, and the space behind it."""
    offset: int
    """Length of the space before the first token."""

    @property
    def spans(self) -> list[tuple[int, int]]:
        """Start and end of each token in the text."""
        ends = accumulate((len(token) + len(space) for token, space in self.typed), initial=self.offset)
        return [(start, start + len(token)) for start, (token, _) in zip(ends, self.typed, strict=False)]

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
    contains: tuple[str, ...]
    """Strings of which every match contains one."""
    bad: tuple[str, ...]
    good: tuple[str, ...]


def token_lines(text: str) -> TokenLines:
    """Return the tokens of a text."""
    typed = TOKEN.findall(text)
    for i in [i for i, (token, _) in enumerate(typed) if token == "."][::-1]:
        if i and not typed[i - 1][1] and typed[i - 1][0].lower() in ABBREVIATIONS:
            typed[i - 1 : i + 1] = [(typed[i - 1][0] + ".", typed[i][1])]
    marked = [token if token.isalpha() else MARKS.get(token, token) for token, _ in typed]
    starts = sentence_starts(marked, [bool(space) for _, space in typed])
    tokens = [token.lower() if token.isalpha() else _common_form(token) for token in marked]
    return TokenLines(tokens, starts, typed, LEADING_SPACE.match(text).end())  # type: ignore[union-attr]


def _common_form(token: str) -> str:
    """Return the form in which a token with a mark or digit is counted."""
    if token[0].isdigit():
        return NUMBER
    if token[0] == "-" or (token[0] == "." and len(token) > 1):
        return "—" if token[0] == "-" else "..."
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
    table = read_beside(__file__)
    return tuple(
        Construction(
            name,
            entry["title"],
            re.compile(_filled(entry["pattern"]), re.MULTILINE),
            tuple(entry.get("contains", ("",))),
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
        if not any(string in text for string in construction.contains):
            continue
        for match in construction.pattern.finditer(text):
            offsets = offsets or [0, *accumulate(len(token) + 1 for token in lines.tokens)]
            start, end = (bisect_right(offsets, at) - 1 for at in (match.start(), match.end() - 1))
            yield construction.name, start, end + 1
