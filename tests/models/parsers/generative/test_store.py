"""The grammar's file: a round trip, damage, and the shipped one."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from naturalness.errors import ModelError
from naturalness.files.archive import pack, unpack
from naturalness.files.resources import load_manifest, locate
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
    """Truncated, changed, empty and foreign files raise the same kind of error, as does a missing file."""
    data = file.read_bytes()
    middle = len(data) // 2
    for damaged in (data[:middle], b"", b"plain", data[:middle] + b"\xff" * 40 + data[middle + 40 :]):
        file.write_bytes(damaged)
        with pytest.raises(ModelError, match="is not a grammar"):
            open_grammar(file)
    file.write_bytes(pack({"grammar.version": np.array([2]), "other.array": np.zeros(3)}))
    with pytest.raises(ModelError, match=r"is not a grammar .*grammar\.labels"):
        open_grammar(file)
    np.savez(file, version=np.array([1]), labels=np.array(["NP"]))  # as format 1 was
    with pytest.raises(ModelError, match=r"is not a grammar .*has a name or a compression"):
        open_grammar(file)
    with pytest.raises(ModelError, match="no grammar at"):
        open_grammar(tmp_path / "none.npz")


def test_arrays_that_do_not_fit_are_refused(file: Path) -> None:
    """Another format version and text that is not valid UTF-8 are refused."""
    arrays = unpack(file.read_bytes(), TYPES)
    changes: list[tuple[str, np.ndarray, str]] = [
        ("grammar.version", np.array([3]), "format version"),
        ("grammar.tags", np.array([0xFF], np.uint8), "is not a grammar .*decode"),
    ]
    for name, value, message in changes:
        file.write_bytes(pack({**arrays, name: value}, TYPES))
        with pytest.raises(ModelError, match=message):
            open_grammar(file)


def text(names: str) -> np.ndarray:
    """Return names in the form in which lists are stored."""
    return np.frombuffer(names.encode(), np.uint8)


@BEST
def test_the_shipped_grammar_tells_trees_apart() -> None:
    """A usual tree is likelier than a strange one, and subject-verb agreement likelier than its violation."""
    shipped = store.grammar()
    assert store.grammar() is shipped
    usual = read_brackets(TREE)
    assert -60 < shipped.logprob(*usual) < -15
    strange = read_brackets("(NP (NP (DT The)) (VP (NNS dogs) (VBP bark)) (. .))")
    assert shipped.logprob(*usual) > shipped.logprob(*strange) + 5
    wrong = read_brackets(TREE.replace("VBP bark", "VBZ barks"))
    assert shipped.parts(*usual).rules > shipped.parts(*wrong).rules


@BEST
def test_the_shipped_grammar_is_small_and_quick_to_read() -> None:
    """The file has at most 2 MB and is read in under a second (50 ms on an idle core)."""
    asset = load_manifest()[store.ASSET]
    assert asset.size <= 2_000_000
    started = time.perf_counter()
    store.open_grammar(locate(store.ASSET))
    assert time.perf_counter() - started < 1
