"""Measure the features of texts or Docs; with a store, measure only texts that are not stored yet."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.errors import PipelineError, excerpt
from naturalness.features import DEFAULT, check_requirements, column_names, extract, feature_names, gaps, resolve
from naturalness.features.base import FeatureGroup, Measured, needs_parse
from naturalness.features.selected import SelectedFeatures, whole_of
from naturalness.files.store import MeasurementStore, Note, StoredRows, text_key
from naturalness.text.parsing import pipeline_language, read_docs, restored_user_data, short_memory, unusable

if TYPE_CHECKING:
    from spacy.tokens import Doc

UNPARSED = 256
"""The minimum batch size without a parse. It is large because networks run faster on many texts of equal length."""
AT_ONCE = 1024
"""The number of texts after which features are stored; a process that is killed loses at most that many."""
ANNOTATION: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("pos", "lexical", "repetition"), ("POS",)),
    **dict.fromkeys(("tag_lm", "constituency", "parser", "gleu"), ("TAG",)),
    "dependency": ("POS", "DEP"),
    "rules": ("POS", "TAG", "DEP"),
}
"""The annotation of Docs that each group reads; without it, the group would measure zeros."""
Groups = TypeVar("Groups", bound=Sequence[str | FeatureGroup])


def groups_for(features: Groups | None) -> Groups | list[str]:
    """Return the groups that a model is trained on: those in ``features`` or, if it is None, the default model's."""
    return list(DEFAULT) if features is None else features


def measure(
    items: Sequence[str] | Sequence[Doc],
    features: Sequence[str | FeatureGroup] | None,
    *,
    nlp: str,
    batch_size: int = 64,
    advance: Callable[[int], object] = lambda done: None,
    store: MeasurementStore | None = None,
) -> Measured:
    """Return the features of texts or Docs; the row of a text that cannot be judged contains only NaN.

    Each distinct text is measured once. Texts are parsed in batches of ``batch_size``; if no group needs a parse, they
    are read in batches of at least `UNPARSED`. ``advance`` is called with the number of texts done. If a ``store`` is
    given, features of texts (but not of Docs) are read from it, and those that it lacks are measured and added.
    """
    groups = resolve(features)
    first = items[0] if items else ""
    language = pipeline_language(nlp) if isinstance(first, str) else first.lang_
    check_requirements(groups, language=language)
    if not items or not groups:
        nothing = np.empty((len(items), len(column_names(groups))))
        return Measured(nothing, [""] * len(items), [""] * len(items))
    if not isinstance(items[0], str):
        docs = list(items)
        with restored_user_data(docs):
            return measure_docs(docs, groups)
    size = batch_size if any(map(needs_parse, groups)) else max(batch_size, UNPARSED)
    return _measure_texts(items, groups, store, nlp, size, advance)


def measure_docs(docs: list[Doc], groups: Sequence[FeatureGroup]) -> Measured:
    """Return the features of Docs; the row of a Doc that cannot be judged contains only NaN."""
    reasons = list(map(unusable, docs))
    check_annotation([doc for doc, reason in zip(docs, reasons, strict=True) if not reason], groups)
    return Measured(_judgeable(extract(docs, groups), reasons), reasons, gaps(docs, groups))


def check_annotation(docs: Sequence[Doc], groups: Sequence[FeatureGroup]) -> None:
    """Raise `PipelineError` if a Doc lacks annotation that a group reads."""
    for group in filter(needs_parse, groups):
        needed = ANNOTATION.get(group.name.partition(":")[0], ())
        for doc in docs:
            if lacking := [name for name in needed if not doc.has_annotation(name)]:
                raise PipelineError(
                    f"the Doc {excerpt(doc.text)} has no {' and no '.join(lacking)}, which group {group.name!r} reads; "
                    "parse it with a pipeline that sets them, or give the text"
                )


def _judgeable(table: FloatArray, reasons: Sequence[str]) -> FloatArray:
    """Fill the rows that cannot be judged with NaN, in place, and return the table."""
    table[list(map(bool, reasons))] = np.nan
    return table


class _Block:
    """The columns of one group, with a row for each distinct text; rows are filled in as they become known."""

    def __init__(
        self, group: FeatureGroup, store: MeasurementStore | None, nlp: str, positions: Mapping[bytes, int]
    ) -> None:
        whole = whole_of(group)
        # The whole group is stored, unless only the columns that are not selected need a parse.
        self.group = whole if needs_parse(group) or not needs_parse(whole) else group
        self.columns: Any = slice(None)
        if isinstance(group, SelectedFeatures) and self.group is whole:
            self.columns = group.positions
        n = len(positions)
        self.rows = StoredRows(list(positions), np.full((n, len(feature_names(self.group))), np.nan), [("", "")] * n)
        self.known = np.zeros(n, dtype=np.bool_)
        self.fresh: list[int] = []
        """The indices of measured rows that are not stored yet."""
        self.store, self.key = store, None
        if store is not None:
            # Imported here, so that scoring starts faster.
            from naturalness.features.keys import group_key

            self.key = group_key(self.group, nlp)
        if store is not None and self.key is not None:
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
        """Store the newly measured rows, except those that lack values, since a program may have been busy."""
        lasting = [i for i in self.fresh if not self.rows.notes[i][1]]
        if self.store is not None and self.key is not None:
            self.store.write(self.key, self.rows.part(lasting))
        self.fresh = []


def _measure_texts(
    texts: Sequence[str],
    groups: Sequence[FeatureGroup],
    store: MeasurementStore | None,
    nlp: str,
    size: int,
    advance: Callable[[int], object],
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
        for start in range(0, len(unknown), size):
            batch = unknown[start : start + size]
            _measure_batch(blocks, batch, [distinct[i] for i in batch], nlp)
            done += int(often[batch].sum())
            advance(done)
            if max(len(block.fresh) for block in blocks) >= AT_ONCE:
                _keep(blocks)
    finally:
        _keep(blocks)  # store rows even if the run is interrupted
    reasons = [blocks[0].rows.notes[i][0] for i in index_of]
    return Measured(
        _judgeable(np.hstack([block.rows.table[:, block.columns] for block in blocks])[index_of], reasons),
        reasons,
        [next((gap for b in blocks if (gap := b.rows.notes[i][1])), "") for i in index_of],
        n_known,
    )


def _measure_batch(blocks: Sequence[_Block], indices: list[int], texts: list[str], nlp: str) -> None:
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


def columns_hash(columns: Iterable[str]) -> str:
    """Return a checksum of column names and their order."""
    return hashlib.sha256("\n".join(columns).encode("utf-8", "surrogatepass")).hexdigest()[:16]
