"""Words and counts that the card shares with the terminal and the page."""

from __future__ import annotations

from naturalness.pipelines.card import columns_text, gap_note, recipe_text


def test_columns_that_a_model_reads() -> None:
    """Without marks of missing values; one is no plural."""
    assert columns_text({"n_columns": 12, "n_read": 11}) == "11 columns"
    assert columns_text({"n_columns": 2, "n_read": 1}) == "1 column"


def test_a_learner_is_named_once() -> None:
    """Where the recipe has its name already."""
    assert recipe_text({"recipe": "neighbours", "learner": "neighbours"}) == "neighbours"
    assert recipe_text({"recipe": "xgboost + elimination", "learner": "xgboost"}) == "xgboost + elimination"
    assert recipe_text({"recipe": "auto", "learner": "adapted"}) == "auto, adapted"


def test_a_count_of_splits_is_explained() -> None:
    """Where a figure is not defined in all splits, its cell has a count, and a line says what it is."""
    whole = {"accuracy": {"mean": 0.5, "deviation": 0.1, "defined": 3}, "runs": [{}, {}, {}]}
    part = {"accuracy": {"mean": 0.5, "deviation": 0.1, "defined": 2}, "runs": [{}, {}, {}]}
    assert gap_note({"learners": {"a": whole}, "baselines": {}}) == ""
    assert gap_note({"learners": {"a": whole}, "baselines": {"b": part}}).startswith(
        "(2/3): the figure is defined in 2 of 3 splits"
    )
