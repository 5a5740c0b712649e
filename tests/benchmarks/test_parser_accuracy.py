"""The measures of a parse against a treebank."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.parser_accuracy import MEASURES, Annotated, count_matches, evaluate, gold_words
from training.treebanks import Sentence

DOGS = Sentence(
    words=["Dogs", "bark", "."],
    spaces=[True, False, False],
    lemmas=["dog", "bark", "."],
    upos=["NOUN", "VERB", "PUNCT"],
    xpos=["NNS", "VBP", "."],
    feats=["_"] * 3,
    heads=[1, 1, 1],
    deps=["nsubj", "root", "punct"],
)


def test_words_are_known_by_their_characters() -> None:
    """Words are aligned by their characters, ignoring white space; a root has no head."""
    words, bounds = gold_words([DOGS, DOGS])
    assert bounds == [(0, 9), (9, 18)]
    assert words[0] == Annotated((0, 4), "NNS", "NOUN", "dog", (4, 8), "nsubj")
    assert words[4].head is None


def test_the_gold_annotation_agrees_with_itself() -> None:
    """Scored against itself, the gold annotation is right for all words and all sentences."""
    gold = gold_words([DOGS])
    assert count_matches(gold, gold) == {name: 1 if name == "sentences" else 3 for name in MEASURES}


def test_a_wrong_head_costs_the_arc_alone() -> None:
    """A wrong head affects neither the score of tags nor that of lemmas."""
    words, bounds = gold_words([DOGS])
    wrong = [replace(words[0], head=(8, 9)), *words[1:]]
    hits = count_matches((words, bounds), (wrong, bounds))
    assert (hits["xpos"], hits["lemmas"], hits["uas"], hits["las"]) == (3, 3, 2, 2)


def test_the_shipped_pipeline_reads_a_plain_sentence() -> None:
    """The shipped pipeline makes no error on a simple sentence."""
    reads = Sentence(
        words=["She", "reads", "the", "book", "."],
        spaces=[True, True, True, False, False],
        lemmas=["she", "read", "the", "book", "."],
        upos=["PRON", "VERB", "DET", "NOUN", "PUNCT"],
        xpos=["PRP", "VBZ", "DT", "NN", "."],
        feats=["_"] * 5,
        heads=[1, 1, 3, 1, 1],
        deps=["nsubj", "root", "det", "obj", "punct"],
    )
    assert evaluate([reads], "en") == pytest.approx(dict.fromkeys(MEASURES, 100.0))
