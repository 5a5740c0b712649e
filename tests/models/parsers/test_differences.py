"""What one tree has and another has not."""

from __future__ import annotations

from collections import Counter

from hypothesis import given

from naturalness.models.parsers.differences import Difference, differences
from naturalness.models.parsers.tree import Node, Span, nodes, read_brackets
from tests.models.parsers.test_tree import trees

LOW = "(S (NP (PRP I)) (VP (VBD saw) (NP (NP (DT a) (NN man)) (PP (IN with) (NP (NNS eyes))))))"
HIGH = "(S (NP (PRP I)) (VP (VBD saw) (NP (DT a) (NN man)) (PP (IN with) (NP (NNS eyes)))))"


def test_differences_by_hand() -> None:
    """A phrase attached high or low; another label."""
    low, high = read_brackets(LOW).root, read_brackets(HIGH).root
    other = read_brackets(HIGH.replace("(S", "(FRAG").replace("VP", "X")).root
    assert differences(high, low) == [Difference(True, Span(2, 6, "NP"))]
    assert differences(low, high) == [Difference(False, Span(2, 6, "NP"))]
    assert differences(high, other) == [
        Difference(False, Span(0, 6, "S")),
        Difference(True, Span(0, 6, "FRAG")),
        Difference(False, Span(1, 6, "VP")),
        Difference(True, Span(1, 6, "X")),
    ]


def test_outer_constituents_come_first() -> None:
    """From left to right, whatever their labels."""
    flat = read_brackets("(S (DT a) (NN man) (VBD slept) (RB well))").root
    deep = read_brackets("(S (NP (A (DT a)) (NN man)) (VP (VBD slept) (A (RB well))))").root
    assert [d.span for d in differences(flat, deep)] == [
        Span(0, 2, "NP"),
        Span(0, 1, "A"),
        Span(2, 4, "VP"),
        Span(3, 4, "A"),
    ]


def test_constituents_over_the_same_words_are_counted() -> None:
    """One NP in another over the same words is one more."""
    one, two = read_brackets("(NP (NN cat))").root, read_brackets("(NP (NP (NN cat)))").root
    assert differences(one, two) == [Difference(True, Span(0, 1, "NP"))]


@given(first=trees(), second=trees())
def test_differences_make_one_tree_the_other(first: Node, second: Node) -> None:
    """Its constituents, less those that it alone has, with those that it has not."""
    constituents = Counter(Span(n.start, n.stop, n.label) for n in nodes(first))
    for added, span in differences(first, second):
        constituents[span] += 1 if added else -1
    assert +constituents == Counter(Span(n.start, n.stop, n.label) for n in nodes(second))
    assert min(constituents.values()) >= 0
    assert differences(first, first) == []
