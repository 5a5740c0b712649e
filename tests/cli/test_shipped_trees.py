"""The shipped parser and grammar from the command line: the trees shown are those measured."""

from __future__ import annotations

import json
import math

import pytest

from naturalness.cli import run

TEXTS = ["The old man gave his book to the girl.", "i saw john in london yesterday"]
Captured = pytest.CaptureFixture[str]


def output(arguments: list[str], capfd: Captured) -> list[dict[str, object]]:
    """What a command prints as JSON."""
    assert run([*arguments, *TEXTS, "--format", "json"]) == 0
    rows: list[dict[str, object]] = json.loads(capfd.readouterr().out)
    return rows


def test_what_is_shown_is_what_is_measured(capfd: Captured) -> None:
    """Both probabilities of the best tree, of a text without capitals too."""
    shown = output(["trees", "--trees", "50"], capfd)
    measured = output(["features", "--features", "constituency"], capfd)
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
    plain = output(["trees", "--trees", "1"], capfd)[0]
    (sentence,) = plain["sentences"]  # type: ignore[misc]
    assert sentence["trees"][0]["brackets"] == (
        "(S (NP (DT The) (JJ old) (NN man)) (VP (VBD gave) (NP (PRP$ his) (NN book)) "
        "(PP (IN to) (NP (DT the) (NN girl)))) (. .))"
    )
