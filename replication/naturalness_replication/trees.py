"""Constituency trees in Penn Treebank brackets, and unary chains."""

from __future__ import annotations

from collections.abc import Sequence

from naturalness.models.parsers.tree import ESCAPES, Node

WRITTEN = str.maketrans(ESCAPES)


def unary_chain(node: Node) -> tuple[list[str], Node]:
    """Return the labels of nodes that cover the same words, outermost first, and the innermost node."""
    labels = [node.label]
    while len(node.children) == 1 and isinstance(node.children[0], Node):
        node = node.children[0]
        labels.append(node.label)
    return labels, node


def brackets(root: Node, words: Sequence[str], tags: Sequence[str]) -> str:
    """Return a tree in Penn Treebank brackets, on one line; words must not contain white space."""
    written: list[str] = []
    waiting: list[Node | int | None] = [root]  # None stands for a closing bracket
    while waiting:
        item = waiting.pop()
        if item is None:
            written.append(")")
        elif isinstance(item, int):
            written.append(f" ({tags[item].translate(WRITTEN)} {words[item].translate(WRITTEN)})")
        else:
            written.append(f" ({item.label}")
            waiting += [None, *reversed(item.children)]
    return "".join(written).lstrip()
