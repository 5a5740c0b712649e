"""Verdicts of single texts."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import cast

import pytest

from naturalness.checking.verdicts import SentenceJudge, TextToJudge, sure_families
from naturalness.pipelines.scorer import NaturalnessModel
from naturalness.text.parsing import parse
from tests.support.explained import BAD, FINE, HandMade

LOW = ("A list of names.", "The list is short of name.", "He very happy.")
"""A fragment, and two sentences, one of them without a verb."""


def judge(*, rules: bool = False, **scores: float) -> SentenceJudge:
    """Return a judge for which the texts of `LOW` score low."""
    known = {**dict.fromkeys(LOW, 0.2), **scores}
    explained = [replace(BAD, text=text, naturalness=score, findings=()) for text, score in known.items()]
    return SentenceJudge(cast(NaturalnessModel, HandMade(explained)), rules=rules)


def test_texts_with_errors() -> None:
    """The verdict lists the families of rules that find a certain error."""
    texts = ["He go to school.", FINE, "I look forward to hear from you.", "1 2 3."]
    assert [*map(bool, sure_families(parse(texts)))] == [True, False, True, False]


@pytest.mark.parametrize("rules", [False, True])
def test_fragments_are_not_low(rules: bool) -> None:
    """A fragment is low only where a sentence is expected."""
    for needs_clause in (False, True):
        units = [TextToJudge(text, needs_clause=needs_clause) for text in LOW]
        verdicts = judge(rules=rules)(units)
        assert [verdict.low for verdict in verdicts] == [not needs_clause, True, True]
        assert [verdict.is_fragment for verdict in verdicts] == [needs_clause, False, False]
        assert [verdict.explanation is not None for verdict in verdicts] == [not needs_clause, True, True]
    both = judge(rules=rules)([TextToJudge(LOW[0]), TextToJudge(LOW[0], needs_clause=True)])
    assert [verdict.low for verdict in both] == [True, False]


@pytest.mark.parametrize("rules", [False, True])
def test_fragments_are_not_scored(rules: bool) -> None:
    """A fragment is scored only if a rule finds an error, it is judged elsewhere, or fixes are prepared."""
    alone, *sentences = judge(rules=rules)([TextToJudge(text, needs_clause=True) for text in LOW])
    assert math.isnan(alone.naturalness)
    assert [verdict.naturalness for verdict in sentences] == [0.2, 0.2]
    both = judge(rules=rules)([TextToJudge(LOW[0]), TextToJudge(LOW[0], needs_clause=True)])
    mended = replace(judge(rules=rules), sure=0.95)([TextToJudge(LOW[0], needs_clause=True)])
    wrong = judge(rules=True)([TextToJudge("A informations.", needs_clause=True)])
    assert [verdict.naturalness for verdict in (*both, *mended)] == [0.2, 0.2, 0.2]
    assert wrong[0].is_fragment and wrong[0].explanation is not None


def test_rules_judge_fragments_by_what_they_have() -> None:
    """Rules about missing parts do not apply to fragments."""
    text = "Is very important for the users."
    assert sure_families(parse([text])) == [{"fragments"}]
    verdicts = judge(rules=True)([TextToJudge(text), TextToJudge(text, needs_clause=True)])
    assert [verdict.explanation is not None for verdict in verdicts] == [True, False]
