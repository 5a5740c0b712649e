"""Trees in brackets: written and read back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from naturalness.models.parsers.tree import Node, read_brackets, spans
from naturalness_replication.trees import brackets
from tests.support.trees import chain, trees

TAGS = ["DT", "JJ", "NN", "-LRB-", "-RRB-"]


@given(root=trees(), data=st.data())
def test_brackets_are_read_as_written(root: Node, data: st.DataObject) -> None:
    """Words may contain brackets of any kind; tags are unchanged."""
    word = st.text("a-LR()[]{}:'", min_size=1, max_size=4)
    words = data.draw(st.lists(word, min_size=root.stop, max_size=root.stop))
    tags = data.draw(st.lists(st.sampled_from(TAGS), min_size=root.stop, max_size=root.stop))
    assert read_brackets(brackets(root, words, tags)) == (root, words, tags)


def test_deep_trees() -> None:
    """Trees may be deeper than Python's recursion limit."""
    root = chain(3000)
    assert spans(read_brackets(brackets(root, ["so"] * 3000, ["RB"] * 3000)).root) == spans(root)
