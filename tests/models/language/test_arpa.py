"""ARPA files: what is written is read back, and what is wrong is said."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from naturalness.errors import ModelError
from naturalness.models.language.arpa import read_arpa, write_arpa
from naturalness.models.language.kneser_ney import estimate
from naturalness.models.language.tables import Ngrams
from tests.support.reference_models import ASSETS, MODELS, corpus, token_logprobs

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
    """To the last bit, gzipped too; words may hold any character but white space."""
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
    """The same order, the same shortest numbers; only how small ones are spelt may differ."""
    write_arpa(read_arpa(ASSETS / reference.arpa), tmp_path / "model.arpa")
    ours = (tmp_path / "model.arpa").read_text(encoding="utf-8").split()
    theirs = (ASSETS / reference.arpa).read_text(encoding="utf-8").split()
    assert [x for x in ours if "e-" not in x] == [y for x, y in zip(ours, theirs, strict=True) if "e-" not in x]


def test_kenlm_reads_what_is_written(tmp_path: Path) -> None:
    """And scores each token by the rule of the format."""
    kenlm = pytest.importorskip("kenlm")
    model = estimate(corpus(), order=3, prune=(0, 0, 1))
    write_arpa(model, tmp_path / "model.arpa")
    opened = kenlm.Model(str(tmp_path / "model.arpa"))
    for line in [*corpus()[:20], "unseen " + corpus()[0]]:
        scores = [score for score, _, _ in opened.full_scores(line)]
        np.testing.assert_allclose(scores, token_logprobs(model, line.split()), atol=1e-5)


def test_what_a_file_leaves_out(tmp_path: Path) -> None:
    """Comments at the top, no `<unk>`, no back-offs, an order of words of its own."""
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
        ("\\data\\", "data", r"line 1: found 'data', expected '\\data\\'"),
        ("ngram 2=2", "ngram 3=2", "line 3: found 'ngram 3=2', expected 'ngram 2=NUMBER'"),
        ("ngram 1=4\nngram 2=2\n", "", "has no 'ngram 1=NUMBER'"),
        ("ngram 2=2", "ngram 2=1", r"found '-0.3\\ta </s>', expected '\\end\\'; are the"),
        ("ngram 2=2", "ngram 2=3", "LOG10 <tab> WORDS <tab> BACKOFF"),
        ("-0.2\t<s> a", "-0.2 <s> a", "line 12: .*expected 'LOG10 <tab> WORDS"),
        ("-0.2\t<s> a", "-0.2\t<s> b", "line 12: .*expected words that are among the 1-grams"),
        ("-0.2\t<s> a", "-0.2\t<s>  a", "expected 2 words with a space"),
        ("-0.2\t<s> a", "-0.2\ta", "expected 2 words"),
        ("-0.2\t", "0.2\t", "expected a log10 probability up to 0"),
        ("-0.2\t", "nan\t", "expected a log10 probability up to 0"),
        ("-0.7\ta", "-0.7\t</s>", "line 9: found '</s>', expected each word once"),
        ("0\t<s>", "0\t<x>", "has no <s> among its words"),
        ("\\end\\", "\\end\\\nmore", "line 16: found 'more', expected nothing behind"),
        ("\n\\end\\\n", "", "ends before .*not complete"),
        ("-0.3\ta </s>\n\n\\end\\\n", "", "has 1 of 2 2-grams; it is not complete"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, old: str, new: str, message: str) -> None:
    """With the file, the line, what was found and what was expected."""
    assert old in GOOD
    path = tmp_path / "model.arpa"
    path.write_text(GOOD.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ModelError, match=message) as caught:
        read_arpa(path)
    assert str(path) in str(caught.value)


def test_files_of_another_kind(tmp_path: Path) -> None:
    """A binary file, a damaged archive."""
    path = tmp_path / "model.arpa"
    path.write_bytes(b"\\data\\\n\xff\xfe")
    with pytest.raises(ModelError, match="not an ARPA file, or damaged"):
        read_arpa(path)
    for content in (b"plain", gzip.compress(GOOD.encode())[:-9]):
        zipped = tmp_path / "model.arpa.gz"
        zipped.write_bytes(content)
        with pytest.raises(ModelError, match="not an ARPA file, or damaged"):
            read_arpa(zipped)


def test_nothing_is_left_of_a_write_that_failed(tmp_path: Path) -> None:
    """Neither half a file nor the file that was being made."""
    model = estimate(["a b"], order=2)
    broken = Ngrams(model.vocabulary[:2], model.ids, model.logprobs, model.backoffs)
    with pytest.raises(IndexError):
        write_arpa(broken, tmp_path / "model.arpa")
    assert list(tmp_path.iterdir()) == []
