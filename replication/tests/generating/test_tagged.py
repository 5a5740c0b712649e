"""Tagged sentences: which of them are used, and their supertags."""

from __future__ import annotations

import pytest
from spacy.tokens import Doc

from naturalness.errors import PipelineError
from naturalness.text.parsing import load_pipeline
from naturalness.text.view import view
from naturalness_replication.generating import pos_tagged
from naturalness_replication.generating.tagged import backed_off, is_usable, levels


def document(words: str, tags: str, deps: str, heads: list[int]) -> Doc:
    """Return a Doc with this annotation."""
    return Doc(
        load_pipeline().vocab,
        words=words.split(),
        tags=tags.split(),
        deps=deps.split(),
        heads=heads,
        spaces=[True] * (len(heads) - 2) + [False] * 2,
    )


GAVE = (
    "She gave him an old book .",
    "PRP VBD PRP DT JJ NN .",
    "nsubj root iobj det amod obj punct",
    [1, 1, 1, 5, 5, 1, 1],
)


def test_supertags_are_those_of_the_documentation() -> None:
    """Supertags equal those of the documented example."""
    seen = view(document(*GAVE))
    assert [fine for fine, *_ in levels(seen, 0, 7)] == [
        "PRP nsubj> [_]",
        "VBD root [nsubj _ iobj obj]",
        "PRP iobj< [_]",
        "DT det> [_]",
        "JJ amod> [_]",
        "NN obj< [amod det _]",
        ". punct< [_]",
    ]
    assert levels(seen, 0, 7)[5][1:] == ("NN obj<", "NN")


def test_rare_supertags_back_off() -> None:
    """A supertag that was seen twice is kept; others become tag, label and side, or the tag alone."""
    often, rare = ("N a< [x _]", "N a<", "N"), ("N a< [_ y]", "N a<", "N")
    other, single = ("N a< [z _]", "N a<", "N"), ("N b> [_]", "N b>", "N")
    tags = backed_off([[often, rare, often], [other, single]], min_count=2)
    assert tags == [["N a< [x _]", "N a<", "N a< [x _]"], ["N a<", "N"]]


USABLE = [
    ("Dogs bark .", True),
    ("Dogs bark !", False),
    ("Dogs bark . Cats do .", False),
    ('" Dogs bark .', False),
    ("2 dogs bark .", False),
    (".", False),
    ("Dogs bark", False),
]


@pytest.mark.parametrize(("text", "expected"), USABLE)
def test_whole_sentences_are_used(text: str, expected: bool) -> None:
    """A usable sentence starts with a letter and has one final mark, a full stop at its end."""
    words = text.split()
    assert is_usable(words, ["." if w == "." else "X" for w in words]) is expected


def test_a_pipeline_without_tags_is_refused() -> None:
    """A pipeline that gives no tags is refused."""
    with pytest.raises(PipelineError, match="gives no tags"):
        pos_tagged([Doc(load_pipeline().vocab, words=["Dogs", "bark", "."])])
