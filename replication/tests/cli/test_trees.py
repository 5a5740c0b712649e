"""`trees`: whole output with a parser whose trees are known, and the trees of the shipped parser."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence

import pytest
from spacy.tokens import Doc

from naturalness.cli import run as run_core
from naturalness.models.parsers.base import N_BEST, ParsedSentence, ScoredTree, sentences_of
from naturalness.models.parsers.tree import Span, read_brackets
from naturalness_replication.cli.trees import lines
from replication.tests.support.commands import run

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


@pytest.fixture
def standing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the shipped parser, and leave out the grammar."""
    monkeypatch.setattr("naturalness_replication.cli.trees._parser", lambda folder: Standing())
    monkeypatch.setattr("naturalness_replication.cli.trees._grammar", lambda: None)


@pytest.mark.usefixtures("standing")
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


@pytest.mark.usefixtures("standing")
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


@pytest.mark.usefixtures("standing")
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


ERRORS = [
    (["trees", "a", "-o", "a.csv"], "-o 'a.csv': expected a name that ends in .txt, .json, .mrg, .ptb, or --"),
    (["trees", "a", "--bllip", "none"], "no BLLIP model at 'none'"),
    (["trees", "a", "-o", "none/a.txt"], "no folder 'none'; create it first"),
]


@pytest.mark.parametrize(("arguments", "message"), ERRORS)
def test_errors_are_one_line(arguments: list[str], message: str, capfd: Captured) -> None:
    """Exit 2, nothing on standard output."""
    assert run(arguments) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith(f"error: {message}")
    assert err.count("\n") == 1


WRITTEN = (
    "(S (SBAR (IN When) (S (NP (PRP it)) (VP (VBD rained)))) (, ,) (NP (DT the) (JJ old) (NN cat)) "
    "(VP (VBD slept) (PP (IN in) (NP (DT a) (NN box)))) (. .))"
)


def test_lines_by_hand() -> None:
    """Phrases of words alone on one line, their tags on the right; a mark is its own tag."""
    assert lines(*read_brackets(WRITTEN)) == [
        "S",
        "├─ SBAR",
        "│  ├─ IN  When",
        "│  └─ S",
        "│     ├─ NP  it       PRP",
        "│     └─ VP  rained   VBD",
        "├─ ,",
        "├─ NP  the old cat    DT JJ NN",
        "├─ VP",
        "│  ├─ VBD  slept",
        "│  └─ PP",
        "│     ├─ IN  in",
        "│     └─ NP  a box    DT NN",
        "└─ .",
    ]


TEXTS = ["The old man gave his book to the girl.", "i saw john in london yesterday"]


def output(run: Callable[[list[str]], int], arguments: list[str], capfd: Captured) -> list[dict[str, object]]:
    """What a command prints as JSON."""
    assert run([*arguments, *TEXTS, "--format", "json"]) == 0
    rows: list[dict[str, object]] = json.loads(capfd.readouterr().out)
    return rows


def test_what_is_shown_is_what_is_measured(capfd: Captured) -> None:
    """Both probabilities of the best tree, of a text without capitals too."""
    shown = output(run, ["trees", "--trees", "50"], capfd)
    measured = output(run_core, ["features", "--features", "constituency"], capfd)
    for text, row in zip(shown, measured, strict=True):
        (sentence,) = text["sentences"]  # type: ignore[misc]
        trees = sentence["trees"]
        mass = sum(tree["probability"] for tree in trees)
        for name, value in {
            "parser_logprob": trees[0]["joint_logprob"],
            "reranker_logprob": trees[0]["logprob"],
            "nbest_margin": trees[0]["logprob"] - trees[1]["logprob"],
            "nbest_mass": mass,
        }.items():
            assert row[f"constituency__{name}"] == pytest.approx(value, rel=1e-4), name
        assert len({tree["brackets"] for tree in trees}) == 50
        assert 0.5 < mass <= 1
        assert trees[0]["probability"] == pytest.approx(math.exp(trees[0]["logprob"]))
