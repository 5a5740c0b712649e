"""How likely sentences are: by hand, and by the shipped models."""

from __future__ import annotations

import math

import numpy as np
import pytest

from naturalness.models.language.shipped import neural
from naturalness.models.metrics.gruen.likelihood import Alone, Causal, Likelihood, Masked, belongings
from naturalness.text.parsing import parse

TWO = "She put the letter on the table. Then she went out."
BROKEN = "She put letter the on the table. Then she went out."


def test_belongings_by_hand() -> None:
    """p / (p + u): .8 and .2 make .4; then .5 alone; without frequencies the mean of p."""
    logs, ends = np.log([0.4, 0.1, 0.3]), np.array([2, 3])
    found = belongings(logs, np.log([0.1, 0.4, 0.3]), ends)
    assert found == pytest.approx([math.sqrt(0.8 * 0.2), 0.5])
    assert belongings(logs, np.full(3, np.nan), ends) == pytest.approx([0.2, 0.3])
    assert len(belongings(np.empty(0), np.empty(0), np.empty(0, np.int64))) == 0


@pytest.mark.parametrize("reading", [Masked(), Alone(), Causal()])
def test_a_number_for_each_sentence(reading: Likelihood) -> None:
    """Of its own alone: what stands beside it changes nothing; no words, no number."""
    docs = parse([TWO, "Then she went out.", "", "?!", BROKEN])
    both, second, empty, marks, broken = reading.of(docs)
    assert len(both) == len(broken) == 2 and len(second) == 1
    assert len(empty) == len(marks) == 0
    assert both[1] == second[0] == broken[1]
    assert 0 < broken[0] < both[0] < 1


def test_alone_is_the_geometric_mean_of_p() -> None:
    """The paper's sum of ln p, brought to 0..1; frequencies have no part in it."""
    docs = parse(["Then she went out."])
    (logs,) = neural().pseudo(docs)
    assert Alone().of(docs)[0] == pytest.approx([math.exp(logs.mean())])
