"""Labels, and examples as a careless typist would have written them."""

from __future__ import annotations

import random

import pytest

from naturalness.models.parsers.tree import Span, read_brackets
from training.constituency.examples import blurred, example, known_label

TREE = "(S (NP (NNP Ann)) (VP (VBD slept)) (. .))"
SENTENCE = example(*read_brackets(TREE), 1)


class Dice(random.Random):
    """Says what it was told to."""

    def __init__(self, *thrown: float) -> None:
        super().__init__()
        self.thrown = list(thrown)

    def random(self) -> float:
        return self.thrown.pop(0)


@pytest.mark.parametrize(
    ("label", "expected"), [("S", 0), ("S+VP", 2), ("S+VP+NP", 2), ("S+NP+NP", 0), ("VP+S+VP", 1), ("S+X", 0)]
)
def test_rare_chains_are_cut_from_inside(label: str, expected: int) -> None:
    """Down to the longest beginning that is known."""
    assert known_label(label, {"S": 0, "VP": 1, "S+VP": 2}) == expected


def test_lower_case() -> None:
    """In one of five; the spans stay."""
    assert blurred(SENTENCE, Dice(0.19, 0.9)).words == ["ann", "slept", "."]
    assert blurred(SENTENCE, Dice(0.2, 0.9)) == SENTENCE


def test_without_the_final_mark() -> None:
    """In three of twenty; the spans that held it end before it."""
    cut = blurred(SENTENCE, Dice(0.9, 0.14))
    assert (cut.words, cut.tags, cut.style) == (["Ann", "slept"], ["NNP", "VBD"], 1)
    assert cut.spans == [Span(0, 2, "S"), Span(0, 1, "NP"), Span(1, 2, "VP")]
    assert blurred(SENTENCE, Dice(0.9, 0.15)) == SENTENCE


@pytest.mark.parametrize(
    "tree",
    [
        "(S (VP (VB Sleep) (ADVP (RB now))) (. .))",  # two spans would be over the same words
        "(S (VP (VB Sleep)) (. .))",
        "(S (NP (NNP Ann)) (VP (VBD slept)) (ADVP (RB now)))",
    ],
)
def test_a_mark_that_stays(tree: str) -> None:
    """Where a span would be there twice, a word alone would remain, or there is no mark."""
    sentence = example(*read_brackets(tree), 0)
    assert blurred(sentence, Dice(0.9, 0.0)) == sentence
