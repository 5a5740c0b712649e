"""Measure the features of texts or Docs."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.features import DEFAULT, check_requirements, column_names, extract, gaps, resolve
from naturalness.features.base import FeatureGroup, Measured, needs_parse
from naturalness.text.parsing import pipeline_language, read_docs, short_memory, unusable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from spacy.tokens import Doc

    from naturalness.files.store import MeasurementStore

UNPARSED = 256
"""The minimum batch size without a parse. It is large because networks run faster on many texts of equal length."""
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

    Texts are parsed in batches of ``batch_size``; if no group needs a parse, they are read in batches of at least
    `UNPARSED`. ``advance`` is called with the number of texts done. If a ``store`` is given, features of texts (but
    not of Docs) are read from it, and those that it lacks are measured and added.
    """
    groups = resolve(features)
    first = items[0] if items else ""
    language = pipeline_language(nlp) if isinstance(first, str) else first.lang_
    check_requirements(groups, language=language)
    if not items:
        return Measured(np.empty((0, len(column_names(groups)))), [], [])
    if not isinstance(items[0], str):
        return measure_docs(list(items), groups)
    if store is not None and groups:
        # Imported here, so that scoring starts faster if no store is used.
        from naturalness.features.recalling import recall

        recalled = recall(items, groups, store, nlp=nlp, batch_size=batch_size, advance=advance)
        return replace(recalled, table=_judgeable(recalled.table, recalled.reasons))
    parts, parsed = [], any(map(needs_parse, groups))
    size = batch_size if parsed else max(batch_size, UNPARSED)
    for start in range(0, len(items), size):
        with short_memory(nlp=nlp):
            docs = read_docs(items[start : start + size], nlp=nlp, parsed=parsed)
            parts.append(measure_docs(docs, groups))
            del docs
        advance(min(start + size, len(items)))
    return Measured(
        np.vstack([part.table for part in parts]),
        [reason for part in parts for reason in part.reasons],
        [gap for part in parts for gap in part.gaps],
    )


def measure_docs(docs: list[Doc], groups: Sequence[FeatureGroup]) -> Measured:
    """Return the features of Docs; the row of a Doc that cannot be judged contains only NaN."""
    reasons = list(map(unusable, docs))
    return Measured(_judgeable(extract(docs, groups), reasons), reasons, gaps(docs, groups))


def _judgeable(table: FloatArray, reasons: Sequence[str]) -> FloatArray:
    """Fill the rows that cannot be judged with NaN, in place, and return the table."""
    table[list(map(bool, reasons))] = np.nan
    return table


def columns_hash(columns: Iterable[str]) -> str:
    """Return a checksum of column names and their order."""
    return hashlib.sha256("\n".join(columns).encode()).hexdigest()[:16]
