"""Texts that passed a check, kept in a store between runs: hashes and scores, but no texts.

The key covers the model, its assets and rules, and all options that affect a verdict, so a stored verdict is never out
of date. But whoever writes to the store can hide flaws.
"""

from __future__ import annotations

import json

import numpy as np

from naturalness.checking.verdicts import JudgedText, SentenceJudge, SentenceVerdict
from naturalness.features.keys import store_key
from naturalness.files.store import MeasurementStore, StoredRows, text_key

COLUMNS = ("naturalness", "is_fragment")


class PassedTexts:
    """The verdicts of texts that passed with this judge.

    Nothing is stored for a model that was not opened from a folder, since no checksum covers it.
    """

    def __init__(self, store: MeasurementStore, judge: SentenceJudge) -> None:
        self.store, model = store, judge.model
        self._key = None
        if model.folder is not None:
            self._key = store_key(
                "check",
                len(COLUMNS),
                model.nlp,
                model=model.saved.checksum,
                needs=[(need.name, need.version()) for group in model.groups for need in group.requires],
                options=[judge.min_score, judge.register, judge.sure, judge.rules],
            )
        rows = store.read(self._key) if self._key else StoredRows([], np.empty((0, 2)), [])
        self._known = dict(zip(rows.keys, rows.table.tolist(), strict=True))
        self._new: dict[bytes, tuple[float, float]] = {}

    def get(self, unit: JudgedText) -> SentenceVerdict | None:
        """Return the verdict of a unit that passed; None if it is not stored."""
        entry = self._known.get(_unit_key(unit))
        return SentenceVerdict(entry[0], is_fragment=bool(entry[1])) if entry else None

    def put(self, unit: JudgedText, verdict: SentenceVerdict) -> None:
        """Add a verdict, unless it has an explanation, a reason to report, or fixes."""
        if verdict.explanation is None and not (verdict.reason or verdict.corrections):
            self._new[_unit_key(unit)] = verdict.naturalness, verdict.is_fragment

    def write(self) -> None:
        """Store the new verdicts."""
        if self._key and self._new:
            notes = [("", "")] * len(self._new)
            self.store.write(self._key, StoredRows([*self._new], np.array([*self._new.values()], np.float64), notes))


def _unit_key(unit: JudgedText) -> bytes:
    return text_key(json.dumps([unit.text, unit.accepted, unit.needs_clause]))
