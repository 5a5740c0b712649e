"""A treebank grammar: its productions, and random sentences of one length."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache

import pytest

from naturalness.errors import CorpusError
from naturalness.models.parsers.tree import Bracketed, read_brackets
from naturalness_replication.generating import GrammarSampler
from naturalness_replication.generating.grammar import (
    END,
    TOP,
    ProductionGrammar,
    TreeLeaves,
    count_productions,
    is_tag,
)
from naturalness_replication.generating.tagged import TaggedToken

TREES = [
    "(S (NP (DT The) (NN dog)) (VP (VBD saw) (NP (DT a) (NN cat))) (. .))",
    "(S (NP (PRP We)) (VP (VBD ran) (S (VP (TO to) (VP (VB see))))) (. .))",
    "(S (NP (NNP Peter)) (VP (VBD saw) (NP (NP (DT the) (NN dog)) (PP (IN of) (NP (PRP us))))) (. .))",
]


def trees() -> list[Bracketed]:
    """Return the trees above."""
    return [read_brackets(text) for text in TREES]


def test_productions_by_hand() -> None:
    """A unary chain is one symbol, the root is TOP, and the final full stop has a tag of its own."""
    grammar = count_productions(trees(), terminal_bias=1)
    assert grammar.productions[TOP] == {("<NP>", "<VP>", END): 1.0}
    assert grammar.productions["<VP>"] == {("VBD", "<NP>"): 2 / 4, ("VBD", "<S+VP>"): 1 / 4, ("VB",): 1 / 4}
    assert grammar.productions["<S+VP>"] == {("TO", "<VP>"): 1.0}
    assert grammar.productions["<NP>"][("PRP",)] == pytest.approx(2 / 7)
    assert grammar.words["DT"] == {"the": 2, "a": 1}
    assert grammar.words["PRP"] == {"we": 1, "us": 1}
    assert grammar.words[END] == {".": 3}


def test_the_bias_is_for_productions_of_tags_alone() -> None:
    """An NP is (DT NN) three times, (PRP) twice, (NNP) once, (NP PP) once; a bias of 3 makes that 18 to 1."""
    grammar = count_productions(trees(), terminal_bias=3)
    assert grammar.productions["<NP>"] == {
        ("DT", "NN"): pytest.approx(9 / 19),
        ("PRP",): pytest.approx(6 / 19),
        ("NNP",): pytest.approx(3 / 19),
        ("<NP>", "<PP>"): pytest.approx(1 / 19),
    }


LEFT_OUT = [
    "(S (NP (NN dog)) (VP (VBD ran)))",
    "(S (NP (CD 7) (NNS dogs)) (VP (VBD ran)) (. .))",
    "(S (NP (NNS Dogs)) (VP (VBD ran) (. .)) (VP (VBD sat)) (. .))",
    "(S (NP (NNS Dogs)) (VP (VBD ran) (. .)))",
]


@pytest.mark.parametrize("text", LEFT_OUT)
def test_other_sentences_give_no_productions(text: str) -> None:
    """A sentence has no productions if it lacks a final stop, starts with a number, or has a stop inside."""
    assert count_productions([read_brackets(text)]).productions == {}
    with pytest.raises(CorpusError, match="no tree of a sentence"):
        GrammarSampler([read_brackets(text)])


def test_words_are_added_for_tags_of_the_trees() -> None:
    """Tagged sentences add words only for tags that occur in trees."""
    more = [TaggedToken("old", True, "NN"), TaggedToken("x", False, "UH"), TaggedToken(".", False, ".")]
    grammar = count_productions(trees(), [more])
    assert grammar.words["NN"] == {"dog": 2, "cat": 1, "old": 1}
    assert "UH" not in grammar.words
    assert "." not in grammar.words


def enumerated(grammar: ProductionGrammar, length: int) -> dict[tuple[str, ...], float]:
    """Return all strings of tags of a length, each with the sum of its trees' probabilities."""

    @cache
    def under(symbol: str, n: int) -> dict[tuple[str, ...], float]:
        if is_tag(symbol):
            return {(symbol,): 1.0} if n == 1 else {}
        probabilities: defaultdict[tuple[str, ...], float] = defaultdict(float)
        for production, share in grammar.productions[symbol].items():
            for tags, p in rest(production, n):
                probabilities[tags] += share * p
        return probabilities

    def rest(symbols: tuple[str, ...], n: int) -> Iterator[tuple[tuple[str, ...], float]]:
        if len(symbols) == 1:
            yield from under(symbols[0], n).items()
            return
        for size in range(1, n - len(symbols) + 2):
            for first, p in under(symbols[0], size).items():
                for behind, q in rest(symbols[1:], n - size):
                    yield first + behind, p * q

    return dict(under(TOP, length))


@pytest.mark.parametrize("length", [5, 7, 8])
def test_leaves_have_the_probabilities_of_the_grammar(length: int) -> None:
    """Inside sums equal sums over all trees, and shares of 3,000 draws approximate them."""
    grammar = count_productions(trees())
    wanted = enumerated(grammar, length)
    total = sum(wanted.values())
    leaves = TreeLeaves(grammar, length)
    assert leaves.inside[leaves.symbols[TOP], length] == pytest.approx(total)
    counts = Counter(tuple(leaves.draw(random.Random(f"{i}"))) for i in range(3000))
    assert set(counts) <= set(wanted)
    for tags, share in wanted.items():
        assert counts[tags] / 3000 == pytest.approx(share / total, abs=0.03)


def test_a_length_that_no_tree_has_is_an_error() -> None:
    """The smallest sentence of this grammar has two words and a stop."""
    with pytest.raises(CorpusError, match="no tree of 2 words"):
        GrammarSampler(trees(), length=2)
