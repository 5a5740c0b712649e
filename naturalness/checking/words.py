"""Accepted words: inline code, and the names and terms that the settings list."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from naturalness.explaining.explanation import Edit, Explanation, Finding
from naturalness.explaining.findings import CHECKERS

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


def merged(spans: Iterable[tuple[int, int]]) -> Spans:
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
