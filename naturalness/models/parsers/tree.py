"""Constituency trees: nodes, brackets and labelled spans.

Trees refer to words by position; the words and tags themselves are in the Doc. A unary chain is a single span whose
label joins the labels in the chain, outermost first (`S+VP`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from naturalness.errors import CorpusError, excerpt

CHAIN = "+"
"""Separator between the labels of a unary chain."""
ESCAPES = {"(": "-LRB-", ")": "-RRB-", "[": "-LSB-", "]": "-RSB-", "{": "-LCB-", "}": "-RCB-"}
"""Escaped forms of words that are brackets, as in treebanks."""
READ = {written: mark for mark, written in ESCAPES.items()}
ESCAPED = re.compile("|".join(READ))


class Span(NamedTuple):
    """A labelled range of words; the label may stand for a unary chain."""

    start: int
    stop: int
    label: str


@dataclass(frozen=True, slots=True)
class Node:
    """A constituent; its children are constituents or word positions."""

    label: str
    start: int
    stop: int
    children: tuple[Node | int, ...]


class Bracketed(NamedTuple):
    """A tree that was read from brackets, with its words and tags."""

    root: Node
    words: list[str]
    tags: list[str]


def nodes(root: Node) -> Iterator[Node]:
    """Yield the constituents in preorder."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [child for child in reversed(node.children) if isinstance(child, Node)]


def spans(root: Node) -> list[Span]:
    """Return the spans of a tree in preorder, with unary chains joined."""
    labelled: list[Span] = []
    for node in nodes(root):
        if labelled and (labelled[-1].start, labelled[-1].stop) == (node.start, node.stop):
            labelled[-1] = labelled[-1]._replace(label=f"{labelled[-1].label}{CHAIN}{node.label}")
        else:
            labelled.append(Span(node.start, node.stop, node.label))
    return labelled


def from_spans(listed: Iterable[Span]) -> Node:
    """Return the tree that has the given spans, including its root; the inverse of `spans`."""
    ordered = sorted(listed, key=lambda span: (span.start, -span.stop))
    if not ordered:
        raise ValueError("no spans; expected a root span that covers all words, and its descendants")
    growing: list[tuple[Span, list[Node]]] = []
    for span in ordered:
        while len(growing) > 1 and growing[-1][0].stop <= span.start:
            _close(growing)
        if span.start >= span.stop:
            raise ValueError(f"{span} holds no word")
        if growing and span.stop > growing[-1][0].stop:
            raise ValueError(f"{span} ends outside {growing[-1][0]}; expected nested spans")
        growing.append((span, []))
    while len(growing) > 1:
        _close(growing)
    return _node(*growing[0])


def _close(growing: list[tuple[Span, list[Node]]]) -> None:
    """Remove the innermost open span, which is complete, and add its node to its parent."""
    node = _node(*growing.pop())
    growing[-1][1].append(node)


def _node(span: Span, constituents: Iterable[Node]) -> Node:
    """Return the node of a span, or its unary chain; positions outside all child constituents become words."""
    children: list[Node | int] = []
    at = span.start
    for constituent in constituents:
        children += range(at, constituent.start)
        children.append(constituent)
        at = constituent.stop
    children += range(at, span.stop)
    *outer, inner = span.label.split(CHAIN)
    node = Node(inner, span.start, span.stop, tuple(children))
    for label in reversed(outer):
        node = Node(label, span.start, span.stop, (node,))
    return node


def read_brackets(text: str) -> Bracketed:
    """Read a tree in Penn Treebank brackets, such as `(S (NN word))`; labels and tags are left unchanged."""
    words: list[str] = []
    tags: list[str] = []
    stack: list[tuple[str, int, list[Node | int]]] = [("", 0, [])]
    parts = re.findall(r"[()]|[^\s()]+", text)
    at = 0
    while at < len(parts):
        part, following = parts[at], parts[at + 1 : at + 4]
        if part == "(" and len(following) == 3 and following[2] == ")" and following[1] not in "()":
            stack[-1][2].append(len(words))
            tags.append(following[0])
            words.append(ESCAPED.sub(lambda mark: READ[mark[0]], following[1]))
            at += 4
        elif part == "(" and following and following[0] not in "()":
            stack.append((following[0], len(words), []))
            at += 2
        elif part == ")" and len(stack) > 1 and stack[-1][2]:
            label, start, children = stack.pop()
            stack[-1][2].append(Node(label, start, len(words), tuple(children)))
            at += 1
        else:
            raise CorpusError(f"no tree in brackets: {excerpt(text)}, at {excerpt(part)}")
    trees = stack[0][2]
    if len(stack) != 1 or len(trees) != 1 or not isinstance(trees[0], Node):
        raise CorpusError(f"no tree in brackets: {excerpt(text)}; expected one tree, such as (S (NN word))")
    return Bracketed(trees[0], words, tags)
