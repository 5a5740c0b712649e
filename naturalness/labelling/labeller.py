"""The shard function: texts in, columns out. Every engine runs this one, in its own process."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.errors import NaturalnessError
from naturalness.explaining.causes import cause_title
from naturalness.explaining.contributions import share_out
from naturalness.explaining.unlike import unlike
from naturalness.explaining.wording import in_words
from naturalness.features import column_names, feature_names, resolve, round_significant
from naturalness.features.ahead import prepare_ahead
from naturalness.features.columns import NumberedText, columns_read
from naturalness.features.measuring import Measured, measure_docs
from naturalness.files.recent import Recent
from naturalness.labelling.fields import FEATURES, GROUPS, HIGH, LABEL, LOW, NATURALNESS, REASON, UNLIKE, WHY
from naturalness.labelling.job import Columns, Job, Row, empty_row, open_job
from naturalness.text.parsing import parse, short_memory

if TYPE_CHECKING:
    from spacy.tokens import Doc

REMEMBERED = 4096
"""Texts whose values are kept for when they come again: generators repeat themselves."""
LETTERS = 60
"""Of a text, so that ``batch_size`` of them fill a batch; of longer texts fewer do, for memory goes
by letters."""
MOST = 200
"""Letters of an error that is told as a reason."""


def batches(texts: Sequence[str], size: int) -> Iterator[list[str]]:
    """Texts in order, up to ``size`` and up to ``size * LETTERS`` letters at a time, or one."""
    batch: list[str] = []
    letters = 0
    for text in texts:
        if batch and (len(batch) == size or letters + len(text) > size * LETTERS):
            yield batch
            batch, letters = [], 0
        batch.append(text)
        letters += len(text)
    if batch:
        yield batch


class Labeller:
    """Opened once per process; then any number of texts."""

    def __init__(self, job: Job) -> None:
        self.opened = open_job(job)
        self.model = self.opened.model
        prepare_ahead(self.opened.groups, nlp=self.model.nlp)
        self.columns = self.opened.columns()
        self._places = self.model.places()
        self._recent: Recent[Row] = Recent(REMEMBERED)

    def __call__(self, texts: Sequence[str]) -> Columns:
        """The columns of texts, in order; a text that breaks something costs no other its row."""
        distinct = dict.fromkeys(texts)
        by_text = {text: row for text in distinct if (row := self._recent.get(text)) is not None}
        new = [text for text in distinct if text not in by_text]
        # Texts of one length together: no batch waits for a single long one.
        new.sort(key=lambda text: (len(text), text))
        for batch in batches(new, self.opened.job.batch_size):
            for text, row in zip(batch, self._rows(batch), strict=True):
                by_text[text] = row
                self._recent.put(text, row)
        rows = [by_text[text] for text in texts]
        return {name: [row[i] for row in rows] for i, name in enumerate(self.columns)}

    def warm(self) -> None:
        """Open all that a text needs."""
        beside = dict.fromkeys(columns_read(self.opened.groups), math.nan)
        self([NumberedText("A sentence to begin with.", beside)])

    def _rows(self, texts: list[str]) -> list[Row]:
        try:
            with short_memory(nlp=self.model.nlp):
                docs = parse(texts, nlp=self.model.nlp, batch_size=len(texts))
                rows = list(zip(*self._values(docs), strict=True))
                del docs
            return rows
        except NaturalnessError:
            raise  # of the installation, not of a text
        except Exception as error:
            if len(texts) == 1:
                told = f"no score: {type(error).__name__}: {error}".splitlines()[0][:MOST]
                told = told.encode("utf-8", "replace").decode()
                return [empty_row(self.columns, told)]
            return [row for text in texts for row in self._rows([text])]

    def _values(self, docs: list[Doc]) -> Iterator[Sequence[Any]]:
        """Column by column; what no field needs is not measured."""
        if self.opened.job.fields:
            yield from self._fields(docs)
        for metric in self.opened.metrics:
            values = np.asarray(metric.score(docs), dtype=np.float64)
            yield round_significant(np.where(np.isfinite(values), values, math.nan)).tolist()

    def _fields(self, docs: list[Doc]) -> Iterator[Sequence[Any]]:
        measured = measure_docs(docs, self.opened.groups)
        table = measured.table[:, self._places]
        scores = self.model.judge_measured(Measured(table, measured.reasons, measured.gaps))
        columns: dict[str, Sequence[Any]] = {
            NATURALNESS: scores.naturalness,
            LABEL: [label or "" for label in scores.labels],
            REASON: scores.reasons,
            **self._bounds(scores.naturalness),
        }
        if UNLIKE in self.opened.job.fields:
            columns[UNLIKE] = self._unlike(docs, table, scores.naturalness)
        everything = dict(zip(column_names(self.opened.groups), measured.table.T, strict=True))
        for field in self.opened.job.fields:
            if field in columns:
                yield columns[field]
            elif field in (WHY, GROUPS):
                yield from self._told(table, scores.naturalness, short=field == WHY)
            else:
                yield from (everything[name].tolist() for name in self._names_of(field))

    def _bounds(self, naturalness: Sequence[float]) -> dict[str, list[float]]:
        """The interval of each score; NaN where there is none."""
        scores = np.array(naturalness, dtype=np.float64)
        low, high = self.model.saved.background.interval(scores)
        return {LOW: round_significant(low).tolist(), HIGH: round_significant(high).tolist()}

    def _unlike(self, docs: list[Doc], table: FloatArray, naturalness: Sequence[float]) -> list[str]:
        """How each text is unlike those of training, in words; empty without a score."""
        columns, usual = self.model.saved.description.columns, self.opened.usual
        return [
            "" if math.isnan(score) else "; ".join(unlike(doc, row, columns, usual))
            for doc, row, score in zip(docs, table, naturalness, strict=True)
        ]

    def _names_of(self, field: str) -> list[str]:
        if field == FEATURES:
            return column_names(self.opened.model_groups)
        return column_names(resolve([field]))

    def _told(self, table: FloatArray, naturalness: Sequence[float], *, short: bool) -> Iterator[Sequence[Any]]:
        """What each cause adds, in words, or each group, in numbers; empty without a score."""
        saved = self.model.saved
        parts = self.model.parts if short else self._parts_of_groups()
        rows = saved.compiled.preparation.apply(table)
        added = share_out(
            saved.compiled, saved.description.verdict, rows, saved.background.rows, list(parts.values())
        ).values
        added[np.isnan(naturalness)] = math.nan
        if not short:
            yield from round_significant(added).T.tolist()
            return
        titles = [cause_title(cause) for cause in parts]
        yield ["" if math.isnan(row[0]) else in_words(titles, row) for row in added.tolist()]

    def _parts_of_groups(self) -> dict[str, IntArray]:
        """The prepared columns of each group."""
        made = self.model.saved
        names = made.compiled.preparation.names(list(made.description.columns))
        plain = [name.removeprefix("undefined(").removesuffix(")") for name in names]
        return {group.name: np.flatnonzero(np.isin(plain, feature_names(group))) for group in self.opened.model_groups}
