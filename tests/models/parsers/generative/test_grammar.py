"""Probabilities of trees and words: values by hand, and sums of 1."""

from __future__ import annotations

import math
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naturalness.models.parsers.generative import Grammar
from naturalness.models.parsers.generative.grammar import (
    CAPITAL,
    CAPITALS,
    LOWER,
    MIXED,
    NONE,
    ROOT,
    STOP,
    decisions,
    shape,
)
from naturalness.models.parsers.tree import Node, read_brackets
from tests.support import toy_grammar
from tests.support.toy_grammar import NN, NP, SYMBOLS, VBP, VP, S

TREE = "(S (NP (NN Dogs)) (VP (VBP bark)))"


@pytest.fixture(scope="module")
def toy() -> Grammar:
    """Return the toy grammar."""
    return toy_grammar.grammar()


def test_decisions_of_a_tree() -> None:
    """Each decision is conditioned only on context to its left: label, siblings, parent, and the two previous tags."""
    root, _, _ = read_brackets("(S (NP (NN Dogs) (NN day)) (VP (VBP bark)))")
    events = set(decisions(root, [NN, NN, VBP], SYMBOLS))
    assert events == {
        (ROOT, NONE, NONE, NONE, NONE, NONE, S),
        (S, NONE, ROOT, NONE, NONE, NONE, NP),
        (NP, NONE, S, NONE, NONE, NONE, NN),
        (NP, NN, S, NONE, NN, NONE, NN),
        (NP, NN, S, NN, NN, NN, STOP),
        (S, NP, ROOT, NONE, NN, NN, VP),
        (VP, NONE, S, NONE, NN, NN, VBP),
        (VP, VBP, S, NONE, VBP, NN, STOP),
        (S, VP, ROOT, NP, VBP, NN, STOP),
    }


def test_by_hand(toy: Grammar) -> None:
    """The rules and words of the only training tree have the probabilities calculated by hand."""
    # Eight were counted, of six kinds; eight children are possible.
    low = (1 + 6 / 8) / 14
    stop = (3 + 6 / 8) / 14

    def after(count: int, weight: int, kinds: int, lower: float) -> float:
        return (count + kinds * lower) / (weight + kinds)

    root = after(1, 1, 1, after(1, 1, 1, low))  # seen with its label, and with that and no sibling
    of_three = after(1, 3, 3, low)
    rules = (
        root
        * after(1, 1, 1, of_three) ** 2  # NP first, VP after NP
        * after(1, 1, 1, after(1, 3, 3, stop))
        * after(1, 2, 2, low) ** 2  # NN in NP, VBP in VP: their siblings were not counted
        * after(1, 2, 2, stop) ** 2
    )
    capital, lower = (1 + 2 / 4) / 6, (3 + 2 / 4) / 6
    words = after(1, 1, 1, after(1, 2, 2, 0)) * capital * after(1, 1, 1, after(1, 2, 2, 0)) * lower
    parts = toy.parts(*read_brackets(TREE))
    assert parts.rules == pytest.approx(math.log(rules))
    assert parts.words == pytest.approx(math.log(words))
    assert parts.spelling == 0
    assert toy.logprob(*read_brackets(TREE)) == pytest.approx(math.log(rules * words))


def test_an_unknown_word_is_spelled(toy: Grammar) -> None:
    """The probability of an unknown word consists of those of an unknown form, of its letters and of its digits."""
    # BEGINNING and "a" were counted once each; the other letter and all others have the floor.
    beginning, other = (1 + 2 / 4) / 4, (0 + 2 / 4) / 4
    left = 1 / 2 * 2 / 4  # of NN, and of all forms
    for word, letters, digits in (("ab", beginning * other, 0), ("b7", other * other / 0x110000, 1)):
        parts = toy.parts(*read_brackets(f"(NP (NN {word}))"))
        assert parts.words == pytest.approx(math.log(left * (3 + 2 / 4) / 6))
        assert parts.spelling == pytest.approx(math.log(letters * beginning / 10**digits))


def test_children_sum_to_one(toy: Grammar) -> None:
    """In every context, the probabilities of labels, tags, STOP and both unknown symbols sum to 1."""
    numbers = range(SYMBOLS.size)
    children = [n for n in numbers if n not in (NONE, ROOT)]
    assert len(children) == SYMBOLS.children
    for label, last, parent in product(numbers, repeat=3):
        total = sum(math.exp(toy.rule((label, last, parent, NONE, NN, VBP, c))) for c in children)
        assert total == pytest.approx(1)


def test_words_sum_to_one(toy: Grammar) -> None:
    """Known forms with the rest of the mass, letters, and patterns of capitals each sum to 1."""
    model = toy.words
    for tag, label in product(range(SYMBOLS.size), repeat=2):
        counted = sum(model.counted.split((tag, label), form)[0] for form in range(len(model.forms)))
        assert counted + model.counted.split((tag, label), -1)[1] == pytest.approx(1)
    size = 2 + len(model.letters)
    letters = [model.spelled.prob((0, NN, 0), letter, 1 / size) for letter in range(size)]
    assert sum(letters) == pytest.approx(1)
    cases = [model.cased.prob((1, NN, 0), case, 1 / 4) for case in range(4)]
    assert sum(cases) == pytest.approx(1)


@pytest.mark.parametrize(
    ("word", "form", "case", "ways"),
    [
        ("dogs", "dogs", LOWER, 1),
        ("Dogs", "dogs", CAPITAL, 1),
        ("DOGS", "dogs", CAPITALS, 1),
        ("I", "i", CAPITAL, 1),
        ("dOgs", "dogs", MIXED, 2**4 - 3),
        ("oK", "ok", MIXED, 1),
        ("1984", "0000", LOWER, 10**4),
        ("B2", "b0", CAPITAL, 10),
        ("“", '"', LOWER, 1),
        ("``", '"', LOWER, 1),
        ("don’t", "don't", LOWER, 1),
        ("'Tis", "'tis", CAPITAL, 1),
        ("...", "...", LOWER, 1),
    ],
)
def test_shapes_of_words(word: str, form: str, case: int, ways: int) -> None:
    """Shapes state form and capitals, with the number of words that have both."""
    parts = shape(word)
    assert (parts.form, parts.case) == (form, case)
    assert math.exp(-parts.share) == pytest.approx(ways)


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(
    word=st.text(min_size=1).filter(str.strip),
    tag=st.sampled_from(["NN", "XX", "-LRB-", ""]),
    label=st.sampled_from(["NP", "QQQ", ""]),
)
def test_everything_has_a_probability(toy: Grammar, word: str, tag: str, label: str) -> None:
    """Any word, tag and label, even a very long word, has a finite log-probability below 0."""
    root = Node(label, 0, 2, (0, Node("NP", 1, 2, (1,))))
    for words in ([word, "bark"], [word * 500, word]):
        logprob = toy.logprob(root, words, [tag, "NN"])
        assert math.isfinite(logprob)
        assert logprob < 0


def test_too_few_words_or_tags_are_an_error(toy: Grammar) -> None:
    """Too few words or too few tags are an error."""
    root, words, tags = read_brackets(TREE)
    for n_words, n_tags in ((1, 2), (2, 1)):
        with pytest.raises(ValueError, match="expected as many of each"):
            toy.logprob(root, words[:n_words], tags[:n_tags])


def test_deep_trees(toy: Grammar) -> None:
    """A tree of five thousand nested nodes over one word causes no stack overflow."""
    node = Node("NP", 0, 1, (0,))
    for _ in range(5000):
        node = Node("S", 0, 1, (node,))
    assert math.isfinite(toy.logprob(node, ["dogs"], ["NN"]))
