"""Trees, their spans, and reading them from brackets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.errors import CorpusError
from naturalness.models.parsers.tree import Node, Span, from_spans, read_brackets, spans
from tests.support.trees import chain, trees

WORDS = ["The", "old", "cat", "slept", "(", "soundly", ")"]
TAGS = ["DT", "JJ", "NN", "VBD", "-LRB-", "RB", "-RRB-"]
SUBJECT = Node("NP", 0, 3, (0, 1, 2))
ADVERB = Node("ADVP", 5, 6, (5,))
ASIDE = Node("PRN", 4, 7, (4, ADVERB, 6))
TREE = Node("S", 0, 7, (SUBJECT, Node("VP", 3, 7, (3, ASIDE))))
WRITTEN = "(S (NP (DT The) (JJ old) (NN cat)) (VP (VBD slept) (PRN (-LRB- -LRB-) (ADVP (RB soundly)) (-RRB- -RRB-))))"


def test_spans_by_hand() -> None:
    """Spans are ordered outer before inner, and left to right; words and tags have none."""
    assert spans(TREE) == [Span(0, 7, "S"), Span(0, 3, "NP"), Span(3, 7, "VP"), Span(4, 7, "PRN"), Span(5, 6, "ADVP")]


def test_nodes_over_the_same_words_are_one_span() -> None:
    """The label of a unary chain begins with the outermost label."""
    imperative = Node("S", 0, 1, (Node("VP", 0, 1, (0,)),))
    root = Node("FRAG", 0, 2, (imperative, 1))
    assert spans(root) == [Span(0, 2, "FRAG"), Span(0, 1, "S+VP")]
    assert from_spans(spans(root)) == root


@given(root=trees(), seed=st.randoms(use_true_random=False))
def test_a_tree_is_rebuilt_from_its_spans(root: Node, seed: object) -> None:
    """A tree is rebuilt from its spans in any order."""
    shuffled = spans(root)
    seed.shuffle(shuffled)  # type: ignore[attr-defined]
    assert from_spans(shuffled) == root


def test_brackets_by_hand() -> None:
    """Brackets among the words are escaped; white space does not matter."""
    assert read_brackets(WRITTEN) == (TREE, WORDS, TAGS)
    assert read_brackets(WRITTEN.replace(" ", "\n  ")) == (TREE, WORDS, TAGS)


def test_escapes_within_a_word_are_read() -> None:
    """Escaped brackets inside a word are read, as in treebanks."""
    assert read_brackets("(NP (NNS friend-LRB-s-RRB-) (SYM :-RRB-))").words == ["friend(s)", ":)"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "word",
        "(NN word)",
        "(S (NN word)",
        "(S (NN word)))",
        "(S)",
        "(S (NP))",
        "(S word (NN word))",
        "(S (NN word)) (S (NN word))",
        "(S (NN two words))",
        "( (S (NN word)))",
    ],
)
def test_texts_that_are_not_trees_are_refused(text: str) -> None:
    """A text that is not one tree in brackets is refused, and the error shows it."""
    with pytest.raises(CorpusError, match="no tree in brackets"):
        read_brackets(text)


@pytest.mark.parametrize(
    ("constituents", "message"),
    [
        ([], "no spans"),
        ([Span(0, 2, "NP"), Span(1, 3, "VP")], "ends outside"),
        ([Span(0, 2, "NP"), Span(2, 3, "VP")], "ends outside"),
        ([Span(0, 2, "NP"), Span(1, 1, "VP")], "holds no word"),
    ],
)
def test_spans_that_are_not_a_tree_are_refused(constituents: list[Span], message: str) -> None:
    """Crossing, adjacent and empty spans are refused."""
    with pytest.raises(ValueError, match=message):
        from_spans(constituents)


def test_deep_trees() -> None:
    """Trees may be deeper than Python's recursion limit."""
    root = chain(3000)
    again = from_spans(spans(root))
    assert spans(again) == spans(root)
