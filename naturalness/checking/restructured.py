"""reStructuredText: paragraphs, titles, list items and the text of notes are read.

Other directives, literal blocks, tables, comments and targets are not read. Only the syntax
that matters for prose is covered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from naturalness.checking.plain import Comments, Passage, lines_of
from naturalness.text.mapped import MappedText

RULE = re.compile(r"([!-/:-@\[-`{-~])\1{2,}\s*$")
"""A line of punctuation above or below a title."""
EXPLICIT = re.compile(r"\s*\.\.(?:\s|$)")
READ = re.compile(
    r"\s*\.\.\s+(?:note|warning|tip|hint|important|caution|attention|danger|error|admonition|"
    r"seealso|versionadded|versionchanged|deprecated|topic|sidebar)::\s*"
)
"""Directives whose text is prose."""
COMMAND = re.compile(r"\s*\.\.\s+naturalness:(?!:)(.*)", re.IGNORECASE)
"""A comment addressed to the checker; the group is its command."""
ITEM = re.compile(r"\s*(?:[-*+•]|(?:\d+|#)[.)]|\(\d+\))\s+|\s*:[^:\s][^:]*:(?:\s+|$)")
"""The start of a list item or of a field."""
GRID = re.compile(r"\s*\+[-=+]{2,}\+\s*$")
SIMPLE = re.compile(r"\s*=+(?:\s+=+)+\s*$")
LINE_BLOCK = re.compile(r"\s*\|\s+")
DOCTEST = ">>>"
MARKUP = re.compile(
    r"""
      (?P<literal>``(?P<code>.+?)``)
    | (?P<gone>\[(?:\#?[\w-]+|\*)\]_(?!\w))                       # a footnote reference
    | (?P<role>(?::[\w:+.-]{1,100}:)?`(?![`<])(?P<text>(?:\s*+[^`<\s]++)*+(?:\s++(?=`))?)(?P<target>\s*+<[^`>]*>)?`
        (?:_{0,2}|:[\w:+.-]{1,100}:)(?!\w))
    | (?P<stars>\*+(?=\S)|(?<=\S)\*+)
    | \|(?P<substitute>[^|\s](?:[^|]*[^|\s])?)\|_{0,2}
    | (?P<reference>(?<=\w)__?(?!\w))
    | (?P<escape>\\)(?=\S)
    """,
    re.VERBOSE | re.DOTALL,
)


def passages(text: str, comments: Comments) -> Iterator[Passage]:
    """Yield the lines of each paragraph, title and list item, without their markers."""
    reader = _Reader(comments)
    for line in lines_of(text):
        yield from reader.read(line)
    yield from reader.end()


def without_markup(passage: MappedText) -> MappedText:
    """Return the text that a reader of the rendered page sees; literal text is kept."""
    return passage.without(_hidden(passage.text)).stripped()


def _hidden(text: str) -> Iterator[tuple[int, int]]:
    for match in MARKUP.finditer(text):
        shown = next((name for name in ("code", "text", "substitute") if match[name]), None)
        if shown is None:
            yield match.span()
        else:
            yield match.start(), match.start(shown)
            yield match.end(shown), match.end()


STOP = re.compile(r"[.!?…:;,][\"')\]]*\s*$")
"""Punctuation at the end of a line."""


def indent(text: str) -> int:
    """Return the number of blanks at the beginning of a line."""
    return len(text) - len(text.lstrip())


@dataclass(slots=True)
class _Reader:
    """The state of the current block while a file is read line by line."""

    comments: Comments
    passage: list[MappedText] = field(default_factory=list)
    hidden_under: int = -1
    """Lines that are indented more than this are not read; -1 if all are read."""
    table: str = ""
    """The kind of the open table, ``grid`` or ``simple``; empty outside a table."""
    borders: int = 0
    """The number of a simple table's borders that have been read so far."""
    at_border: bool = False
    marked: str = ""
    """What the open passage begins with: ``item``, ``directive``, ``term`` or nothing."""

    def end(self) -> Iterator[Passage]:
        """Yield the open passage, if any, and close it."""
        if self.passage:
            yield Passage(self.passage, is_paragraph=self.marked in ("", "directive"))
        self.passage, self.marked = [], ""

    def read(self, line: MappedText) -> Iterator[Passage]:
        """Read a line, and yield the passages that it ends."""
        text = line.text
        if not text.strip():
            # A blank line can separate rows of a simple table; after the last border it ends the table.
            ended = self.table == "grid" or (self.borders > 1 and self.at_border)
            self.table = "" if ended else self.table
            yield from self._paragraph_ends()
            return
        command = COMMAND.match(text)
        if command:
            yield from self.end()
            self.comments.execute(command[1], line.starts[0], line.ends[-1])
        elif self._is_hidden(text) or self.comments.off:
            yield from self.end()
        else:
            yield from self._shown(line)

    def _paragraph_ends(self) -> Iterator[Passage]:
        if self.passage and self.passage[-1].text.rstrip().endswith("::"):
            last = self.passage[-1].text
            self.hidden_under = indent(last)
            alone = last.strip() == "::"
            self.passage[-1] = self.passage[-1].cut(0, len(last.rstrip()) - (2 if alone else 1))
        yield from self.end()

    def _is_hidden(self, text: str) -> bool:
        """Return whether a non-blank line belongs to code, a table or a directive that is not read."""
        if self.hidden_under >= 0:
            if indent(text) > self.hidden_under:
                return True
            self.hidden_under = -1
        self.at_border = bool(SIMPLE.match(text))
        if self.table:
            self.borders += self.at_border
            return True
        if GRID.match(text) or self.at_border:
            self.table, self.borders = ("simple" if self.at_border else "grid"), 1
            return True
        if EXPLICIT.match(text) and not READ.match(text):
            self.hidden_under = indent(text)
            return True
        return text.lstrip().startswith(DOCTEST)

    def _shown(self, line: MappedText) -> Iterator[Passage]:
        text = line.text
        directive, item = READ.match(text), ITEM.match(text) or LINE_BLOCK.match(text)
        if RULE.match(text):
            self.marked = "title"
            yield from self.end()
        elif directive or item:
            yield from self.end()
            mark = directive or item
            rest = line.cut(mark.end() if mark else 0, len(text))
            if rest.text.strip():
                self.passage = [rest]
                self.marked = "item" if item else "directive"
        else:
            before = self.passage[0].text if len(self.passage) == 1 and not self.marked else ""
            if before and indent(text) > indent(before) and not STOP.search(before):
                self.marked = "term"
                yield from self.end()
                self.marked = "definition"
            self.passage.append(line)
