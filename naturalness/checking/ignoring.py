"""Comments that ignore codes: which lines they cover, and warnings about comments that cannot be understood."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from naturalness.checking.plain import Comments, Ignored, Lines, Region
from naturalness.errors import NaturalnessError, NaturalnessWarning, excerpt
from naturalness.explaining.codes import EVERYTHING, check_code
from naturalness.explaining.rewriting import Change


def ignored_lines(name: str, lines: Lines, comments: Comments) -> Mapping[int, frozenset[str]]:
    """Return the codes that are ignored on each line; warn about comments that cannot be understood."""
    _warn_of_unknown(name, lines, comments)
    if not comments.ignored:
        return {}
    begin: dict[int, list[str]] = {}
    end_at: dict[int, list[str]] = {}
    for covered, comment in _covered_lines(lines, comments):
        begin.setdefault(covered.start, []).extend(comment.codes)
        end_at.setdefault(covered.stop, []).extend(comment.codes)
    active: Counter[str] = Counter()
    by_line: dict[int, frozenset[str]] = {}
    for line in range(1, len(lines.starts) + 1):
        active -= Counter(end_at.get(line, ()))
        active.update(begin.get(line, ()))
        if active:
            by_line[line] = frozenset(active)
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
    for comment in comments.ignored:
        region = lines.region(comment.start, comment.end)
        first, end = region.line - 1, region.end_line
        beside = lines.text[starts[first] : comment.start] + lines.text[comment.end : starts[end]]
        if not any(map(str.isalnum, beside)):
            first = next((line for line in range(end, len(blank)) if not blank[line]), len(blank))
            end = paragraph_ends[first] if first < len(blank) else first
        yield range(first + 1, end + 1), comment


def ignoring_comment(lines: Lines, region: Region, codes: Sequence[str], *, above: bool) -> Change:
    """Return the insertion of a comment that ignores codes in a region.

    It stands at the end of the region's last line or, if it must be ``above`` the text as in reStructuredText, on a
    line above the paragraph.
    """
    command = f"naturalness: ignore {', '.join(codes)}"
    rows = lines.text.split("\n")
    if not above:
        at = lines.starts[region.end_line - 1] + len(rows[region.end_line - 1].rstrip())
        return at, at, f" <!-- {command} -->"
    first = region.line - 1
    while first and rows[first - 1].strip():
        first -= 1
    indent = rows[first].partition(rows[first].lstrip())[0]
    return lines.starts[first], lines.starts[first], f"{indent}.. {command}\n\n"


def _warn_of_unknown(name: str, lines: Lines, comments: Comments) -> None:
    for start, command in comments.unknown:
        said = excerpt(f"naturalness: {command}")
        _warn(name, lines, start, f"a comment says {said}; expected on, off, or ignore and codes")
    for comment in comments.ignored:
        for code in comment.codes:
            try:
                _ = code == EVERYTHING or check_code(code)
            except NaturalnessError as error:
                _warn(name, lines, comment.start, f"{error} (in a comment)")


def _warn(name: str, lines: Lines, start: int, message: str) -> None:
    line = lines.region(start, start).line
    warnings.warn(f"{name}:{line}: {message}", NaturalnessWarning, stacklevel=2)
