"""ARPA files: writing and reading are inverse, and errors name the line."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from naturalness.errors import ModelError
from naturalness.models.language.arpa import read_arpa, write_arpa
from naturalness.models.language.kneser_ney import estimate
from naturalness.models.language.tables import Ngrams
from tests.support.reference_models import ASSETS, MODELS, corpus

GOOD = """\\data\\
ngram 1=4
ngram 2=2

\\1-grams:
-1\t<unk>\t0
0\t<s>\t-0.5
-0.6\t</s>\t0
-0.7\ta\t-0.25

\\2-grams:
-0.2\t<s> a
-0.3\ta </s>

\\end\\
"""


def assert_same(one: Ngrams, other: Ngrams) -> None:
    assert one.vocabulary == other.vocabulary
    for name in ("ids", "logprobs", "backoffs"):
        for mine, theirs in zip(getattr(one, name), getattr(other, name), strict=True):
            np.testing.assert_array_equal(mine, theirs)


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    """Values are read back to the last bit, also if gzipped; words may contain any character but white space."""
    model = estimate([*corpus()[:50], "naïve “quote” \u00a0 \u2028x 100%s"], order=4)
    path = tmp_path / "model.arpa"
    write_arpa(model, path)
    assert_same(read_arpa(path), model)
    assert list(tmp_path.iterdir()) == [path]
    zipped = tmp_path / "model.arpa.gz"
    zipped.write_bytes(gzip.compress(path.read_bytes()))
    assert_same(read_arpa(zipped), model)


@pytest.mark.parametrize("reference", MODELS, ids=lambda reference: reference.arpa)
def test_a_file_of_lmplz_is_written_as_it_was(tmp_path: Path, reference) -> None:
    """Order and digits are those of lmplz, except for the spelling of very small numbers."""
    write_arpa(read_arpa(ASSETS / reference.arpa), tmp_path / "model.arpa")
    ours = (tmp_path / "model.arpa").read_text(encoding="utf-8").split()
    theirs = (ASSETS / reference.arpa).read_text(encoding="utf-8").split()
    assert [x for x in ours if "e-" not in x] == [y for x, y in zip(ours, theirs, strict=True) if "e-" not in x]


def test_what_a_file_leaves_out(tmp_path: Path) -> None:
    """Comments are skipped; `<unk>`, back-offs and the order of words are optional."""
    path = tmp_path / "model.arpa"
    lines = [line for line in GOOD.split("\n") if "<unk>" not in line]
    lines[lines.index("0\t<s>\t-0.5")] = "-0.7\ta\t-0.25"
    lines[lines.index("-0.7\ta\t-0.25", 6)] = "0\t<s>\t-0.5"
    text = "# made by hand\n" + "\n".join(lines).replace("1=4", "1=3").replace("\t0\n", "\n")
    path.write_text(text, encoding="utf-8")
    model = read_arpa(path)
    assert model.vocabulary == ["<unk>", "<s>", "</s>", "a"]
    np.testing.assert_allclose(model.logprobs[0], [-100, 0, -0.6, -0.7])
    np.testing.assert_allclose(model.backoffs[0], [0, -0.5, 0, -0.25])
    assert model.ids[1].tolist() == [[1, 3], [3, 2]]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\\data\\", "data", r"line 1: found 'data', expected \\data\\"),
        ("ngram 2=2", "ngram 3=2", "line 3: found 'ngram 3=2', expected ngram 2=NUMBER"),
        ("ngram 1=4\nngram 2=2\n", "", "no n-grams are announced"),
        ("ngram 2=2", "ngram 2=1", r"line 13: found .* expected \\end\\"),
        ("ngram 2=2", "ngram 2=3", "line 14: could not convert"),
        ("-0.2\t<s> a", "-0.2\t<s> b", "line 12: .*words among the 1-grams"),
        ("-0.2\t<s> a", "-0.2\ta", "line 12: .*one of 2 2-grams"),
        ("-0.2\t", "nan\t", "line 12: .*a logarithm up to 0"),
        ("-0.7\ta", "-0.7\t</s>", "words that repeat"),
        ("0\t<s>", "0\t<x>", "its words lack <s>"),
        ("\\end\\", "\\end\\\nmore", "line 16: found 'more', expected no more lines"),
        ("-0.3\ta </s>\n\n\\end\\\n", "", "1 2-grams"),
    ],
)
def test_the_error_names_the_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    """The error also says what was found and what was expected."""
    path = tmp_path / "model.arpa"
    path.write_text(GOOD.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ModelError, match=message) as caught:
        read_arpa(path)
    assert str(path) in str(caught.value)


def test_files_of_another_kind(tmp_path: Path) -> None:
    """Invalid UTF-8, a file that is not gzipped, and a truncated archive are errors."""
    path = tmp_path / "model.arpa"
    path.write_bytes(b"\\data\\\n\xff\xfe")
    with pytest.raises(ModelError, match="not an ARPA file, or damaged"):
        read_arpa(path)
    for content in (b"plain", gzip.compress(GOOD.encode())[:-9]):
        zipped = tmp_path / "model.arpa.gz"
        zipped.write_bytes(content)
        with pytest.raises(ModelError, match="not an ARPA file, or damaged"):
            read_arpa(zipped)
