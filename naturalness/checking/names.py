"""Tell which words of a sentence a fix must not touch: names, code, quotations, and what could be one of them."""

from __future__ import annotations

import re

from naturalness.checking.sources import Sentence
from naturalness.english.rules.slips import TYPOS
from naturalness.english.wordlist import load_wordlist
from naturalness.explaining.explanation import Finding
from naturalness.explaining.rewriting import Change

SPELLING = "spelling"
"""The cause of findings that correct unknown words."""
SIGN = re.compile(r"[=<>{}\[\]\\|@#$_/*`~^+&]|\w[.(:]\w|\w\(\)|[a-z][A-Z]|[^\W\d]\d|\d[^\W\d]|--|^-\w")
"""Part of a word that is no prose: an operator, an identifier, a path, or an option."""
NEAR = 2
"""The number of words on each side of a fix that must be prose."""
MIN_LETTERS = 8
"""The smallest number of letters of an unknown word that is corrected although it is no known misspelling; a shorter
one has too many neighbours, as names of programs show: *ncurses*, *nurses*.
"""


def is_safe(sentence: Sentence, finding: Finding, change: Change) -> bool:
    """Return whether a change touches no name, code or quotation, nor anything that could be one."""
    text, (start, end, _) = sentence.text, change
    before, old, after = text[:start].split(), text[start:end].split(), text[end:].split()
    quoted = text[:start].count('"') % 2 or text[:start].count("“") > text[:start].count("”")
    beside_code = any(first - 1 <= end and start <= last + 1 for first, last in sentence.code)
    if quoted or beside_code or any(map(SIGN.search, [*before[-NEAR:], *old, *after[:NEAR]])):
        return False
    if before and _is_part_of_name(sentence, before[-1]):
        return False
    if {"a", "an"}.intersection(map(str.lower, old)) and after and not after[0].islower():
        return False  # how an abbreviation is pronounced is not known
    return all(_is_prose(sentence, finding, word, first=not before and n == 0) for n, word in enumerate(old))


def _is_part_of_name(sentence: Sentence, word: str) -> bool:
    """Return whether a word, perhaps the subject of a fix, is part of an identifier in its file: *cups-browsed*."""
    plain = re.escape(word.lower())
    return bool(re.search(rf"(?<=\w[-_./]){plain}\b|\b{plain}(?=[-_./]\w)", sentence.source.text.lower()))


def _is_prose(sentence: Sentence, finding: Finding, word: str, *, first: bool) -> bool:
    """Return whether a word is certainly no name: it is known, or it is clearly misspelt."""
    plain = word.strip("\"'“”‘’.,;:!?()").replace("’", "'")
    low = plain.lower()
    if plain not in (low, low.capitalize() if first else low, "I"):
        return False
    if not plain or load_wordlist().knows(low):
        return True
    unique = sentence.source.text.lower().count(low) == 1  # a name or a term recurs, a slip seldom does
    return finding.cause == SPELLING and (low in TYPOS or (len(low) >= MIN_LETTERS and unique))
