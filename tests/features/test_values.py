"""Hand-worked values of every feature."""

from __future__ import annotations

import pytest

from naturalness.english.wordlist import WordList
from naturalness.features import GROUPS
from naturalness.features.base import FeatureGroup
from naturalness.features.readability import measure as measure_readability
from naturalness.features.typing import TYPING
from naturalness.text.parsing import read_docs
from naturalness.text.view import view
from tests.features import test_detector, test_gleu, test_language, test_neural, test_rules
from tests.support.documents import DOCUMENTS, TEXTS, Build
from tests.support.values import VALUES

WORDS = WordList({"the": 1_000_000, "cat": 10_000, "received": 50_000, "bananas": 1_000}, 1_000_000_000)

CASES = [(group, text) for group, texts in VALUES.items() for text in texts if text in DOCUMENTS | TEXTS]


def measured(group: FeatureGroup, text: str, build: Build) -> dict[str, float]:
    """Return the values of a document by feature name."""
    if group.name == "typing":
        row = TYPING.extract(read_docs([TEXTS[text]], parsed=False))[0]
    elif group.name == "readability":
        row = measure_readability(view(build(DOCUMENTS[text])), WORDS)
    else:
        row = tuple(group.extract([build(DOCUMENTS[text])])[0])
    return dict(zip([feature.name for feature in group.features], row, strict=True))


@pytest.mark.parametrize(("group", "text"), CASES)
def test_values_by_hand(group: str, text: str, build: Build) -> None:
    """Each value equals the one in the table."""
    actual = measured(GROUPS[group], text, build)
    expected = VALUES[group][text]
    assert {name: actual[name] for name in expected} == pytest.approx(expected, rel=1e-5, nan_ok=True)


@pytest.mark.parametrize("group", GROUPS)
def test_every_feature_has_a_hand_worked_value(group: str) -> None:
    """Every feature has a defined value that was calculated by hand."""
    modules = (test_language, test_rules, test_gleu, test_detector, test_neural)
    rows = [*VALUES.get(group, {}).values(), *(module.VALUES.get(group, {}) for module in modules)]
    covered = {name for values in rows for name, value in values.items() if value == value}
    assert covered == {feature.name for feature in GROUPS[group].features}
