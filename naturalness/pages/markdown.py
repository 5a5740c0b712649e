"""A little Markdown as HTML: what people write instructions in. Whatever it holds, no markup of its own gets through.

Headings, paragraphs, lists, quotations, tables, code, emphasis and links to web addresses; no images, which would have
to be loaded from somewhere, and no HTML.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from markupsafe import Markup, escape

MAX_DEPTH = 6
"""Lists and quotations within each other; deeper ones are plain text."""
TOP_LEVEL = 2
"""Level of the heading that ``#`` makes: the page has a title of its own."""
_HEADING = re.compile(r"(#{1,6})[ \t]+(\S.*)")
_ITEM = re.compile(r"(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)")
_NUMBERED = re.compile(r"\d")
_QUOTED = re.compile(r">[ \t]?")
_FENCE = re.compile(r"(```+|~~~+)")
_RULE = re.compile(r"(?:-[ \t]*){3,}$|(?:\*[ \t]*){3,}$")
_DASHES = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_INLINE = re.compile(
    r"\\(?P<sign>[\\`*_{}\[\]()#+.!|>-])"
    r"|(?P<ticks>`{1,3})(?P<code>[^`]{1,1000})(?P=ticks)"
    r"|\*\*(?P<strong>\S(?:[^*]|\*(?!\*))*?)\*\*"
    r"|\*(?P<stressed>[^\s*](?:[^*]*[^\s*])?)\*"
    r"|(?<!\w)_(?P<underlined>[^\s_](?:[^_]*[^\s_])?)_(?!\w)"
    r"|\[(?P<title>[^\]]{1,300})\]\((?P<address>https?://[^\s()<>\"]+)\)"
)


def to_html(markdown: str) -> Markup:
    """Return Markdown as HTML, to stand inside a page."""
    return _blocks(markdown.expandtabs(4).splitlines(), 0)


def _blocks(lines: Sequence[str], depth: int) -> Markup:
    """Return the blocks of some lines."""
    parts: list[Markup] = []
    at = 0
    while at < len(lines):
        line = lines[at].strip()
        if not line:
            at += 1
            continue
        if heading := _HEADING.match(line):
            level = min(TOP_LEVEL - 1 + len(heading[1]), 6)
            parts.append(Markup("<h{0}>{1}</h{0}>").format(level, _inline(heading[2].rstrip("# \t"))))
            at += 1
        elif _RULE.match(line):
            parts.append(Markup("<hr>"))
            at += 1
        elif fence := _FENCE.match(line):
            end = _end(lines, at + 1, partial(_closes, fence[1]))
            code = "\n".join(lines[at + 1 : end])
            parts.append(Markup('<pre tabindex="0"><code>{}</code></pre>').format(code))
            at = end + 1
        elif depth < MAX_DEPTH and _QUOTED.match(line):
            end = _end(lines, at, lambda text: not _QUOTED.match(text))
            inner = [_QUOTED.sub("", text.strip(), count=1) for text in lines[at:end]]
            parts.append(Markup("<blockquote>{}</blockquote>").format(_blocks(inner, depth + 1)))
            at = end
        elif depth < MAX_DEPTH and _ITEM.match(line):
            part, at = _list(lines, at, depth)
            parts.append(part)
        elif "|" in line and at + 1 < len(lines) and "|" in lines[at + 1] and _DASHES.match(lines[at + 1].strip()):
            end = _end(lines, at, lambda text: "|" not in text)
            parts.append(_table(lines[at], lines[at + 2 : end]))
            at = end
        else:
            end = _end(lines, at + 1, lambda text: not text or _starts_block(text, depth))
            text = " ".join(words.strip() for words in lines[at:end])
            parts.append(Markup("<p>{}</p>").format(_inline(text)))
            at = end
    return Markup("\n").join(parts)


def _closes(fence: str, text: str) -> bool:
    return text.startswith(fence)


def _starts_block(text: str, depth: int) -> bool:
    nested = depth < MAX_DEPTH and (_ITEM.match(text) or _QUOTED.match(text))
    return bool(_HEADING.match(text) or _FENCE.match(text) or nested)


def _end(lines: Sequence[str], start: int, is_end: Callable[[str], object]) -> int:
    """Return the first line from ``start`` at which a block is over; the number of lines if it goes on."""
    return next((at for at in range(start, len(lines)) if is_end(lines[at].strip())), len(lines))


def _list(lines: Sequence[str], start: int, depth: int) -> tuple[Markup, int]:
    """Return a list, and the line after it: items, each with the lines that are indented below it."""
    indent = _indent(lines[start])
    numbered = bool(_NUMBERED.match(lines[start].strip()))
    items: list[list[str]] = []
    at = start
    while at < len(lines):
        line = lines[at]
        text = line.strip()
        if text and _indent(line) <= indent:
            match = _ITEM.match(text)
            blank_before = at > start and not lines[at - 1].strip()
            if match and bool(_NUMBERED.match(text)) == numbered and not _RULE.match(text):
                items.append([text[match.end() :]])
            elif match or blank_before or _starts_block(text, depth):
                break
            else:
                items[-1].append(text)
        else:
            items[-1].append(line)
        at += 1
    tag = "ol" if numbered else "ul"
    entries = Markup("\n").join(Markup("<li>{}</li>").format(_item(item, depth)) for item in items)
    return Markup("<{0}>\n{1}\n</{0}>").format(tag, entries), at


def _item(lines: Sequence[str], depth: int) -> Markup:
    """Return what stands in an item; one paragraph without its tags."""
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    inner = _blocks(lines, depth + 1)
    if inner.startswith("<p>") and inner.count("<p>") == 1:
        # As plain text: markup before MarkupSafe 3 escapes what it is to replace.
        return Markup(str(inner).replace("<p>", "", 1).replace("</p>", "", 1))
    return inner


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _table(header: str, rows: Sequence[str]) -> Markup:
    titles = _cells(header)
    head = Markup("").join(
        Markup('<th scope="col">{}</th>').format(_inline(title)) if title else Markup("<td></td>") for title in titles
    )
    body = Markup("\n").join(
        Markup("<tr>{}</tr>").format(
            Markup("").join(Markup("<td>{}</td>").format(_inline(cell)) for cell in _cells(row)[: len(titles)])
        )
        for row in rows
    )
    return Markup(
        '<div class="scroll" tabindex="0" role="region" aria-label="Table: {}"><table>\n'
        "<thead><tr>{}</tr></thead>\n<tbody>\n{}\n</tbody></table></div>"
    ).format(", ".join(filter(None, titles)), head, body)


def _cells(row: str) -> list[str]:
    cells = re.split(r"(?<!\\)\|", row.strip())
    cells = cells[1:] if cells and not cells[0].strip() else cells
    cells = cells[:-1] if cells and not cells[-1].strip() else cells
    return [cell.strip() for cell in cells]


def _inline(text: str, depth: int = 0) -> Markup:
    """Return a line with its emphasis, code and links."""
    parts: list[Markup] = []
    at = 0
    for match in _INLINE.finditer(text):
        parts.append(escape(text[at : match.start()]))
        parts.append(_piece(match, depth))
        at = match.end()
    parts.append(escape(text[at:]))
    return Markup("").join(parts)


def _piece(match: re.Match[str], depth: int) -> Markup:
    if (sign := match["sign"]) is not None:
        return escape(sign)
    if (code := match["code"]) is not None:
        return Markup("<code>{}</code>").format(code.strip())
    if (title := match["title"]) is not None:
        return Markup('<a href="{}" rel="noopener noreferrer" target="_blank">{}</a>').format(match["address"], title)
    tag = "strong" if match["strong"] is not None else "em"
    words = match["strong"] or match["stressed"] or match["underlined"] or ""
    inner = _inline(words, depth + 1) if depth < MAX_DEPTH else escape(words)
    return Markup("<{0}>{1}</{0}>").format(tag, inner)
