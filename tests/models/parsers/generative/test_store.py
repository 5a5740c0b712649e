"""The grammar's file: a round trip, damage, and the shipped one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from naturalness.errors import ModelError
from naturalness.files.archive import pack, unpack
from naturalness.files.resources import load_manifest
from naturalness.models.parsers.generative import open_grammar, store
from naturalness.models.parsers.generative.store import TYPES
from naturalness.models.parsers.tree import read_brackets
from tests.support.toy_grammar import content, grammar
from training.constituency.grammar_file import write_grammar

TREE = "(S (NP (DT The) (NNS dogs)) (VP (VBP bark)) (. .))"
BEST = pytest.mark.skipif(store.ASSET not in load_manifest(), reason="no grammar is shipped")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return the file of the toy grammar."""
    path = tmp_path / "grammar.npz"
    write_grammar(path, *content())
    return path


def test_a_file_gives_the_same_numbers(file: Path, tmp_path: Path) -> None:
    """A grammar read from a file gives the same numbers, and equal contents give equal bytes."""
    tree = read_brackets("(S (NP (NN Dogs) (XX 7up)) (VP (VBP bark)))")
    assert open_grammar(file).parts(*tree) == grammar().parts(*tree)
    write_grammar(tmp_path / "again.npz", *content())
    assert (tmp_path / "again.npz").read_bytes() == file.read_bytes()


def test_damaged_files_are_refused(file: Path, tmp_path: Path) -> None:
    """Truncated, changed, empty, foreign and missing files, and files of another version, are refused."""
    data = file.read_bytes()
    middle = len(data) // 2
    for damaged in (data[:middle], b"", b"plain", data[:middle] + b"\xff" * 40 + data[middle + 40 :]):
        file.write_bytes(damaged)
        with pytest.raises(ModelError, match="is not a grammar"):
            open_grammar(file)
    for changes, message in (
        ({"grammar.version": np.array([3])}, "format version"),
        ({"grammar.tags": np.array([0xFF], np.uint8)}, "is not a grammar .*decode"),
    ):
        file.write_bytes(pack({**unpack(data, TYPES), **changes}, TYPES))
        with pytest.raises(ModelError, match=message):
            open_grammar(file)
    with pytest.raises(ModelError, match="no grammar at"):
        open_grammar(tmp_path / "none.npz")


@BEST
def test_the_shipped_grammar_prefers_usual_trees() -> None:
    """A usual tree is likelier than a strange one, and subject-verb agreement likelier than its violation."""
    shipped = store.grammar()
    assert store.grammar() is shipped
    usual = read_brackets(TREE)
    assert -60 < shipped.logprob(*usual) < -15
    strange = read_brackets("(NP (NP (DT The)) (VP (NNS dogs) (VBP bark)) (. .))")
    assert shipped.logprob(*usual) > shipped.logprob(*strange) + 5
    wrong = read_brackets(TREE.replace("VBP bark", "VBZ barks"))
    assert shipped.parts(*usual).rules > shipped.parts(*wrong).rules
