"""Markdown line by line: paragraphs, headings and list items are read; code, tables, link
definitions and front matter are not (CommonMark and GitHub's tables, as far as prose needs them).
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from naturalness.checking.plain import Comments, lines_of
from naturalness.text.mapped import MappedText

QUOTE = re.compile(r"[ \t]*>[ \t]?")
ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+(?:\[[ xX]\][ \t]+)?|$)")
HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]+|$)")
CLOSING = re.compile(r"(?:^|[ \t]+)#+[ \t]*$")
FENCE = re.compile(r"[ \t]*(`{3,}(?!.*`)|~{3,})")
RULE = re.compile(r" {0,3}(?:([-*_])[ \t]*(?:\1[ \t]*){2,}|=+[ \t]*|-+[ \t]*)$")
"""A line between sections, or below a heading."""
TABLE = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
DEFINITION = re.compile(r" {0,3}\[(?!\^)[^\]]+\]:")
FOOTNOTE = re.compile(r" {0,3}\[\^[^\]\s]+\]:[ \t]*")
ADMONITION = re.compile(r"[ \t]*\[!\w+\][ \t]*$")
CODE_LINE = re.compile(r"(?: {4}|\t)[ \t]*\S")
RAW = re.compile(r"[ \t]*<(script|style|pre|textarea)\b", re.IGNORECASE)
FRONT = {"---": ("---", "..."), "+++": ("+++",)}
"""The line that opens a block of settings at the beginning of a file, and the lines that close it."""


def passages(text: str, comments: Comments | None = None) -> Iterator[list[MappedText]]:
    """Yield the lines of each paragraph, heading and list item, without their markers."""
    lines = [*lines_of(text)]
    reader = _Reader(lines, comments or Comments())
    for number in range(_front_matter(lines), len(lines)):
        yield from reader.read(number)
    yield from reader.end()


def _front_matter(lines: list[MappedText]) -> int:
    """Return the number of lines of settings at the beginning."""
    closing = FRONT.get(lines[0].text.rstrip(), ()) if lines else ()
    ends = (i for i, line in enumerate(lines) if i and line.text.rstrip() in closing)
    return next(ends, -1) + 1


@dataclass(slots=True)
class _Reader:
    """The state of blocks while lines are read one by one."""

    lines: list[MappedText]
    comments: Comments
    passage: list[MappedText] = field(default_factory=list)
    fence: str = ""
    """The back-ticks or tildes that opened a block of code."""
    raw: str = ""
    """The name of an HTML element whose text is not read."""
    table: bool = False
    in_list: bool = False

    def end(self) -> Iterator[list[MappedText]]:
        """Yield the passage that ends here."""
        if self.passage:
            yield self.passage
        self.passage = []

    def read(self, number: int) -> Iterator[list[MappedText]]:
        """Read a line, and yield the passages that it ends."""
        line = self.lines[number]
        if self._hidden(line):
            yield from self.end()
            return
        shown = self.comments.shown(line)
        if not shown.text.strip():
            self.table = False
            # A line that is all comment parts no paragraph; a blank one does.
            if self.comments.off or not line.text.strip():
                yield from self.end()
            return
        quoted = len(shown.text) - len(_unquoted(shown.text))
        yield from self._block(shown.cut(quoted, len(shown.text)), number)

    def _hidden(self, line: MappedText) -> bool:
        """Tell whether a line is code, or opens or closes a block of code."""
        if self.raw:
            if f"</{self.raw}" in line.text.lower():
                self.raw = ""
            return True
        inner = _unquoted(line.text)
        fence = FENCE.match(inner)
        if self.fence:
            closes = fence and fence[1].startswith(self.fence) and not inner[fence.end() :].strip()
            self.fence = "" if closes else self.fence
            return True
        if self.comments.inside:
            return False
        while item := ITEM.match(inner):
            inner = inner[item.end() :]
        fence = FENCE.match(inner)
        if fence:
            self.fence = fence[1]
            return True
        opening = RAW.match(inner)
        if opening:
            self.raw = "" if f"</{opening[1].lower()}" in inner.lower() else opening[1].lower()
            return True
        return False

    def _block(self, line: MappedText, number: int) -> Iterator[list[MappedText]]:
        """Read a visible line, without the marks of quotations."""
        text = line.text
        if self.table or self._opens_table(text, number):
            self.table = "|" in text
            if self.table:
                yield from self.end()
                return
        item = ITEM.match(text)
        if RULE.match(text) or DEFINITION.match(text) or ADMONITION.match(text):
            yield from self.end()
        elif heading := HEADING.match(text):
            yield from self.end()
            self.in_list = False
            closing = CLOSING.search(text, heading.end())
            yield [line.cut(heading.end(), closing.start() if closing else len(text))]
        elif item:
            yield from self.end()
            yield from self._block(line.cut(item.end(), len(text)), number)
            self.in_list = True
        elif footnote := FOOTNOTE.match(text):
            yield from self.end()
            self.passage = [line.cut(footnote.end(), len(text))]
        elif self.passage or self.in_list or not CODE_LINE.match(text):
            self.in_list &= bool(self.passage) or text[:1].isspace()
            self.passage.append(line.cut(0, len(text.rstrip("\\"))))

    def _opens_table(self, text: str, number: int) -> bool:
        """Tell whether the next line rules off the head of a table."""
        below = _unquoted(self.lines[number + 1].text) if number + 1 < len(self.lines) else ""
        return "|" in text and "|" in below and bool(TABLE.match(below))


def _unquoted(text: str) -> str:
    """Return a line without the marks of quotations."""
    while mark := QUOTE.match(text):
        text = text[mark.end() :]
    return text


MARKUP = re.compile(
    r"""
      (?P<code>(?<!`)(?P<ticks>`+)(?!`)(?P<inner>.+?)(?<!`)(?P=ticks)(?!`))
    | (?P<escape>\\)[!-/:-@\[-`{-~]
    | (?P<gone>
        !\[[^\]]{0,500}\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\]]*\])       # a picture
      | \[\^[^\]\s]+\]                                                # the mark of a footnote
      | </?[A-Za-z](?![\w+.-]*:)[^<>]*>                                  # a tag
      )
    | (?P<link>\[(?P<text>(?:!\[[^\]]{0,500}\]\([^()]*\)|\[[^\[\]]*\]|\\.|[^\[\]\\])++)\]
        (?P<target>\((?:[^()\\]|\\.|\([^()]*\))*\)|\[[^\]]*\]))
    | <(?P<address>[A-Za-z][\w+.-]*:[^<>\s]*|[^<>\s@]+@[^<>\s]+)>
    | (?P<stars>\*+(?=\S)|(?<=\S)\*+|(?<!\w)_+(?=\S)|(?<=\S)_+(?!\w)|~~)
    """,
    re.VERBOSE | re.DOTALL,
)
ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")


def without_markup(passage: MappedText) -> MappedText:
    """Return what a reader of the page sees; code stays as it stands, pictures go."""
    shown = passage.without(sorted(_hidden(passage.text, 0, len(passage.text))))
    for entity in reversed([*ENTITY.finditer(shown.text)]):
        character = html.unescape(entity.group())
        if character != entity.group():
            shown = shown.replaced(*entity.span(), character)
    return shown.stripped()


def _hidden(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the ranges that a reader does not see."""
    for match in MARKUP.finditer(text, start, end):
        if match["code"]:
            yield match.start(), match.start("inner")
            yield match.end("inner"), match.end()
        elif match["link"]:
            yield match.start(), match.start("text")
            yield from _hidden(text, *match.span("text"))
            yield match.end("text"), match.end()
        elif match["address"]:
            yield match.start(), match.start("address")
            yield match.end("address"), match.end()
        else:
            yield match.span("escape") if match["escape"] else match.span()
