"""Cleaning of treebank trees, and brackets counted as by EVALB."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from benchmarks.evalb import Brackets
from naturalness.models.parsers.tree import Span, read_brackets, spans
from training.constituency.treebank import cleaned, read_trees


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("(ROOT (S (NP-SBJ-1 (PRP I)) (VP (VBP know))))", "(S (NP (PRP I)) (VP (VBP know)))"),
        (
            "( (S (NP-SBJ (-NONE- *)) (VP (TO to) (VP (VB go) (ADVP=2 (RB home) )))))",
            "(S (VP (TO to) (VP (VB go) (ADVP (RB home)))))",
        ),
        ("( (HEADING (NP (NN Background))) )", "(NP (NN Background))"),
        ("(ROOT (S (NP (NP (DT this)) (-NONE- *)) (VP (VBZ is))))", "(S (NP (DT this)) (VP (VBZ is)))"),
        ("(ROOT (NN Cats) (. .))", "(X (NN Cats) (. .))"),
        ("(ROOT (NN Cats))", "(X (NN Cats))"),
        (
            "(ROOT (S (`` ``) (NP (NN a b)) (-LRB- -LRB-) (NN and\\/or)))",
            '(S (`` ") (NP (NN ab)) (-LRB- -LRB-) (NN and/or))',
        ),
    ],
)
def test_trees_are_cleaned(line: str, expected: str) -> None:
    """Function tags, empty elements and wrappers are removed, and words are written as typed."""
    tree = cleaned(line)
    assert tree is not None
    assert tree == read_brackets(expected)


def test_an_empty_tree_is_dropped() -> None:
    """A tree of empty elements is dropped."""
    assert cleaned("(ROOT (S (NP (-NONE- *))))") is None


def test_documents_and_splits_are_read(tmp_path: Path) -> None:
    """The comment before the trees of a document names document and split."""
    path = tmp_path / "trees.gz"
    text = "# doc = one\tsplit = train\n(ROOT (NP (NN a)))\n\n# doc = two\tsplit = test\n(NP (NN b))\n"
    path.write_bytes(gzip.compress(text.encode()))
    sentences = [(s.document, s.split, s.words, s.tags) for s in read_trees(path)]
    assert sentences == [("one", "train", ["a"], ["NN"]), ("two", "test", ["b"], ["NN"])]


def spans_of(text: str) -> tuple[list[Span], list[str]]:
    """Return the spans and tags of a tree in brackets."""
    root, _, tags = read_brackets(text)
    return spans(root), tags


def test_brackets_without_marks() -> None:
    """Brackets are counted without punctuation, with PRT as ADVP."""
    gold, tags = spans_of('(S (`` ") (S (NP (PRP I)) (VP (VBP give) (PRT (RP up)))) (, ,) (NP (NNP Ann)) (. .))')
    same = Brackets()
    same.add(gold, gold, tags)
    assert (same.matched, same.gold, same.predicted, same.exact, same.f1) == (6, 6, 6, 1, 100)
    # PRT is ADVP; the outer S keeps its words though the marks went; VP and NP are of other words.
    ours = [Span(0, 7, "S"), Span(1, 4, "S"), Span(1, 3, "VP"), Span(3, 4, "ADVP"), Span(4, 6, "NP")]
    other = Brackets()
    other.add(gold, ours, tags)
    assert (other.matched, other.gold, other.predicted, other.exact) == (4, 6, 5, 0)
    assert other.f1 == pytest.approx(200 * 4 / 11)
