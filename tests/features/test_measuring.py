"""The groups that a model is trained on."""

from __future__ import annotations

from naturalness.features import DEFAULT
from naturalness.features.measuring import groups_for


def test_named_groups_or_the_default_models() -> None:
    """Without named groups, a model is trained on those of the default model."""
    assert groups_for(None) == list(DEFAULT)
    assert groups_for(["surface"]) == ["surface"]
