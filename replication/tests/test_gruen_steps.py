"""The steps of GRUEN's ablation, and likelihoods that hide words."""

from __future__ import annotations

import math

import pytest

from naturalness.metrics.gruen.judges import NetworkLikelihood
from naturalness.metrics.gruen.parts import NOTHING, GruenParts
from naturalness.models.language.shipped import neural
from naturalness.text.parsing import parse
from naturalness_replication.gruen import MASKED, PAPERS, SINGLE_WORD, sum_of
from naturalness_replication.pseudo import pseudo

STEPS = ("", "u", "ur", "urn")


def test_each_step_subtracts_its_part() -> None:
    """Grammaticality is .7; a violation of focus costs .1, two of redundancy .2, half a nat .05."""
    parts = GruenParts((0.6,), (0.8,), repeated=2, unrelated=1, disorder=0.5)
    assert [sum_of(parts, steps) for steps in STEPS] == pytest.approx([0.7, 0.6, 0.4, 0.35])
    assert sum_of(parts, "urn") == pytest.approx(parts.total)
    assert all(math.isnan(sum_of(NOTHING, steps)) for steps in STEPS)


def test_the_sum_of_the_paper_by_hand() -> None:
    """The paper takes the mean .5 of sentences of .7 and .3, less two violations and the whole loss of .2."""
    parts = GruenParts((0.6, 0.4), (0.8, 0.2), repeated=1, unrelated=1, disorder=0.2)
    assert sum_of(parts, "urn", PAPERS) == pytest.approx(0.1)


@pytest.mark.parametrize("reading", [MASKED, SINGLE_WORD])
def test_a_number_for_each_sentence(reading: NetworkLikelihood) -> None:
    """A sentence's likelihood does not depend on its neighbours; a text without words has no values."""
    texts = ["She put the letter on the table. Then she went out.", "Then she went out.", "?!", "Out went then she."]
    both, second, marks, broken = reading.of(parse(texts))
    assert len(both) == 2 and len(second) == len(broken) == 1 and not len(marks)
    assert both[1] == second[0]
    assert 0 < broken[0] < second[0] < 1


def test_a_single_hidden_word_has_the_probability_of_the_paper() -> None:
    """The value is the paper's sum of ln p, scaled to 0..1; frequencies are not used."""
    docs = parse(["Then she went out."])
    (logs,) = pseudo(neural(), docs)
    assert SINGLE_WORD.of(docs)[0] == pytest.approx([math.exp(logs.mean())])
