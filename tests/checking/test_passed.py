"""Sentences that passed are stored, and nothing else."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

from naturalness.checking.passed import PassedTexts
from naturalness.checking.verdicts import JudgedText, SentenceJudge, SentenceVerdict
from naturalness.explaining.mending import Correction
from naturalness.files.store import MeasurementStore
from naturalness.pipelines.scorer import load_model
from tests.support.explained import BAD

FINE = JudgedText("It rained.")
FIX = Correction(0, 2, "This", 0.95, "replace", "wrong")


def test_only_texts_that_passed_are_stored(tmp_path: Path) -> None:
    """They keep their scores; flaws, reservations and texts with fixes are judged again, and no text is stored."""
    store, judge = MeasurementStore(tmp_path), SentenceJudge(load_model("fast"))
    passed = PassedTexts(store, judge)
    assert passed.get(FINE) is None
    passed.put(FINE, SentenceVerdict(0.75))
    passed.put(JudgedText("A list."), SentenceVerdict(0.1, is_fragment=True))
    passed.put(JudgedText("A list of names."), SentenceVerdict(math.nan, is_fragment=True))
    passed.put(JudgedText("He go."), SentenceVerdict(0.1, low=True, explanation=BAD))
    passed.put(JudgedText("1 2 3."), SentenceVerdict(math.nan, "no words"))
    passed.put(JudgedText("Thus it rained."), SentenceVerdict(0.75, corrections=(FIX,)))
    passed.write()
    again = PassedTexts(store, judge)
    assert again.get(FINE) == SentenceVerdict(0.75)
    assert again.get(JudgedText("A list.")) == SentenceVerdict(0.1, is_fragment=True)
    fragment = again.get(JudgedText("A list of names."))
    assert fragment is not None and fragment.is_fragment and math.isnan(fragment.naturalness)
    for text in ("He go.", "1 2 3.", "Thus it rained."):
        assert again.get(JudgedText(text)) is None
    assert again.get(JudgedText(FINE.text, ((0, 2),))) is again.get(JudgedText(FINE.text, needs_clause=True)) is None
    (segment,) = tmp_path.rglob("*.npz")
    assert b"rained" not in segment.read_bytes()


def test_other_conditions_find_nothing(tmp_path: Path) -> None:
    """A verdict counts only for its model and options; a model without a folder stores nothing."""
    store, judge = MeasurementStore(tmp_path), SentenceJudge(load_model("fast"))
    unsaved = load_model("fast")
    unsaved.folder = None
    for other in (judge, replace(judge, model=unsaved)):
        passed = PassedTexts(store, other)
        passed.put(FINE, SentenceVerdict(0.75))
        passed.write()
    assert PassedTexts(store, judge).get(FINE)
    for changed in (
        {"model": load_model("default")},
        {"model": unsaved},
        {"min_score": 0.4},
        {"register": "news"},
        {"rules": True},
        {"sure": 0.9},
    ):
        assert PassedTexts(store, replace(judge, **changed)).get(FINE) is None  # type: ignore[arg-type]
