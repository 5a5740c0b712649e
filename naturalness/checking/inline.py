"""Markup inside a paragraph of Markdown: it goes, what it marks stays."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from naturalness.text.mapped import MappedText

MARKUP = re.compile(
    r"""
      (?P<code>(?<!`)(?P<ticks>`+)(?!`)(?P<inner>.+?)(?<!`)(?P=ticks)(?!`))
    | (?P<escape>\\)[!-/:-@\[-`{-~]
    | (?P<gone>
        !\[[^\]]{0,500}\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\]]*\])       # a picture
      | \[\^[^\]\s]+\]                                                # the mark of a footnote
      | </?[A-Za-z](?![\w+.-]*:)[^<>]*>                                  # a tag
      )
    | (?P<link>\[(?P<text>(?:!\[[^\]]{0,500}\]\([^()]*\)|\[[^\[\]]*\]|\\.|[^\[\]\\])+)\]
        (?P<target>\((?:[^()\\]|\\.|\([^()]*\))*\)|\[[^\]]*\]))
    | <(?P<address>[A-Za-z][\w+.-]*:[^<>\s]*|[^<>\s@]+@[^<>\s]+)>
    | (?P<stars>\*+(?=\S)|(?<=\S)\*+|(?<!\w)_+(?=\S)|(?<=\S)_+(?!\w)|~~)
    """,
    re.VERBOSE | re.DOTALL,
)
ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")


def without_markup(passage: MappedText) -> MappedText:
    """What a reader of the page sees; code is read as it stands, pictures are not."""
    shown = passage.without(sorted(_hidden(passage.text, 0, len(passage.text))))
    for entity in reversed([*ENTITY.finditer(shown.text)]):
        meant = html.unescape(entity.group())
        if meant != entity.group():
            shown = shown.replaced(*entity.span(), meant)
    return shown.stripped()


def _hidden(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The ranges that a reader does not see."""
    for found in MARKUP.finditer(text, start, end):
        if found["code"]:
            yield found.start(), found.start("inner")
            yield found.end("inner"), found.end()
        elif found["link"]:
            yield found.start(), found.start("text")
            yield from _hidden(text, *found.span("text"))
            yield found.end("text"), found.end()
        elif found["address"]:
            yield found.start(), found.start("address")
            yield found.end("address"), found.end()
        else:
            yield found.span("escape") if found["escape"] else found.span()
