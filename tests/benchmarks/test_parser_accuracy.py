"""Accuracy measures of a parse."""

from __future__ import annotations

import pytest

from benchmarks.parser_accuracy import MEASURES, count_matches, evaluate, gold_words
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


def test_the_gold_annotation_agrees_with_itself() -> None:
    """The gold annotation, scored against itself, has no errors."""
    gold = gold_words([DOGS])
    assert count_matches(gold, gold) == {name: 1 if name == "sentences" else 3 for name in MEASURES}


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
