"""Draw trees as text for terminals and as SVG.

The SVG is self-contained and inherits the text colour. It has no style sheet, because that would apply to the whole
page around it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import accumulate, pairwise
from typing import NamedTuple
from unicodedata import category, combining, east_asian_width

from naturalness.models.parsers.tree import Node, brackets, nodes, unary_chain
from naturalness.pages.svg import tag

UNDER = " › "
"""The separator between the joined labels of nodes that cover the same words; the label of the outermost node is
first.
"""
TAGS_AT = 60
"""The rightmost terminal column at which the tags of a phrase may start."""
UNSHOWN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
"""A pattern for characters that are not shown: control characters, bidirectional overrides, and characters that XML
forbids.
"""
MAX_CHARACTERS = 40
"""Maximum number of characters drawn of a word in SVG; the description contains the whole word."""
LARGE, SMALL = 14.0, 11.0
"""Two font sizes in pixels: for labels and words, and for tags."""
NARROW, BROAD = frozenset("iljI.,:;'|!()[]ftr-/ "), frozenset("mwMWQO@%&—…")
BETWEEN = 14.0
"""The gap between labels or between words, in pixels."""
ROW, TAG_ROW, WORD_ROW = 38.0, 34.0, 19.0
"""Distances between baselines in pixels: from labels to labels, from labels to tags, and from tags to words."""
ABOVE, BELOW = 14.0, 6.0
"""Distances in pixels between a baseline and the lines above it, and between a baseline and the lines below it."""
BEND = 7.0
NEARLY = 20.0
EDGE = 10.0
CAPTION = 28.0


class Picture(NamedTuple):
    """The size of a drawing in pixels, and its markup."""

    width: float
    height: float
    markup: str


@dataclass(slots=True)
class _Label:
    """A node of the tree with its position in the drawing."""

    node: Node
    children: list[_Label | int]
    row: int
    """The height of the node above the words: the number of nodes on the longest path from it down to a word,
    including the node.
    """
    room: float
    x: float = 0.0


def visible(text: str) -> str:
    """Replace each character in `UNSHOWN` by U+FFFD."""
    return UNSHOWN.sub("\ufffd", text)


def lines(root: Node, words: Sequence[str], tags: Sequence[str]) -> list[str]:
    """Return the lines of a tree for a terminal, outer nodes first.

    A phrase that contains only words is on one line, with the tags of the words on the right. Every other word is on a
    separate line, preceded by its tag.
    """
    rows: list[tuple[str, str]] = []
    waiting: list[tuple[Node | int, str, str]] = [(root, "", "")]  # node, prefix of its line, prefix of the lines below
    while waiting:
        item, lead, below = waiting.pop()
        if isinstance(item, int):
            word, tag = visible(words[item]), visible(tags[item])
            rows.append((f"{lead}{word}" if word == tag else f"{lead}{tag}  {word}", ""))
            continue
        label, children = _chain(item)
        words_alone = [child for child in children if isinstance(child, int)]
        if len(words_alone) == len(children):
            phrase = " ".join(visible(words[i]) for i in words_alone)
            rows.append((f"{lead}{label}  {phrase}", " ".join(visible(tags[i]) for i in words_alone)))
            continue
        rows.append((lead + label, ""))
        waiting.append((children[-1], f"{below}└─ ", f"{below}   "))
        waiting += [(c, f"{below}├─ ", f"{below}│  ") for c in reversed(children[:-1])]
    column = min(max((cells(text) for text, right in rows if right), default=0), TAGS_AT)
    return [f"{text}{' ' * max(column - cells(text), 0)}   {right}" if right else text for text, right in rows]


def _chain(node: Node) -> tuple[str, tuple[Node | int, ...]]:
    """Return the joined labels of nodes that cover the same words, and the children of the innermost node."""
    labels, inner = unary_chain(node)
    return UNDER.join(labels), inner.children


def cells(text: str) -> int:
    """Return the width of a text in terminal columns."""
    return sum(2 if east_asian_width(c) in "WF" else category(c) not in {"Mn", "Me", "Cf"} for c in text)


def svg(root: Node, words: Sequence[str], tags: Sequence[str], *, title: str = "") -> str:
    """Draw the tree as an SVG image, with the words on one line at the bottom.

    Screen readers read ``title``; by default, it consists of the words.
    """
    drawn = picture(root, words, tags)
    return _document(drawn, title or " ".join(words), brackets(root, words, tags))


def sheet(parts: Iterable[tuple[str, Picture | None]], *, title: str, description: str = "") -> str:
    """Draw captions below each other in one SVG image; a tree that belongs to a caption is drawn below it."""
    markup: list[str] = []
    width = y = 0.0
    for caption, drawn in parts:
        shown = visible(caption)
        markup.append(_text(EDGE, y + CAPTION - 8, shown, text_anchor="start"))
        width = max(width, text_width(shown, LARGE) + 2 * EDGE)
        y += CAPTION
        if drawn:
            markup.append(f'<g transform="translate(0 {y:g})">{drawn.markup}</g>')
            width = max(width, drawn.width)
            y += drawn.height + EDGE
    return _document(Picture(width, y + EDGE, "".join(markup)), title, description)


def _document(drawn: Picture, title: str, description: str) -> str:
    width, height = f"{drawn.width:g}", f"{drawn.height:g}"
    desc = f"<desc>{escape(visible(description))}</desc>" if description else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="system-ui, sans-serif" fill="currentColor" '
        f'text-anchor="middle"><title>{escape(visible(title))}</title>{desc}{drawn.markup}</svg>'
    )


def picture(root: Node, words: Sequence[str], tags: Sequence[str]) -> Picture:
    """Draw the tree.

    A label is drawn above its words and above all labels inside its constituent, so that labels do not overlap and no
    line crosses a label.
    """
    shown, tags = [_cut(visible(word)) for word in words], list(map(visible, tags))
    widths = [
        max(text_width(word, LARGE), text_width(tag, SMALL)) + BETWEEN for word, tag in zip(shown, tags, strict=True)
    ]
    labels = _labels(root)
    edges = _align(labels, widths)
    bottom = EDGE + ABOVE + ROW * (labels[0].row - 1) + TAG_ROW
    middles = [(left + right) / 2 for left, right in pairwise(edges)]
    markup = [_lines(labels, middles, bottom)]
    markup += [_text(at.x, _height(at, bottom), visible(at.node.label), font_weight="600") for at in labels]
    for x, word, part_of_speech in zip(middles, shown, tags, strict=True):
        markup += [_text(x, bottom, part_of_speech, SMALL, opacity=".7"), _text(x, bottom + WORD_ROW, word)]
    return Picture(_round(edges[-1] + EDGE), bottom + WORD_ROW + EDGE, "".join(markup))


def _labels(root: Node) -> list[_Label]:
    """Return a label for each node, parents first, with the width that it needs."""
    order = list(nodes(root))
    labels: list[_Label] = []
    pending: list[_Label] = []  # labels that their parents have yet to take as children
    for node in reversed(order):
        children = [c if isinstance(c, int) else pending.pop() for c in node.children]
        row = 1 + max((c.row for c in children if isinstance(c, _Label)), default=0)
        labels.append(_Label(node, children, row, text_width(node.label, LARGE) + BETWEEN))
        pending.append(labels[-1])
    labels.reverse()
    for label in labels:
        single = label.children[0]
        if len(label.children) == 1 and isinstance(single, _Label):
            single.room = max(single.room, label.room)  # so that a chain of single children is drawn vertically
    return labels


def _align(labels: Sequence[_Label], widths: list[float]) -> list[float]:
    """Set the positions of labels, and return the edges of the columns in which the words are drawn."""
    for label in reversed(labels):
        start, stop = label.node.start, label.node.stop
        lacking = (label.room - sum(widths[start:stop])) / (stop - start)
        if lacking > 0:
            widths[start:stop] = [width + lacking for width in widths[start:stop]]
    edges = list(accumulate(widths, initial=EDGE))
    for label in reversed(labels):
        left, right = edges[label.node.start], edges[label.node.stop]
        xs = [c.x if isinstance(c, _Label) else (edges[c] + edges[c + 1]) / 2 for c in label.children]
        half = label.room / 2
        label.x = max(min(_above(xs), right - half), left + half)
    return edges


def _above(xs: Sequence[float]) -> float:
    """Return the midpoint between the outermost children, or the position of an inner child that is close to the
    midpoint.
    """
    middle = (xs[0] + xs[-1]) / 2
    nearest = min(xs[1:-1], key=lambda x: abs(x - middle), default=middle)
    return nearest if abs(nearest - middle) < NEARLY else middle


def _height(label: _Label, bottom: float) -> float:
    return bottom - TAG_ROW - ROW * (label.row - 1)


def _lines(labels: Sequence[_Label], middles: Sequence[float], bottom: float) -> str:
    """Draw the lines from labels to their children as one path, because overlapping paths would look darker."""
    steps: list[str] = []
    for label in labels:
        y = _height(label, bottom) + BELOW
        for child in label.children:
            if isinstance(child, int):
                x, end = middles[child], bottom - SMALL - 1
            else:
                x, end = child.x, _height(child, bottom) - ABOVE
            steps.append(_elbow(label.x, y, x, end))
    return tag("path", d="".join(steps), fill="none", stroke="currentColor", stroke_width="1.2", opacity=".45")


def _elbow(x: float, y: float, to: float, end: float) -> str:
    """Return a path that goes down, sideways and down again, with round corners."""
    bend = min(BEND, abs(to - x) / 2)
    if bend < 0.5:
        return f"M{_round(x):g} {y:g}V{end:g}"
    turn = bend if to > x else -bend
    middle = y + BEND
    return (
        f"M{_round(x):g} {y:g}V{_round(middle - bend):g}q0 {_round(bend):g} {_round(turn):g} "
        f"{_round(bend):g}H{_round(to - turn):g}q{_round(turn):g} 0 {_round(turn):g} "
        f"{_round(bend):g}V{end:g}"
    )


def _text(x: float, y: float, text: str, size: float = LARGE, **attributes: str) -> str:
    return tag("text", escape(text), x=x, y=y, font_size=size, **attributes)


def text_width(text: str, size: float) -> float:
    """Return an approximate upper bound on the width of a text in pixels."""
    return size * sum(map(_ems, text))


def _ems(character: str) -> float:
    if combining(character) or category(character) in {"Mn", "Me", "Cf"}:
        return 0.0
    if character in NARROW:
        return 0.42
    if east_asian_width(character) in "WF" or character in BROAD or character > "\u058f":
        return 1.05
    return 0.68 if character.islower() or character.isdecimal() else 0.82


def _cut(word: str) -> str:
    return word if len(word) <= MAX_CHARACTERS else word[: MAX_CHARACTERS - 1] + "…"


def _round(pixels: float) -> float:
    return round(pixels, 1)
