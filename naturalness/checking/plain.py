"""Plain text: positions in a file, paragraphs, and comments that switch checking on and off or ignore codes."""

from __future__ import annotations

import math
import re
import warnings
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from naturalness.errors import NaturalnessWarning, excerpt
from naturalness.explaining.codes import EVERYTHING, is_known_code, unknown_code
from naturalness.explaining.rewriting import Change
from naturalness.text.mapped import MappedText


@dataclass(frozen=True, slots=True)
class Region:
    """A span of a file. Lines and columns are counted from 1, and the end column is exclusive."""

    start: int
    end: int
    """End offset; ``start`` and ``end`` count characters from the beginning of the file, without a byte order mark."""
    line: int
    column: int
    end_line: int
    end_column: int
    """End column; ``column`` and ``end_column`` count characters."""


class Lines:
    """The start offsets of the lines of a text; only a line feed ends a line."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def region(self, start: int, end: int) -> Region:
        """Return the region of ``text[start:end]``."""
        return Region(start, end, *self._position(start), *self._position(end))

    def _position(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1


def lines_of(text: str) -> Iterator[MappedText]:
    """Yield the lines of a text without their line ends."""
    start = 0
    while start < len(text):
        stop = text.find("\n", start)
        stop = len(text) if stop < 0 else stop
        end = stop - 1 if text[start:stop].endswith("\r") else stop
        yield MappedText.of(text, start, end)
        start = stop + 1


@dataclass(frozen=True, slots=True)
class Passage:
    """The lines of a paragraph, heading, list item or definition, without its marker."""

    lines: list[MappedText]
    is_paragraph: bool = True
    """Whether it is a paragraph. Headings, list items and definitions are often not sentences."""


ITEM = re.compile(r"\s*(?:[-*+•]|(?:\d{1,3}|[a-z]|#)[.)]|\(\w{1,2}\)|\[\d{1,3}\])\s+")
"""The start of a list item."""


def passages(text: str, comments: Comments) -> Iterator[Passage]:
    """Yield paragraphs, list items and definitions, and record the comments addressed to the checker."""
    block: list[MappedText] = []
    last = text.rfind("-->")
    for line in lines_of(text):
        shown = comments.shown(line, last)
        if shown.text.strip():
            block.append(shown)
        else:
            yield from _passages_in(block)
            block = []
    yield from _passages_in(block)


def _passages_in(block: list[MappedText]) -> Iterator[Passage]:
    """Yield the passages of lines without a blank line between them."""
    marks = {i: mark for i, line in enumerate(block) if (mark := ITEM.match(line.text))}
    first_mark = min(marks, default=0)
    if len(marks) == 1 and first_mark and not block[first_mark - 1].text.rstrip().endswith(":"):
        marks = {}  # a line that begins with a dash or a number by accident
    for start, end in pairwise(sorted({0, *marks, len(block)})):
        mark = marks.get(start)
        first = block[start].cut(mark.end(), len(block[start].text)) if mark else block[start]
        yield Passage([first, *block[start + 1 : end]], is_paragraph=not mark)


def as_written(passage: MappedText) -> MappedText:
    """Return a paragraph unchanged, since plain text has no inline markup."""
    return passage


TICKS = re.compile(r"(?<!\\)(\\*)(`+)")


def code_ends(text: str, start: int = 0, end: int | None = None) -> dict[int, int]:
    """Return the end of each code span, keyed by the start of its opening back-ticks, the last span first.

    Spans may overlap, since any run of back-ticks may turn out to open a span. A regular expression would search the
    rest of the text for the end of each span. A back-tick after an odd number of backslashes opens none.
    """
    ends: dict[int, int] = {}
    following: dict[int, int] = {}
    for run in reversed([*TICKS.finditer(text, start, len(text) if end is None else end)]):
        size, escaped = len(run[2]), len(run[1]) % 2
        if size - escaped in following:
            ends[run.start(2) + escaped] = following[size - escaped]
        following[size] = run.end()
    return ends


ELEMENT = re.compile(r"<(code|tt|kbd|samp|var|pre)\b(?:(?!<\1\b).)*?</\1>", re.IGNORECASE | re.DOTALL)
"""An HTML element whose text is code."""


def code_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the spans between back-ticks and the elements of code in ``text[start:end]``."""
    elements = {match.start(): match.end() for match in ELEMENT.finditer(text, start, end)}
    for first, last in sorted((code_ends(text, start, end) | elements).items()):
        if first >= start:
            yield first, last
            start = last


OPENING = re.compile(r"\\[\\`]|`+|<!--")
"""The start of a comment, or back-ticks, since a comment inside a code span does not count; or what is escaped."""
REASON = re.compile(r"\([^)]*(\)?)")
COMMAND = re.compile(r"\s*naturalness:(.*)", re.IGNORECASE | re.DOTALL)
"""A comment addressed to the checker; the group is its command."""


class Ignored(NamedTuple):
    """A comment that ignores codes, such as ``naturalness: ignore he-go, small-i``."""

    start: int
    end: int
    """End of the comment; ``start`` and ``end`` are character offsets in the file."""
    codes: tuple[str, ...]
    """The ignored codes; `EVERYTHING` if the comment names none."""


class Comments:
    """The state of comments while a file is read line by line."""

    def __init__(self) -> None:
        self.off = False
        self.ignored: list[Ignored] = []
        self.unknown: list[tuple[int, str]] = []
        """Offsets and commands of comments that the checker does not understand."""
        self._start = 0
        """Offset of the last comment that was opened."""
        self._comment: list[str] | None = None
        """The parts of the text of the open comment so far; None outside a comment."""

    def shown(self, line: MappedText, last: float = math.inf) -> MappedText:
        """Return the part of a line that is neither in a comment nor switched off.

        ``last`` is the offset in the file of the last ``-->`` that can end a comment of the line.
        """
        hidden: list[tuple[int, int]] = []
        at, ends = 0, code_ends(line.text)
        while at < len(line.text):
            if self._comment is None:
                after = at
                while (opening := OPENING.search(line.text, after)) and not (
                    opening[0] == "<!--" and line.starts[opening.start()] < last
                ):
                    after = ends.get(opening.start(), opening.end())
                stop = opening.start() if opening else len(line.text)
                if self.off:
                    hidden.append((at, stop))
                if not opening:
                    break
                at, self._comment, self._start = opening.end(), [], line.starts[stop]
                hidden.append((stop, at))
            closing = line.text.find("-->", at)
            stop = len(line.text) if closing < 0 else closing
            self._comment += line.text[at:stop], "\n" * (closing < 0)
            hidden.append((at, stop if closing < 0 else stop + 3))
            if closing < 0:
                break
            at = stop + 3
            command = COMMAND.match("".join(self._comment))
            if command:
                self.execute(command[1], self._start, line.ends[at - 1])
            self._comment = None
        return line.without(hidden) if hidden else line

    def execute(self, command: str, start: int, end: int) -> None:
        """Execute the command of a comment between two offsets, ignoring a reason in parentheses."""
        shown = REASON.sub(lambda reason: " " if reason[1] else reason[0], command)
        verb, *names = shown.replace(",", " ").split() or [""]
        if verb.lower() in ("on", "off") and not names:
            self.off = verb.lower() == "off"
        elif verb.lower() == "ignore":
            self.ignored.append(Ignored(start, end, tuple(names) or (EVERYTHING,)))
        else:
            self.unknown.append((start, command.strip()))


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
    """Return the insertion of a comment that ignores codes, at the end of a region's last line, or of the region if
    the line ends within code.
    """
    first, after = (*lines.starts, len(lines.text) + 1)[region.end_line - 1 : region.end_line + 1]
    at = first + len(lines.text[first : after - 1].rstrip())
    if any(start < at < end for start, end in code_spans(lines.text, 0, len(lines.text))):
        at = region.end
    return at, at, f" <!-- naturalness: ignore {', '.join(codes)} -->"


def _warn_of_unknown(name: str, lines: Lines, comments: Comments) -> None:
    for start, command in comments.unknown:
        said = excerpt(f"naturalness: {command}")
        _warn(name, lines, start, f"a comment says {said}; expected on, off, or ignore and codes")
    named = {(comment.start, code) for comment in comments.ignored for code in comment.codes}
    unknown = sorted((start, code) for start, code in named if not is_known_code(code))
    for start, code in unknown[:MAX_WARNINGS]:
        _warn(name, lines, start, f"{unknown_code(code)} (in a comment)")
    if len(unknown) > MAX_WARNINGS:
        _warn(name, lines, unknown[MAX_WARNINGS][0], f"{len(unknown) - MAX_WARNINGS:,} more unknown codes in comments")


def _warn(name: str, lines: Lines, start: int, message: str) -> None:
    line = lines.region(start, start).line
    warnings.warn(f"{name}:{line}: {message}", NaturalnessWarning, stacklevel=2)
