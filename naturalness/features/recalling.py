"""Measure texts with a store, parsing and measuring only texts that are not stored yet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.features import extract, feature_names, gaps
from naturalness.features.base import FeatureGroup, Measured, needs_parse
from naturalness.features.keys import group_key
from naturalness.features.selected import SelectedFeatures, whole_of
from naturalness.files.store import MeasurementStore, Note, StoredRows, text_key
from naturalness.text.parsing import read_docs, short_memory, unusable

AT_ONCE = 1024
"""The number of texts after which features are stored; a process that is killed loses at most that many."""


class _Block:
    """The columns of one group, with a row for each distinct text; rows are filled in as they become known."""

    def __init__(self, group: FeatureGroup, store: MeasurementStore, nlp: str, positions: Mapping[bytes, int]) -> None:
        whole = whole_of(group)
        # The whole group is stored, unless only the columns that are not selected need a parse.
        self.group = whole if needs_parse(group) or not needs_parse(whole) else group
        self.columns: Any = slice(None)
        if isinstance(group, SelectedFeatures) and self.group is whole:
            self.columns = group.positions
        self.key, self.store = group_key(self.group, nlp), store
        n = len(positions)
        self.rows = StoredRows(list(positions), np.full((n, len(feature_names(self.group))), np.nan), [("", "")] * n)
        self.known = np.zeros(n, dtype=np.bool_)
        self.fresh: list[int] = []
        """The indices of measured rows that are not stored yet."""
        if self.key is not None:
            stored = store.read(self.key, positions)
            self._put([positions[key] for key in stored.keys], stored.table, stored.notes)

    def _put(self, indices: Sequence[int], table: FloatArray, notes: Iterable[Note]) -> None:
        """Fill in rows that are now known."""
        self.rows.table[indices] = table
        for i, note in zip(indices, notes, strict=True):
            self.rows.notes[i] = note
        self.known[indices] = True

    def measure(self, indices: Sequence[int], docs: Sequence[Any]) -> None:
        """Measure those Docs of a batch whose rows are still unknown."""
        new = [i for i in indices if not self.known[i]]
        if new:
            some = [doc for i, doc in zip(indices, docs, strict=True) if not self.known[i]]
            table = extract(some, [self.group])
            self._put(new, table, zip(map(unusable, some), gaps(some, [self.group]), strict=True))
            self.fresh += new

    def keep(self) -> None:
        """Store the newly measured rows, except those that lack values because a program was busy or had died."""
        steady = all(need.steady for need in self.group.requires)
        lasting = [i for i in self.fresh if steady or not self.rows.notes[i][1]]
        if self.key is not None:
            self.store.write(self.key, self.rows.part(lasting))
        self.fresh = []


def recall(
    texts: Sequence[str],
    groups: Sequence[FeatureGroup],
    store: MeasurementStore,
    *,
    nlp: str,
    batch_size: int = 64,
    advance: Callable[[int], object] = lambda done: None,
) -> Measured:
    """Return the features of texts for one or more groups, measuring each distinct text at most once."""
    positions: dict[bytes, int] = {}
    index_of = [positions.setdefault(text_key(text), len(positions)) for text in texts]
    distinct = dict(zip(index_of, texts, strict=True))
    blocks = [_Block(group, store, nlp, positions) for group in groups]
    known = np.all([block.known for block in blocks], axis=0)
    often = np.bincount(index_of, minlength=len(positions))
    done = n_known = int(often[known].sum())
    if n_known:
        advance(n_known)
    unknown = np.flatnonzero(~known).tolist()
    try:
        for start in range(0, len(unknown), batch_size):
            batch = unknown[start : start + batch_size]
            _measure(blocks, batch, [distinct[i] for i in batch], nlp)
            done += int(often[batch].sum())
            advance(done)
            if max(len(block.fresh) for block in blocks) >= AT_ONCE:
                _keep(blocks)
    finally:
        _keep(blocks)  # store rows even if the run is interrupted
    return Measured(
        np.hstack([block.rows.table[:, block.columns] for block in blocks])[index_of],
        [blocks[0].rows.notes[i][0] for i in index_of],
        [next((gap for b in blocks if (gap := b.rows.notes[i][1])), "") for i in index_of],
        n_known,
    )


def _measure(blocks: Sequence[_Block], indices: list[int], texts: list[str], nlp: str) -> None:
    """Parse or tokenise texts, and measure each with the groups that lack a row for it; the Docs are not kept."""
    with short_memory(nlp=nlp):
        new = [block.group for block in blocks if not block.known[indices].all()]
        docs = read_docs(texts, nlp=nlp, parsed=any(map(needs_parse, new)))
        for block in blocks:
            block.measure(indices, docs)
        del docs


def _keep(blocks: Sequence[_Block]) -> None:
    for block in blocks:
        block.keep()
