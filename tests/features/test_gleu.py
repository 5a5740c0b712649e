"""The GLEU group: normalised parts, and the distance from a chosen hyperplane."""

from __future__ import annotations

import math

import numpy as np
import pytest

from naturalness.features import APART, EVERY, GROUPS, link, resolve
from naturalness.metrics import gleu
from naturalness.metrics.gleu import Fitted, Hyperplane
from naturalness.models.parsers.link import LinkedSentence
from naturalness.text.parsing import parse

PARTS = ("fragments", "parse", "structure")
CHOSEN = Fitted(0.5, -20.0, {}, {"three": Hyperplane(PARTS, (0.5, 0.5, 0.0), (0.25, 0.25, 0.5), (-2.0, 1.0, 2.0), 1.5)})
# Measured 0.25, -5, 0.25: normalised 0.5, 0.75, 0.25; standard 0, 1, 0.5; 1.5 + 1 + 1 over 3.
VALUES = {"gleu": {"fragments": 0.5, "parse": 0.75, "structure": 0.25, "score": 3.5 / 3}}
"""For tests/features/test_values.py, which asks whether every feature has a value somewhere."""


@pytest.fixture
def chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Return the same parts for every text, and a plane with small numbers."""
    monkeypatch.setattr(gleu, "fitted", lambda variant: CHOSEN)
    rows = np.array([[0.25, -5.0, 0.25]])
    monkeypatch.setattr(gleu, "measure_parts", lambda docs, names: np.repeat(rows, len(docs), axis=0))


@pytest.mark.usefixtures("chosen")
def test_values_are_those_worked_out_by_hand() -> None:
    """The parts and the score of each text."""
    group = GROUPS["gleu"]
    names = [feature.name for feature in group.features]
    table = group.extract(parse(["One.", "Two."]))
    assert table.shape == (2, 4)
    assert dict(zip(names, table[1], strict=True)) == pytest.approx(VALUES["gleu"])


def test_the_five_parts_are_apart() -> None:
    """The group of the parts is named like the metric's parts, and is not measured by default."""
    names = [feature.name for feature in APART["gleu_link"].features]
    assert names == [*PARTS, "nulls", "invalid", "score"]
    assert resolve(["gleu_link"])[0] is APART["gleu_link"]
    assert "gleu_link" not in {group.name for group in resolve()}


def test_a_text_that_cannot_be_parsed_has_a_gap() -> None:
    """Its values are undefined, for the reason that constituency gives."""
    group = GROUPS["gleu"]
    docs = parse(["word " * 300, "A dog barked."])
    table = group.extract(docs)
    assert math.isnan(table[0, -1]) and not np.isnan(table[1]).any()
    long, short = group.gaps(docs)  # type: ignore[attr-defined]
    assert "tokens" in long and short == ""


def test_link_grammars_gaps_are_told_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Link Grammar's limit is lower than constituency's; the group without parts still has values."""
    late = [LinkedSentence(0, 80, problem="a sentence that is late")]
    monkeypatch.setattr(link, "parsed", lambda docs: [late, []])
    docs = parse(["word " * 80, ""])
    reasons = {name: EVERY[name].gaps(docs) for name in ("gleu", "gleu_link")}  # type: ignore[attr-defined]
    assert reasons == {"gleu": ["", ""], "gleu_link": ["a sentence that is late", ""]}
