"""`naturalness trees`, whole output, with a parser whose trees are known."""

from __future__ import annotations

import io
import json
import math
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import pytest
from spacy.tokens import Doc

from naturalness.cli import run
from naturalness.cli.options import with_parser
from naturalness.errors import TableError
from naturalness.features import GROUPS
from naturalness.models.parsers.base import N_BEST, ParsedSentence, ScoredTree, sentences_of
from naturalness.models.parsers.tree import Span

Captured = pytest.CaptureFixture[str]
SAW = "I saw the man with a telescope."
CLAUSE = (Span(0, 8, "S"), Span(0, 1, "NP"), Span(1, 7, "VP"))
WITH = (Span(4, 7, "PP"), Span(5, 7, "NP"))
KNOWN = {
    8: (
        ScoredTree((*CLAUSE, Span(2, 4, "NP"), *WITH), math.log(0.5)),
        ScoredTree((*CLAUSE, Span(2, 7, "NP"), Span(2, 4, "NP"), *WITH), math.log(0.25)),
        ScoredTree((Span(0, 8, "FRAG"), *CLAUSE[1:], Span(2, 4, "X"), *WITH), math.log(0.125)),
    ),
    3: (ScoredTree((Span(0, 3, "S"), Span(0, 2, "VP")), math.log(0.75)),),
}
"""Trees of sentences by how many tokens they have."""
MAN, THROUGH = "(NP (DT the) (NN man))", "(PP (IN with) (NP (DT a) (NN telescope)))"
LOW = f"(S (NP (PRP I)) (VP (VBD saw) {MAN} {THROUGH}) (. .))"
HIGH = f"(S (NP (PRP I)) (VP (VBD saw) (NP {MAN} {THROUGH})) (. .))"
OTHER = LOW.replace("(S", "(FRAG").replace("NP (DT the)", "X (DT the)")
DRAWN = """\
[1.1] I saw the man with a telescope.
1. P 0.5, ln P(tree | sentence) -0.6931
   S
   ├─ NP  I                   PRP
   ├─ VP
   │  ├─ VBD  saw
   │  ├─ NP  the man          DT NN
   │  └─ PP
   │     ├─ IN  with
   │     └─ NP  a telescope   DT NN
   └─ .
"""


class Standing:
    """A parser that knows sentences by their lengths."""

    name = "standing"
    signature = "standing:0"

    def nbest(self, docs: Sequence[Doc], k: int = N_BEST, *, keep: int | None = None) -> list[list[ParsedSentence]]:
        """The known trees; for other sentences a problem."""
        return [[self._parsed(s.start, s.stop, k) for s in sentences_of(doc)] for doc in docs]

    def _parsed(self, start: int, stop: int, k: int) -> ParsedSentence:
        trees = KNOWN.get(stop - start, ())[:k]
        problem = "" if trees else f"a sentence of {stop - start} tokens; the parser takes 3 or 8"
        return ParsedSentence(start, stop, trees, tuple(t.logprob for t in trees), problem)


@pytest.fixture(autouse=True)
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The parser stands in for all parsers, which were asked for by these names; no grammar."""
    names: list[str] = []

    def open_parser(spec: str) -> Standing:
        names.append(spec)
        return Standing()

    monkeypatch.setattr("naturalness.models.parsers.spec.open_parser", open_parser)
    monkeypatch.setattr("naturalness.cli.trees._grammar", lambda: None)
    return names


def test_trees_are_drawn(capfd: Captured) -> None:
    """The best one drawn; rivals in brackets."""
    assert run(["trees", f"{SAW} Go away!"]) == 0
    out, err = capfd.readouterr()
    assert out == DRAWN + (
        f"2. P 0.25, ln P(tree | sentence) -1.386\n   {HIGH}\n"
        f"3. P 0.125, ln P(tree | sentence) -2.079\n   {OTHER}\n"
        "together: P 0.875\n"
        "\n"
        "[1.2] Go away!\n"
        "1. P 0.75, ln P(tree | sentence) -0.2877\n"
        "   S\n"
        "   ├─ VP  Go away   VB RB\n"
        "   └─ .  !\n"
        "\n"
    )
    assert err == ""


def test_a_grammar_adds_its_number(monkeypatch: pytest.MonkeyPatch, capfd: Captured) -> None:
    """ln P(tree, words), where the grammar is there."""
    monkeypatch.setattr("naturalness.cli.trees._grammar", lambda: lambda *tree: -12.34567)
    assert run(["trees", "Go away!"]) == 0
    line = "1. P 0.75, ln P(tree | sentence) -0.2877, ln P(tree, words) -12.346\n"
    assert line in capfd.readouterr().out
    assert run(["trees", "Go away!", "--format", "json"]) == 0
    (row,) = json.loads(capfd.readouterr().out)
    assert row["sentences"][0]["trees"][0]["joint_logprob"] == -12.34567


def test_what_has_no_tree_says_why(capfd: Captured) -> None:
    """A sentence that the parser does not take, a text without words; exit 1."""
    assert run(["trees", "We left it. Go away!", "...", "--trees", "1"]) == 1
    out, err = capfd.readouterr()
    assert out == (
        "[1.1] We left it.\n"
        "   no tree: a sentence of 4 tokens; the parser takes 3 or 8\n"
        "\n"
        "[1.2] Go away!\n"
        "1. P 0.75, ln P(tree | sentence) -0.2877\n"
        "   S\n"
        "   ├─ VP  Go away   VB RB\n"
        "   └─ .  !\n"
        "\n"
        "[2] ...\n"
        "   no tree: no words\n"
        "\n"
    )
    assert err == "2 texts or sentences without a tree\n"


def test_brackets_are_a_tree_a_line(capfd: Captured) -> None:
    """An empty line behind each sentence, unless there is one tree of each."""
    assert run(["trees", SAW, "We left it.", "--format", "brackets"]) == 1
    assert capfd.readouterr() == (
        f"{LOW}\n{HIGH}\n{OTHER}\n\n",
        "[2] We left it.: no tree: a sentence of 4 tokens; the parser takes 3 or 8\n"
        "1 text or sentence without a tree\n",
    )
    run(["trees", SAW, SAW, "--format", "brackets", "--trees", "1"])
    assert capfd.readouterr() == (f"{LOW}\n{LOW}\n", "")


def test_json_has_all(capfd: Captured) -> None:
    """A list of texts, with sentences, with trees."""
    assert run(["trees", "Go away!", "", "--format", "json"]) == 1
    tree = {
        "brackets": "(S (VP (VB Go) (RB away)) (. !))",
        "logprob": math.log(0.75),
        "probability": pytest.approx(0.75),
        "joint_logprob": None,
    }
    words, tags = ["Go", "away", "!"], ["VB", "RB", "."]
    sentence = {"words": words, "tags": tags, "trees": [tree], "problem": ""}
    assert json.loads(capfd.readouterr().out) == [
        {"text": "Go away!", "sentences": [sentence], "problem": ""},
        {"text": "", "sentences": [], "problem": "empty text"},
    ]


def test_svg_is_told_by_the_name_of_the_file(tmp_path: Path, capfd: Captured) -> None:
    """One image of all trees; standard output stays empty."""
    out = tmp_path / "trees.svg"
    assert run(["trees", SAW, "Go 2 it <now>", "-o", str(out)]) == 1
    image = ElementTree.fromstring(out.read_text(encoding="utf-8"))
    texts = [text.text for text in image.findall("{*}text")]
    assert texts[:3] == [
        f"[1] {SAW}",
        "1. P 0.5, ln P(tree | sentence) -0.6931",
        "2. P 0.25, ln P(tree | sentence) -1.386",
    ]
    assert texts[4] == "[2] Go 2 it <now>"
    assert re.match(r"no tree: a sentence of \d tokens", str(texts[5]))
    assert len(image.findall("{*}g")) == 3
    assert image.findtext("{*}desc") == f"{LOW}\n{HIGH}\n{OTHER}"
    out_text, err = capfd.readouterr()
    assert (out_text, err.splitlines()[0]) == ("", f"2 texts written to {str(out)!r}")
    assert run(["trees", "Go away!", "-o", str(out)]) == 2
    assert "add --force" in capfd.readouterr().err


@pytest.mark.usefixtures("full_disk")
def test_a_full_disk_leaves_the_old_file(tmp_path: Path, capfd: Captured) -> None:
    """And nothing else."""
    out = tmp_path / "trees.svg"
    out.write_text("old")
    assert run(["trees", SAW, "-o", str(out), "--force"]) == 2
    assert "No space left" in capfd.readouterr().err
    assert out.read_text() == "old" and list(tmp_path.iterdir()) == [out]


def test_a_table_is_read_in_batches(monkeypatch: pytest.MonkeyPatch, capfd: Captured) -> None:
    """Numbers go on; each text has its own trees."""
    monkeypatch.setattr("naturalness.cli.inputs.TEXTS", 2)
    lines = f"Go away!\n\n{SAW}\n".encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines)))
    assert run(["trees", "-", "--trees", "1"]) == 0
    out = capfd.readouterr().out
    assert [line for line in out.split("\n") if line.startswith("[")] == ["[1] Go away!", "[2] (empty)", f"[3] {SAW}"]
    assert out.endswith(DRAWN.partition("\n")[2] + "\n")


def test_a_parser_is_named(asked: list[str]) -> None:
    """The shipped one, if none is."""
    assert run(["trees", "Go away!"]) == 0
    assert run(["trees", "Go away!", "--parser", "benepar:my.pt"]) == 0
    assert asked == ["chart", "benepar:my.pt"]


ERRORS = [
    (["trees", "a", "-o", "a.csv"], "-o 'a.csv': expected a name that ends in .txt, .json, .mrg, .ptb, .svg"),
    (["trees", "a", "-o", "a.sgv"], "-o 'a.sgv': expected a name that ends in .txt, .json, .mrg, .ptb, .svg, or --"),
    (["trees", "a", "-o", "none/a.svg"], "no folder 'none'; create it first"),
    (["features", "a", "--parser", "x", "--features", "pos"], "--parser is for the group 'constituency'"),
    (["features", "a", "--parser", "no such"], "unknown parser 'no such'"),
]


@pytest.mark.parametrize(("arguments", "message"), ERRORS)
def test_errors_are_one_line(arguments: list[str], message: str, capfd: Captured) -> None:
    """Exit 2, nothing on standard output."""
    assert run(arguments) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith(f"error: {message}")
    assert err.count("\n") == 1


def test_a_parser_takes_the_place_of_the_shipped_one() -> None:
    """Among all groups or those named; the shipped one by its name changes nothing."""
    assert with_parser(["pos", "constituency"], "benepar:m") == ["pos", "parser:benepar:m"]
    every = ["parser:benepar:m" if name == "constituency" else name for name in GROUPS]
    assert with_parser(None, "benepar:m") == every
    assert "parser:benepar:m" in every
    assert with_parser(["all", "link"], "benepar:m") == [*every, "link"]
    for spec in (None, "chart"):
        assert with_parser(None, spec) is None
        assert with_parser(["constituency"], spec) == ["constituency"]
    assert with_parser(["pos"], None) == ["pos"]
    with pytest.raises(TableError, match="leaves out"):
        with_parser(["pos"], "chart")
