"""Comments that ignore codes: which lines they cover, and warnings about comments that cannot be understood."""

from __future__ import annotations

import re
import warnings
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from naturalness.checking.plain import Comments, Ignored, Lines, Region
from naturalness.errors import NaturalnessWarning, UnknownName, excerpt
from naturalness.explaining.codes import codes, is_known_code
from naturalness.explaining.rewriting import Change

WORD = re.compile(r"[^\W_]+")
MAX_WARNINGS = 20
"""The largest number of warnings about unknown codes in a file, since finding suggestions for each takes time."""


def ignored_lines(name: str, lines: Lines, comments: Comments) -> Mapping[int, frozenset[str]]:
    """Return the codes that are ignored on each line; warn about comments that cannot be understood."""
    _warn_of_unknown(name, lines, comments)
    if not comments.ignored:
        return {}
    begin: dict[int, list[str]] = {}
    end_at: dict[int, list[str]] = {}
    for covered, comment in _covered_lines(lines, comments):
        known = [*filter(is_known_code, comment.codes)]
        begin.setdefault(covered.start, []).extend(known)
        end_at.setdefault(covered.stop, []).extend(known)
    active: Counter[str] = Counter()
    in_force: frozenset[str] = frozenset()
    by_line: dict[int, frozenset[str]] = {}
    for line in range(1, len(lines.starts) + 1):
        if line in begin or line in end_at:
            active -= Counter(end_at.get(line, ()))
            active.update(begin.get(line, ()))
            in_force = frozenset(active)
        if in_force:
            by_line[line] = in_force
    return by_line


def _covered_lines(lines: Lines, comments: Comments) -> Iterator[tuple[range, Ignored]]:
    """Yield each comment that ignores codes, with the lines that it covers.

    A comment covers its own lines or, if it stands alone, the paragraph below it.
    """
    starts = [*lines.starts, len(lines.text) + 1]
    blank = [not lines.text[start:end].strip() for start, end in pairwise(starts)]
    next_blank = len(blank)
    paragraph_ends = [0] * len(blank)
    for line in reversed(range(len(blank))):
        next_blank = line if blank[line] else next_blank
        paragraph_ends[line] = next_blank
    words = [match.start() for match in WORD.finditer(lines.text)]
    for comment in comments.ignored:
        region = lines.region(comment.start, comment.end)
        first, end = region.line - 1, region.end_line
        beside = (starts[first], comment.start), (comment.end, starts[end])
        if all(bisect_left(words, start) == bisect_left(words, stop) for start, stop in beside):
            first = next((line for line in range(end, len(blank)) if not blank[line]), len(blank))
            end = paragraph_ends[first] if first < len(blank) else first
        yield range(first + 1, end + 1), comment


def ignoring_comment(lines: Lines, region: Region, codes: Sequence[str]) -> Change:
    """Return the insertion of a comment that ignores codes, at the end of a region's last line."""
    first, after = (*lines.starts, len(lines.text) + 1)[region.end_line - 1 : region.end_line + 1]
    at = first + len(lines.text[first : after - 1].rstrip())
    return at, at, f" <!-- naturalness: ignore {', '.join(codes)} -->"


def _warn_of_unknown(name: str, lines: Lines, comments: Comments) -> None:
    for start, command in comments.unknown:
        said = excerpt(f"naturalness: {command}")
        _warn(name, lines, start, f"a comment says {said}; expected on, off, or ignore and codes")
    named = {(comment.start, code) for comment in comments.ignored for code in comment.codes}
    unknown = sorted((start, code) for start, code in named if not is_known_code(code))
    for start, code in unknown[:MAX_WARNINGS]:
        _warn(name, lines, start, f"{UnknownName('code', code, codes())} (in a comment)")
    if len(unknown) > MAX_WARNINGS:
        _warn(name, lines, unknown[MAX_WARNINGS][0], f"{len(unknown) - MAX_WARNINGS:,} more unknown codes in comments")


def _warn(name: str, lines: Lines, start: int, message: str) -> None:
    line = lines.region(start, start).line
    warnings.warn(f"{name}:{line}: {message}", NaturalnessWarning, stacklevel=2)
