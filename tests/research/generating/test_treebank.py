"""Treebanks as they are read."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from naturalness.errors import CorpusError
from naturalness.models.parsers.tree import brackets
from naturalness.research.generating import read_treebank

BANK = """\
# doc = one
( (S (NP-SBJ-1 (DT The) (NN dog)) (VP (VBD was)
    (VP (VBN seen) (NP=2 (-NONE- *-1)) (PP-LOC (IN in) (NP (NNP New York)))))
  (. .)) )

* comment
(S (NP (-NONE- *)) (NP (-LRB- -LRB-) (CD 1\\/2) (-RRB- -RRB-)) (`` ``) (-NONE- 0))
((X (-NONE- *)))
"""


@pytest.mark.parametrize("name", ["bank.mrg", "bank.mrg.gz"])
def test_a_treebank_is_read(tmp_path: Path, name: str) -> None:
    """Over several lines, without function tags, empty elements, wrappers and comments."""
    path = tmp_path / name
    path.write_bytes(gzip.compress(BANK.encode()) if name.endswith(".gz") else BANK.encode())
    assert [brackets(*tree) for tree in read_treebank(path)] == [
        "(S (NP (DT The) (NN dog)) (VP (VBD was) (VP (VBN seen) (PP (IN in) (NP (NNP NewYork))))) (. .))",
        '(S (NP (-LRB- -LRB-) (CD 1/2) (-RRB- -RRB-)) (`` "))',
    ]


NO_TREES = [
    ("", "holds no tree; expected Penn brackets"),
    ("# a comment\nNo brackets.\n", "line 2: no tree in brackets: 'No brackets"),
    ("(S (NN dog)))\n", "line 1: no tree in brackets"),
    ("(S (NN dog)\n", "ends within a tree"),
    ("(S dog)\n", "no tree in brackets"),
]


@pytest.mark.parametrize(("text", "message"), NO_TREES)
def test_what_is_no_treebank_is_told(tmp_path: Path, text: str, message: str) -> None:
    """With the file's name, and the place."""
    path = tmp_path / "bank.txt"
    path.write_text(text)
    with pytest.raises(CorpusError, match=rf"bank\.txt'.*{message}"):
        read_treebank(path)


def test_a_file_that_is_not_compressed_is_told(tmp_path: Path) -> None:
    """A name that ends in .gz is not enough."""
    path = tmp_path / "bank.gz"
    path.write_text(BANK)
    with pytest.raises(CorpusError, match="is no treebank"):
        read_treebank(path)
