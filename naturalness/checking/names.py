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
ARTICLES = frozenset({"a", "an"})


def is_safe(sentence: Sentence, finding: Finding, change: Change) -> bool:
    """Return whether a change touches no name, code or quotation, nor anything that could be one."""
    text, (start, end, _) = sentence.text, change
    before, old, after = text[:start].split(), text[start:end].split(), text[end:].split()
    near = [*before[-NEAR:], *old, *after[:NEAR]]
    if _is_quoted(text[:start]) or _is_beside_code(sentence, start, end) or any(map(SIGN.search, near)):
        return False
    if {word.lower() for word in old} & ARTICLES and after and not after[0].islower():
        return False  # how an abbreviation is pronounced is not known
    return all(_is_prose(sentence, finding, word, first=not before and n == 0) for n, word in enumerate(old))


def _is_quoted(before: str) -> bool:
    """Return whether a quotation is open after this part of a sentence."""
    return before.count('"') % 2 == 1 or before.count("“") > before.count("”")


def _is_beside_code(sentence: Sentence, start: int, end: int) -> bool:
    return any(first - 1 <= end and start <= last + 1 for first, last in sentence.code)


def _is_prose(sentence: Sentence, finding: Finding, word: str, *, first: bool) -> bool:
    """Return whether a word of a sentence is certainly no name: it is known, or a clear misspelling."""
    plain = word.strip("\"'“”‘’.,;:!?()")
    low = plain.lower()
    if plain not in (low, low.capitalize() if first else low, "I"):
        return False
    if not plain or load_wordlist().knows(low.replace("’", "'")):
        return True
    return finding.cause == SPELLING and (low in TYPOS or (len(low) >= MIN_LETTERS and _is_unique(sentence, low)))


def _is_unique(sentence: Sentence, word: str) -> bool:
    """Return whether a word occurs once in its file; a name or a term recurs, a slip seldom does."""
    return len(re.findall(rf"{re.escape(word)}", sentence.source.text, re.IGNORECASE)) == 1
