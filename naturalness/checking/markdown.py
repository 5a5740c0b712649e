"""Markdown: paragraphs, headings and list items are read; code, tables, link definitions and front matter are not.

markdown-it-py finds the blocks (CommonMark and GitHub's tables). It does not report the positions of inline markup, so
this module removes inline markup itself, keeping the position of each remaining character in the file.
"""

from __future__ import annotations

import html
import math
import re
from collections.abc import Iterator, Mapping

from markdown_it import MarkdownIt
from markdown_it.token import Token

from naturalness.checking.plain import Comments, Passage, code_ends, lines_of
from naturalness.text.mapped import MappedText, join_lines

DEFINITION = re.compile(r"\[(?!\^)[^\]]+\]:|\[!\w+\]$|(?:!!!|\?\?\?)\+? \w")
"""A link definition, or the title of an alert of GitHub or an admonition of MkDocs."""
FOOTNOTE = re.compile(r"\[\^[^\]\s]+\]:[ \t]*")
CHECKBOX = re.compile(r"\[[ xX]\][ \t]+")
RAW = re.compile(r"<(script|style|pre|textarea)\b(?:.*?</\1\s*>|.*)", re.IGNORECASE | re.DOTALL)
"""An HTML element whose text is not prose, or its start."""
FRONT = {"---": ("---", "..."), "+++": ("+++",)}
"""The line that opens the front matter, and the lines that can close it."""
# Without the rule for link definitions, which would match one-word footnotes.
PARSER = MarkdownIt("commonmark").enable("table").disable("reference")


def passages(text: str, comments: Comments) -> Iterator[Passage]:
    """Yield the lines of each paragraph, heading and list item, without their markers."""
    lines = [*lines_of(text)]
    lines = lines[_front_matter(lines) :]
    tokens: list[Token] = []
    PARSER.block.parse("\n".join(line.text.replace("\r", " ") for line in lines), PARSER, {}, tokens)
    passage = Passage([])
    in_table, reached, bridged = False, -1, -1
    for i, token in enumerate(tokens):
        if token.type.startswith("table_"):
            in_table = token.nesting > 0
        if in_table or not token.map or token.type not in ("inline", "html_block") or RAW.match(token.content.lstrip()):
            continue
        start, end = token.map
        contents = token.content.rstrip("\n").split("\n")
        parts = list(map(_part, lines[start:end], contents))
        if i > 1 and tokens[i - 2].type == "list_item_open" and (box := CHECKBOX.match(parts[0].text)):
            parts[0] = parts[0].cut(box.end(), len(parts[0].text))
        closed = [part.starts[part.text.rfind("-->")] for part in parts if "-->" in part.text]
        last = math.inf if token.type == "html_block" else max(closed, default=-1)
        parts = [comments.shown(part, last) for part in parts]
        if token.type == "html_block" and RAW.search(token.content):
            whole = join_lines(parts)
            parts = [whole.without([match.span() for match in RAW.finditer(whole.text)])]
        if token.type == "html_block" and not comments.off and not any(part.text.strip() for part in parts):
            if start in (reached, bridged):
                bridged = end  # a comment does not end the paragraph around it
            continue
        if bridged != start or tokens[i - 1].type != "paragraph_open":
            yield from _filled(passage)
            opened = {above.type for above in tokens[max(i - 2, 0) : i]}
            passage = Passage([], is_paragraph=opened.isdisjoint({"heading_open", "list_item_open"}))
        reached = end
        for part in parts:
            if footnote := FOOTNOTE.match(part.text):
                yield from _filled(passage)
                passage = Passage([part.cut(footnote.end(), len(part.text))])
            elif DEFINITION.match(part.text):
                yield from _filled(passage)
                passage = Passage([])
            else:
                passage.lines.append(part.cut(0, len(part.text.rstrip("\\"))))
    yield from _filled(passage)


def _part(line: MappedText, content: str) -> MappedText:
    """Return the part of a line that belongs to the content of a block, without the markers around it."""
    content = content.strip()
    shown = line.text.replace("\r", " ").rstrip()
    if not shown.endswith(content):
        shown = shown.rstrip("#").rstrip()  # the marks that close a heading
    start = max(len(shown) - len(content), 0)
    return line.cut(start, start + len(content))


def _filled(passage: Passage) -> Iterator[Passage]:
    """Yield a passage unless all of its lines are blank."""
    if any(line.text.strip() for line in passage.lines):
        yield passage


def _front_matter(lines: list[MappedText]) -> int:
    """Return the number of lines of the front matter."""
    closing = FRONT.get(lines[0].text.rstrip(), ()) if lines else ()
    ends = (i for i, line in enumerate(lines) if i and line.text.rstrip() in closing)
    return next(ends, -1) + 1


MARKUP = re.compile(
    r"""
      (?P<ticks>`+)
    | (?P<escape>\\)[!-/:-@\[-`{-~]
    | (?P<gone>
        !\[[^\]]{0,500}\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\]]*\])       # an image
      | \[\^[^\[\]\s]+\]                                              # a footnote reference
      | </?[A-Za-z](?![\w+.-]*:)[^<>]*>                                  # a tag
      )
    | (?P<link>\[(?P<text>(?:!\[[^\]]{0,500}\]\([^()]*\)|\[[^\[\]]*\]|\\.|[^\[\]\\])++)\]
        (?P<target>\((?:[^()\\]|\\.|\([^()]*\))*\)|\[[^\]]*\]))
    | <(?P<address>[A-Za-z][\w+.-]*:[^<>\s]*|[^<>\s@]+@[^<>\s]+)>
    | (?P<stars>\*+(?=\S)|(?<=\S)\*+|(?<!\w)(?:__+|_(?=\S))|(?<=\S)(?:(?<!_)|(?<=\\_))_++(?!\w)|~~)
    """,
    re.VERBOSE | re.DOTALL,
)
ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")


LABEL_OR_EMPHASIS = re.compile(
    r"""\[\[[^\[\]\n]+\]\] | \[[^\[\]]+\](?:\[\]|(?![\[(:]))
      | (?<![\w*\\])\*(?=[^\s*])[^*]{0,500}?(?<=[^\s*])\*(?![\w*])
      | (?<![\w\\])_(?=[^\s_])[^_]{0,500}?(?<=[^\s_])_(?!\w)
    """,
    re.VERBOSE,
)
"""The label of a link, which its definition repeats, or words in emphasis, which may be an example."""


def labels_and_emphasis(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of ``text[start:end]`` that no fix may change."""
    yield from (match.span() for match in LABEL_OR_EMPHASIS.finditer(text, start, end))


def without_markup(passage: MappedText) -> MappedText:
    """Return the text that a reader of the rendered page sees; code is kept, images are removed."""
    text = passage.text
    shown = passage.without(sorted(_hidden(text, 0, len(text), code_ends(text))))
    return shown.substituted(ENTITY, lambda entity: html.unescape(entity[0])).stripped()


def _hidden(text: str, start: int, end: int, code: Mapping[int, int]) -> Iterator[tuple[int, int]]:
    """Yield the ranges of markup that a reader does not see; ``code`` holds the ends of code spans."""
    while match := MARKUP.search(text, start, end):
        first, start = match.span()
        if match["ticks"]:
            stop = code.get(first, end + 1)
            if stop <= end:
                yield first, start
                yield stop - (start - first), stop
                start = stop
        elif match["link"]:
            yield first, match.start("text")
            yield from _hidden(text, *match.span("text"), code)
            yield match.end("text"), match.end()
        elif match["address"]:
            yield match.start(), match.start("address")
            yield match.end("address"), match.end()
        else:
            yield match.span("escape") if match["escape"] else match.span()
