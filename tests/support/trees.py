"""Trees of any shape and depth."""

from __future__ import annotations

from hypothesis import strategies as st

from naturalness.models.parsers.tree import Node

LABELS = st.sampled_from(["S", "NP", "VP", "PRT|ADVP", "X"])


@st.composite
def trees(draw: st.DrawFn, start: int = 0, depth: int = 4) -> Node:
    """Draw a tree whose words are numbered from ``start``; unary chains are frequent."""
    children: list[Node | int] = []
    at = start
    for kind in draw(st.lists(st.booleans(), min_size=1, max_size=4)):
        children.append(draw(trees(at, depth - 1)) if kind and depth else at)
        last = children[-1]
        at = last.stop if isinstance(last, Node) else last + 1
    return Node(draw(LABELS), start, at, tuple(children))


def chain(depth: int) -> Node:
    """Return one word under many nodes, or, if each node has a word of its own, a right-branching tree."""
    node = Node("X", depth - 1, depth, (depth - 1,))
    for start in range(depth - 2, -1, -1):
        node = Node("X", start, depth, (start, node))
    return node
