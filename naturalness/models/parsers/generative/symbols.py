"""The alphabet of a grammar: labels and tags as small integers, with a place for unknown ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from naturalness.models.parsers.tree import Node

STOP, NONE, ROOT, OTHER_LABEL, OTHER_TAG = range(5)
"""The end of a list of children; no child or word before; above the root; what was never seen."""
FIRST = 5
ALIASES = {
    "(": "-LRB-",
    "-LSB-": "-LRB-",
    "-LCB-": "-LRB-",
    ")": "-RRB-",
    "-RSB-": "-RRB-",
    "-RCB-": "-RRB-",
    "NFP": ":",
    "ADD": "NNP",
    "GW": "NN",
    "#": "$",
}
"""Tags of the pipeline and of other treebanks that the training treebanks write otherwise."""
PLACES = 6
"""Of the context of a child."""

Decision = tuple[int, int, int, int, int, int, int]
"""Label of the node, the child before, the node's parent, the child before that, the tag of the
word before, the tag of the one before that; and the child, or STOP."""


class Symbols:
    """Numbers of labels and tags."""

    def __init__(self, labels: Sequence[str], tags: Sequence[str]) -> None:
        self.labels = {label: FIRST + i for i, label in enumerate(labels)}
        self.tags = {tag: FIRST + len(labels) + i for i, tag in enumerate(tags)}
        self.size = FIRST + len(labels) + len(tags)
        for written, meant in ALIASES.items():
            if meant in self.tags:
                self.tags.setdefault(written, self.tags[meant])

    @property
    def children(self) -> int:
        """How many different children there are: labels, tags, STOP, and the unknown ones."""
        return self.size - 2  # NONE and ROOT are never a child

    def label(self, label: str) -> int:
        """Number of a label."""
        return self.labels.get(label, OTHER_LABEL)

    def tag(self, tag: str) -> int:
        """Number of a tag."""
        return self.tags.get(tag, OTHER_TAG)


def decisions(root: Node, tags: Sequence[int], symbols: Symbols) -> Iterator[Decision]:
    """What a tree chose: the root's label, then each node's children from left to right and STOP.

    Nothing of a context lies to the right of what is chosen, so the product of the
    probabilities of a tree's decisions is a probability over trees.
    """
    before = [NONE, NONE, *tags]
    numbers = symbols.labels
    top = numbers.get(root.label, OTHER_LABEL)
    yield ROOT, NONE, NONE, NONE, NONE, NONE, top
    waiting = [(root, top, ROOT)]
    while waiting:
        node, label, parent = waiting.pop()
        last = earlier = NONE
        for child in node.children:
            if isinstance(child, int):
                at, number = child, tags[child]
            else:
                at, number = child.start, numbers.get(child.label, OTHER_LABEL)
                waiting.append((child, number, label))
            yield label, last, parent, earlier, before[at + 1], before[at], number
            last, earlier = number, last
        yield label, last, parent, earlier, before[node.stop + 1], before[node.stop], STOP
