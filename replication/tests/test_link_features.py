"""The link group on chosen figures, with values calculated by hand and without the C library."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from spacy.tokens import Doc

from naturalness.features.base import FeatureGroup, WithGaps, feature_names, stack
from naturalness.text.parsing import parse
from naturalness_replication import link_features as module
from naturalness_replication.link import LinkedSentence
from naturalness_replication.link_features import LinkFeatures, row

WHOLE = LinkedSentence(
    0,
    6,
    nulls=0,
    linkages=99,
    valid=30,
    violating=10,
    disjunct_cost=1.0,
    link_cost=12.0,
    link_length_mean=1.5,
    link_length_max=4.0,
)
BROKEN = LinkedSentence(6, 10, nulls=3, linkages=9, valid=0, violating=9, disjunct_cost=2.5, link_cost=3.0)
LATE = LinkedSentence(10, 15, problem="a sentence that is late")
VALUES = {
    "link": {
        "null_count": 3,
        "null_count_word": 3 / 10,
        "complete": 0,
        "linkages_log": (2 + 1) / 2,
        "invalid_share": (10 / 40 + 1) / 2,
        "disjunct_cost": 1.75,
        "disjunct_cost_word": 3.5 / 10,
        "link_cost": 7.5,
        "link_cost_word": 1.5,
        "link_length_mean": 1.5,
        "link_length_max": 4,
    }
}
"""The values of both sentences together."""


def named(*sentences: LinkedSentence) -> dict[str, float]:
    """Return the values of a text by name."""
    names = [feature.name for feature in LinkFeatures.features]
    return dict(zip(names, stack([row(sentences)], len(names))[0], strict=True))


def test_values_by_hand() -> None:
    """Values are shares of the whole text or means over sentences, as the table of features states."""
    assert named(WHOLE, BROKEN) == pytest.approx(VALUES["link"])


def test_a_text_is_complete_if_all_its_sentences_are() -> None:
    """A text is complete if each sentence has a valid linkage without nulls."""
    assert named(WHOLE)["complete"] == 1
    assert named(WHOLE, WHOLE)["complete"] == 1
    assert named(replace(WHOLE, valid=0))["complete"] == 0
    assert named(WHOLE, replace(WHOLE, nulls=1))["complete"] == 0


@pytest.mark.parametrize("sentences", [(), (LATE,), (WHOLE, LATE)])
def test_undefined_is_nan(sentences: tuple[LinkedSentence, ...]) -> None:
    """A text without words, or with a sentence without figures, is undefined throughout."""
    assert row(sentences) is None


def test_gaps_say_why(monkeypatch: pytest.MonkeyPatch) -> None:
    """The gap is the first problem of a text; empty if it has values or no words."""
    chosen = [[WHOLE], [WHOLE, LATE], []]
    monkeypatch.setattr(module, "parsed", lambda docs: chosen[: len(docs)])
    docs: list[Doc] = parse(["One.", "Two.", ""])
    group = LinkFeatures()
    assert group.gaps(docs) == ["", "a sentence that is late", ""]
    table = group.extract(docs)
    assert table.shape == (3, len(LinkFeatures.features))
    assert np.isnan(table[1:]).all()
    assert group.extract([]).shape == (0, len(LinkFeatures.features))


def test_the_group_matches_its_table() -> None:
    """The group has the columns of its table, and needs Link Grammar."""
    group = LinkFeatures()
    assert isinstance(group, FeatureGroup) and isinstance(group, WithGaps)
    assert set(VALUES["link"]) == {feature.name for feature in group.features}
    assert feature_names(group)[0] == "link__null_count"
    assert "link-grammar" in [need.name for need in group.requires]
