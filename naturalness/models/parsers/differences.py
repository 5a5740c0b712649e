"""What one tree of a sentence has and another has not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from naturalness.models.parsers.tree import Node, Span, nodes


class Difference(NamedTuple):
    """A constituent that only one of two trees has."""

    added: bool
    """Whether it is the second that has it."""
    span: Span
    """Its label is a single one, no chain."""


def differences(first: Node, second: Node) -> list[Difference]:
    """The constituents that only one of two trees over the same words has; none where equal.

    From left to right, outer before inner; over the same words those of the first tree come first.
    Nodes over the same words are told apart by label and number alone, not by their order.
    """
    before, after = Counter(_constituents(first)), Counter(_constituents(second))
    found = [Difference(False, span) for span in (before - after).elements()]
    found += [Difference(True, span) for span in (after - before).elements()]
    return sorted(found, key=lambda d: (d.span.start, -d.span.stop, d.added, d.span.label))


def _constituents(root: Node) -> Iterator[Span]:
    return (Span(node.start, node.stop, node.label) for node in nodes(root))
