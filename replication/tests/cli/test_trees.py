"""`trees`: whole output with a parser whose trees are known, and the trees of the shipped parser."""

from __future__ import annotations

import io
import json
import math
import sys
from collections.abc import Callable, Sequence

import pytest
from spacy.tokens import Doc

from naturalness.cli import run as run_core
from naturalness.models.parsers.base import N_BEST, ParsedSentence, ScoredTree, sentences_of
from naturalness.models.parsers.tree import Node, Span, read_brackets
from naturalness_replication.cli.trees import cells, lines
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
def test_a_grammar_adds_its_number(monkeypatch: pytest.MonkeyPatch, capfd: Captured) -> None:
    """ln P(tree, words), where the grammar is there."""
    monkeypatch.setattr("naturalness_replication.cli.trees._grammar", lambda: lambda *tree: -12.34567)
    assert run(["trees", "Go away!"]) == 0
    line = "1. P 0.75, ln P(tree | sentence) -0.2877, ln P(tree, words) -12.346\n"
    assert line in capfd.readouterr().out
    assert run(["trees", "Go away!", "--format", "json"]) == 0
    (row,) = json.loads(capfd.readouterr().out)
    assert row["sentences"][0]["trees"][0]["joint_logprob"] == -12.34567


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


@pytest.mark.usefixtures("standing")
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


@pytest.mark.usefixtures("standing")
def test_a_table_is_read_in_batches(monkeypatch: pytest.MonkeyPatch, capfd: Captured) -> None:
    """Numbers go on; each text has its own trees."""
    monkeypatch.setattr("naturalness.cli.inputs.TEXTS", 2)
    lines = f"Go away!\n\n{SAW}\n".encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines)))
    assert run(["trees", "-", "--trees", "1"]) == 0
    out = capfd.readouterr().out
    assert [line for line in out.split("\n") if line.startswith("[")] == ["[1] Go away!", "[2] (empty)", f"[3] {SAW}"]
    assert out.endswith(DRAWN.partition("\n")[2] + "\n")


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


def test_nodes_over_the_same_words_share_a_line() -> None:
    """With words alone below them, and with more."""
    assert lines(*read_brackets("(S (VP (VB Go)))")) == ["S › VP  Go   VB"]
    assert lines(*read_brackets("(SBAR (S (NP (NN a)) (VP (VB b))))")) == ["SBAR › S", "├─ NP  a   NN", "└─ VP  b   VB"]


def test_columns_of_wide_and_of_added_characters() -> None:
    """Two columns for ideographs, none for an accent that stands on its own."""
    assert cells("ab") == 2
    assert cells("東京") == 4
    assert cells("e\u0301") == 1
    assert lines(*read_brackets("(S (NP (FW 東京)) (VP (VB abcd)))")) == ["S", "├─ NP  東京   FW", "└─ VP  abcd   VB"]


@pytest.mark.parametrize("character", ["\x1b", "\x00", "\x9b", "\u202e", "\ud800", "\uffff"])
def test_what_must_not_reach_a_screen_is_marked(character: str) -> None:
    """A control character does not reach the terminal."""
    root, words, tags = Node("NP", 0, 1, (0,)), [f"a{character}b"], ["NN"]
    assert lines(root, words, tags) == ["NP  a\ufffdb   NN"]


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


def test_a_plain_sentence_has_the_tree_of_a_textbook(capfd: Captured) -> None:
    """Subject, verb, two objects."""
    plain = output(run, ["trees", "--trees", "1"], capfd)[0]
    (sentence,) = plain["sentences"]  # type: ignore[misc]
    assert sentence["trees"][0]["brackets"] == (
        "(S (NP (DT The) (JJ old) (NN man)) (VP (VBD gave) (NP (PRP$ his) (NN book)) "
        "(PP (IN to) (NP (DT the) (NN girl)))) (. .))"
    )
