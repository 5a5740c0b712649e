"""Words that are no flaws: inline code, accepted words and names; and the words that a fix must not touch."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from naturalness.checking.sources import FileSentence
from naturalness.english.rules.verbs import is_third_person
from naturalness.english.speller import TYPOS, misspelling, odds
from naturalness.english.wordlist import edits, load_wordlist
from naturalness.explaining.explanation import Edit, Explanation, Finding
from naturalness.explaining.findings import CHECKERS
from naturalness.explaining.rewriting import Change

SPELLING = "spelling"
"""The cause of findings that correct unknown words."""
SIGN = re.compile(r"[=<>{}\[\]\\|@#$_/*`~^+&]|\w[.(:]\w|\w\(\)|[a-z][A-Z]|[^\W\d]\d|\d[^\W\d]|--|^-\w")
"""Part of a word that is no prose: an operator, an identifier, a path, or an option."""
NEAR = 2
"""The number of words on each side of a fix that must be prose."""
VARIABLE = re.compile(r"\b(?i:an?|the|each|every) i\b(?: \w+)?|\bi (?!was\b)(\w+)")
"""A variable *i*, or *i* and the word that follows, which may be its verb."""
LETTER = re.compile(r"(?<![\w'’.-])[jkn](?![\w'’-]|\.\w)")
"""A variable that often stands beside *i*."""
MENTION = re.compile(
    r"\b(?:typos?|mis-?spel\w*|spel(?:l|lt|ls|led|lings?|t)|renam\w*|instead of|the words?)\b", re.IGNORECASE
)
"""What shows that a sentence may mention a misspelling rather than make one."""
MIN_MENTIONED = 5
"""The smallest number of letters of a correction that, if the sentence has it too, may show the same."""
WORD = re.compile(r"[^\W\d_]+")
MIN_LETTERS = 8
"""The smallest number of letters of an unknown word that may be misspelt although its file has it several times, and of
one that is corrected although it is no known misspelling; a shorter one has too many neighbours, as names of programs
show: *ncurses*, *nurses*.
"""
MIN_SWAPPED = 6
"""The same for a word that has the letters of its correction in another order, as names rarely do: *comamnd*."""


def names(sentence: FileSentence) -> Iterator[tuple[int, int]]:
    """Yield the spans of unknown words that the file has several times, in prose, code, identifiers or addresses.

    A slip seldom recurs; a known misspelling, or a long word that is one edit from a frequent one, is never a name.
    """
    counts = _counts(sentence.source.text)
    for match in WORD.finditer(sentence.text):
        word = match.group().lower()
        if (
            counts[word] > 1
            and not (load_wordlist().knows(word) or odds(word) == math.inf)
            and (len(word) < MIN_LETTERS or (misspelling(word) or "") not in edits(word))
        ):
            yield match.span()


@lru_cache(maxsize=2)
def _counts(text: str) -> Mapping[str, int]:
    """Return how often a file has each word, in lower case."""
    return Counter(WORD.findall(text.lower()))


def is_safe(sentence: FileSentence, change: Change, *, spelling: bool) -> bool:
    """Return whether a change touches no name, code or quotation, nor anything that could be one."""
    text, (start, end, new) = sentence.text, change
    least = MIN_SWAPPED if sorted(text[start:end].lower()) == sorted(new.lower()) else MIN_LETTERS
    before, old, after = text[:start].split(), text[start:end].split(), text[end:].split()
    exempt = any(first < end and start < last for first, last in sentence.exempt)
    beside_code = any(first - 1 <= end and start <= last + 1 for first, last in sentence.code)
    if exempt or beside_code or any(map(SIGN.search, [*before[-NEAR:], *old, *after[:NEAR]])):
        return False
    if _is_beside_variable(text, start, end) or ("i" in old and LETTER.search(sentence.source.text)):
        return False
    if spelling and text[start:end].lower() != new.lower() and _is_mention(text, new.lower()):
        return False
    if before and _is_part_of_name(sentence, before[-1]):
        return False
    if {"a", "an"}.intersection(map(str.lower, old)) and after and not after[0].islower():
        return False  # how an abbreviation is pronounced is not known
    return all(
        _is_prose(sentence, word, spelling=spelling, first=not before and n == 0, least=least)
        for n, word in enumerate(old)
    )


def _is_beside_variable(text: str, start: int, end: int) -> bool:
    """Return whether a change touches a variable *i*, which follows an article or has a singular verb, or that verb."""
    spans = (match.span() for match in VARIABLE.finditer(text) if not match[1] or is_third_person(match[1]))
    return any(first <= end and start <= last for first, last in spans)


def _is_mention(text: str, right: str) -> bool:
    """Return whether a text may mention a misspelling of ``right``."""
    return bool(MENTION.search(text)) or (len(right) >= MIN_MENTIONED and right in WORD.findall(text.lower()))


def _is_part_of_name(sentence: FileSentence, word: str) -> bool:
    """Return whether a word, perhaps the subject of a fix, is part of an identifier in its file: *cups-browsed*."""
    plain = re.escape(word.lower())
    return bool(re.search(rf"(?<=\w[-_./]){plain}\b|\b{plain}(?=[-_./]\w)", sentence.source.text.lower()))


def _is_prose(sentence: FileSentence, word: str, *, spelling: bool, first: bool, least: int) -> bool:
    """Return whether a word is certainly no name: it is known, or it is clearly misspelt and has ``least`` letters."""
    plain = word.strip("\"'“”‘’.,;:!?()").replace("’", "'")
    low = plain.lower()
    if plain not in (low, low.capitalize() if first else low, "I"):
        return False
    if not plain or load_wordlist().knows(low):
        return True
    unique = _counts(sentence.source.text)[low] == 1
    return spelling and (low in TYPOS or (len(low) >= least and unique))


STAND_INS = ("London", "go", "green")
"""A name, a verb and an adjective that are tried in turn in place of accepted words; the best score counts."""
WORD_CAUSES = ("spelling", "wording")
"""Causes for which a checker judges a word by itself; for other causes, it judges a word in its context."""

Spans = tuple[tuple[int, int], ...]


def accepted_spans(words: Sequence[str], text: str) -> Spans:
    """Return the spans of accepted words in a text, without possessive endings.

    An entry may have several words. An entry in lower case matches any case; any other entry matches only as written.
    """
    return tuple(match.span() for match in _pattern(tuple(words)).finditer(text)) if words else ()


@lru_cache(maxsize=1)
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = sorted(filter(None, map(str.split, words)), key=lambda parts: -sum(map(len, parts)))
    choices = ((r"\s+".join(map(re.escape, parts)), "".join(parts)) for parts in longest_first)
    either = "|".join(pattern if word != word.lower() else f"(?i:{pattern})" for pattern, word in choices)
    return re.compile(rf"(?<!\w)(?:{either})(?!\w)")


def merge_spans(spans: Iterable[tuple[int, int]]) -> Spans:
    """Return spans in order, merging those that overlap."""
    apart: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if apart and start < apart[-1][1]:
            apart[-1] = apart[-1][0], max(end, apart[-1][1])
        else:
            apart.append((start, end))
    return tuple(apart)


def familiar(text: str, spans: Spans) -> list[str]:
    """Return, for each of `STAND_INS`, the text with every span replaced by it; an empty list if there are no spans."""
    pieces = [text[end:start] for (_, end), (start, _) in zip([(0, 0), *spans], [*spans, (len(text), 0)], strict=True)]
    return [word.join(pieces) for word in STAND_INS] if spans else []


def without(explained: Explanation, spans: Spans) -> Explanation:
    """Return an explanation without the findings, edits and repair that concern only the words in spans."""
    steps = explained.repair.steps if explained.repair else ()
    return replace(
        explained,
        findings=tuple(finding for finding in explained.findings if not _about(finding, spans)),
        edits=tuple(edit for edit in explained.edits if not _inside(edit, spans)),
        repair=None if any(_inside(step, spans) for step in steps) else explained.repair,
    )


def _about(finding: Finding, spans: Sequence[tuple[int, int]]) -> bool:
    """Return whether a finding concerns only an accepted word, and does not depend on the words beside it."""
    return (finding.source not in CHECKERS or finding.cause in WORD_CAUSES) and _inside(finding, spans)


def _inside(part: Finding | Edit, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= part.start < part.end <= end for start, end in spans)
