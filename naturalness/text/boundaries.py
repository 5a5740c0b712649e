"""Find the beginnings of English sentences by rule, so that a text can be scored without being parsed.

A sentence ends after ``.``, ``!``, ``?`` or ``…`` and any quotes, brackets, footnote marks and emoticons that follow,
if the next token looks like a beginning. The parser is given these boundaries and adds no others, so a text has
the same sentences whether or not it is parsed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from naturalness.files.toml import read_beside

MARKS = ".!?…"
MARK = re.compile(f"[{MARKS}]+")
CLOSING = frozenset("\"')]}")
OPENING = frozenset("\"'([-*")
EMOTICON = re.compile(r"[:;=8][-'^]?[()DPpdO/\\|*]+|[(][:;]")
_WORDS = read_beside(__file__)
TITLES, BEGINNINGS = frozenset(_WORDS["titles"]), frozenset(_WORDS["beginnings"])
"""Abbreviations that never end a sentence, and words that begin one after any other abbreviation (``5 p.m. The``)."""


def sentence_starts(tokens: Sequence[str], spaced: Sequence[bool]) -> list[int]:
    """Return the indices of the tokens that begin a sentence, including the first token.

    ``spaced`` says for each token whether white space follows it.
    """
    starts = [0] if tokens else []
    # If the text has no capitals, a lower-case letter may begin a sentence.
    plain = not any(token[:1].isupper() for token in tokens[1:] if token != "I")
    i = 0
    while i < len(tokens) - 1:
        token = tokens[i]
        if token[-1:] in MARKS and (MARK.fullmatch(token) or (len(token) > 2 and token[-1] == ".")):
            following = _behind(tokens, spaced, i)
            if following < len(tokens) and _begins(tokens, spaced, i, following, plain=plain):
                starts.append(following)
            i = following
        else:
            i += 1
    return starts


def _behind(tokens: Sequence[str], spaced: Sequence[bool], i: int) -> int:
    """Return the index of the first token after a sentence end at ``i`` and the closing marks that follow it."""
    n, i = len(tokens), i + 1
    while i < n and not spaced[i - 1]:
        if MARK.fullmatch(tokens[i]) or tokens[i] in CLOSING:
            i += 1
        elif tokens[i] == "[" and i + 2 < n and tokens[i + 2] == "]" and not spaced[i]:
            i += 3
        else:
            break
    while i < n and EMOTICON.fullmatch(tokens[i]):
        i += 1
    return i


def _begins(tokens: Sequence[str], spaced: Sequence[bool], end: int, start: int, *, plain: bool) -> bool:
    """Return whether a sentence begins at ``start``, given that a mark or an abbreviation is at ``end``."""
    first = next((tokens[i] for i in range(start, len(tokens)) if tokens[i] not in OPENING), tokens[-1])
    mark, spaced_apart = tokens[end], spaced[start - 1]
    if not MARK.fullmatch(mark):
        return mark[:-1].lower() not in TITLES and first in BEGINNINGS
    if not spaced_apart:
        return first[:1].isupper()
    if mark[0] in "!?":
        quoted = any(token in CLOSING for token in tokens[end + 1 : start])
        return not (quoted and first[:1].islower())
    if len(mark) > 1 or mark == "…":
        return first[:1].isupper()
    return plain or not first[:1].islower()
