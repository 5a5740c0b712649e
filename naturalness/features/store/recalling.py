"""Measure texts with a feature store, parsing and measuring only texts that are not stored yet."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from naturalness.arrays import BoolArray, FloatArray
from naturalness.features import extract, feature_names, gaps
from naturalness.features.base import FeatureGroup, Measured, needs_parse
from naturalness.features.selected import SelectedFeatures, whole_of
from naturalness.features.store.keys import GroupKey, group_key, text_key
from naturalness.features.store.segments import Rows
from naturalness.text.parsing import read_docs, short_memory, unusable

if TYPE_CHECKING:
    from naturalness.features.store.folder import FeatureStore

AT_ONCE = 1024
"""The number of texts after which features are stored; a process that is killed loses at most that many."""


class _Block:
    """The columns of one group, with a row for each distinct text; rows are filled in as they become known."""

    def __init__(self, group: FeatureGroup, key: GroupKey | None, n: int) -> None:
        self.group, self.key = group, key
        self.table = np.full((n, len(feature_names(group))), np.nan)
        self.reasons, self.gaps = [""] * n, [""] * n
        self.known = np.zeros(n, dtype=np.bool_)
        self.fresh: list[int] = []
        """The indices of measured rows that are not stored yet."""

    def put(self, indices: Sequence[int], rows: FloatArray, why: list[str], gap: list[str]) -> None:
        """Fill in rows that are now known."""
        self.table[indices] = rows
        for i, reason, hole in zip(indices, why, gap, strict=True):
            self.reasons[i], self.gaps[i] = reason, hole
        self.known[indices] = True

    def measure(self, indices: Sequence[int], docs: Sequence[Any]) -> None:
        """Measure those Docs of a batch whose rows are still unknown."""
        new = [i for i, index in enumerate(indices) if not self.known[index]]
        if new:
            some, where = [docs[i] for i in new], [indices[i] for i in new]
            why = [unusable(doc) for doc in some]
            self.put(where, extract(some, [self.group]), why, gaps(some, [self.group]))
            self.fresh += where

    def keep(self, store: FeatureStore, keys: list[bytes]) -> None:
        """Store the newly measured rows."""
        if self.key is not None and self.fresh:
            rows = Rows(keys, self.table, self.reasons, self.gaps)
            store.write(self.key, rows.part([i for i in self.fresh if self._lasts(i)]))
        self.fresh = []

    def _lasts(self, i: int) -> bool:
        """Return whether a row is reproducible; it is not if an external program was busy or had died."""
        return not self.gaps[i] or all(need.steady for need in self.group.requires)


def recall(
    texts: Sequence[str],
    groups: Sequence[FeatureGroup],
    store: FeatureStore,
    *,
    nlp: str,
    batch_size: int = 64,
    advance: Callable[[int], None] = lambda done: None,
) -> Measured:
    """Return the features of texts for one or more groups, measuring each distinct text at most once."""
    indices: dict[bytes, int] = {}
    index_of = [indices.setdefault(text_key(text), len(indices)) for text in texts]
    distinct = dict(zip(index_of, texts, strict=True))
    blocks = [_recalled(_stored(group), store, indices, nlp) for group in groups]
    known: BoolArray = np.all([block.known for block in blocks], axis=0)
    often = np.bincount(index_of, minlength=len(indices))
    done = n_known = int(often[known].sum())
    if n_known:
        advance(n_known)
    unknown, keys = np.flatnonzero(~known).tolist(), list(indices)
    try:
        for start in range(0, len(unknown), batch_size):
            batch = unknown[start : start + batch_size]
            _measure(blocks, batch, [distinct[i] for i in batch], nlp)
            done += int(often[batch].sum())
            advance(done)
            if max(len(block.fresh) for block in blocks) >= AT_ONCE:
                _keep(blocks, store, keys)
    finally:
        _keep(blocks, store, keys)  # store rows even if the run is interrupted
    return Measured(
        np.hstack([*map(_wanted, groups, blocks)])[index_of],
        [blocks[0].reasons[i] for i in index_of],
        [next((b.gaps[i] for b in blocks if b.gaps[i]), "") for i in index_of],
        n_known,
    )


def _stored(group: FeatureGroup) -> FeatureGroup:
    """Return the group to store: the whole group, or the selected columns if only the other columns need a parse."""
    return whole_of(group) if needs_parse(group) or not needs_parse(whole_of(group)) else group


def _wanted(group: FeatureGroup, block: _Block) -> FloatArray:
    """Return the requested columns of a group."""
    if isinstance(group, SelectedFeatures) and block.group != group:
        return block.table[:, group.positions]
    return block.table


def _measure(blocks: Sequence[_Block], indices: list[int], texts: list[str], nlp: str) -> None:
    """Parse or tokenise texts, and measure each with the groups that lack a row for it; the Docs are not kept."""
    with short_memory(nlp=nlp):
        new = [block.group for block in blocks if not block.known[indices].all()]
        docs = read_docs(texts, nlp=nlp, parsed=any(map(needs_parse, new)))
        for block in blocks:
            block.measure(indices, docs)
        del docs


def _recalled(group: FeatureGroup, store: FeatureStore, indices: Mapping[bytes, int], nlp: str) -> _Block:
    """Return a block for a group, filled with the rows that the store contains."""
    block = _Block(group, group_key(group, nlp), len(indices))
    if block.key is not None:
        rows = store.read(block.key, indices)
        block.put([indices[key] for key in rows.keys], rows.table, rows.reasons, rows.gaps)
    return block


def _keep(blocks: Sequence[_Block], store: FeatureStore, keys: list[bytes]) -> None:
    for block in blocks:
        block.keep(store, keys)
