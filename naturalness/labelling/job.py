"""A labelling job: its options, and the columns that it adds."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from naturalness import __version__
from naturalness.english.registers import AUTO
from naturalness.errors import NaturalnessError, UnknownName
from naturalness.features import EVERY, check_requirements, column_names, resolve, round_significant
from naturalness.features.ahead import prepare_ahead
from naturalness.features.base import FeatureGroup, needs_parse
from naturalness.features.measuring import UNPARSED
from naturalness.features.requirements import versions_of
from naturalness.files.recent import Recent
from naturalness.judging.fields import (
    ALWAYS,
    FEATURES,
    FIELDS,
    FIT,
    HIGH,
    LABEL,
    LOW,
    REASON,
    REGISTER,
    SINGLE,
    SOUND,
    TEXTS,
    UNLIKE,
    VOICE,
    WHY,
    WITHIN,
)
from naturalness.judging.judgement import Judgement, judge_docs
from naturalness.judging.model import DEFAULT_MODEL
from naturalness.judging.scores import VALUES
from naturalness.pipelines.scorer import NaturalnessModel, open_model
from naturalness.text.parsing import pipeline_language, read_docs, short_memory

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from naturalness.metrics import Metric

Columns = dict[str, list[Any]]
"""Values keyed by column name."""
Row = tuple[Any, ...]
"""Values of one row, in the order of the columns."""


@dataclass(frozen=True, slots=True)
class Job:
    """The options of a labelling job; with the same assets, they give the same values on every machine."""

    model: str = DEFAULT_MODEL
    changed_assets: bool = False
    fields: tuple[str, ...] | None = None
    """Names from `FIELDS` and names of feature groups, in the order of their columns. By default, those of
    `OpenedModel.fields`."""
    metrics: tuple[str, ...] = ()
    register: str | None = None
    """The register that scores refer to, or ``auto``; see `NaturalnessModel.score`."""
    score_anyway: bool = False
    """Whether texts that are not English prose are scored; see `load_model`."""
    batch_size: int = 64
    """The number of texts that are parsed together; it does not affect any value."""

    def open(self) -> Labeller:
        """Load everything that labelling needs."""
        labeller = Labeller(self)
        prepare_ahead(labeller.groups, nlp=labeller.model.nlp)
        labeller(["A sentence to begin with."])
        return labeller


def empty_row(columns: Sequence[str], reason: str) -> Row:
    """Return the values of a text that cannot be judged."""
    return tuple(reason if name == REASON else "" if name in TEXTS else math.nan for name in columns)


def with_problems(columns: Columns, problems: Sequence[str]) -> Columns:
    """Return the columns, in which a row with a problem has the values of a text that cannot be judged."""
    for i, problem in enumerate(problems):
        if problem:
            for (name, values), value in zip(columns.items(), empty_row(list(columns), problem), strict=True):
                values[i] = values[i] if name == REGISTER else value
    return columns


def field_groups(field: str) -> list[FeatureGroup]:
    """Return the groups, or parts of groups, that a field names."""
    try:
        return resolve([field])
    except UnknownName:
        raise UnknownName("field", field, [*FIELDS, *EVERY]) from None


def metrics_of_texts(names: Sequence[str]) -> list[Metric]:
    """Return metrics by name; raise if one of them does not score each text independently."""
    if not names:
        return []
    # Metrics are imported only if they are requested, because the import takes time.
    from naturalness.metrics import resolve as resolve_metrics
    from naturalness.metrics.base import check_available

    metrics = resolve_metrics(list(names))
    for metric in metrics:
        if metric.needs_references:
            raise NaturalnessError(
                f"metric {metric.name!r} needs references beside the text; use `compare`, "
                "or name a metric that needs the text alone (naturalness label --help)"
            )
        check_available(metric)
    return metrics


REMEMBERED_TEXTS = 4096
"""The number of texts whose values are cached; generators often produce the same text again."""
TEXT_CHARACTERS = 60
"""The expected number of characters in a text that is parsed. A batch contains at most ``batch_size`` times as many,
because memory use grows with the number of characters.
"""
UNPARSED_CHARACTERS = 200
"""The same for texts that are not parsed, which take less memory."""
MAX_REASON_CHARACTERS = 200
"""The number of characters to which an error message is truncated when it becomes the reason for a missing score."""
Result = TypeVar("Result")


def robustly(
    texts: Sequence[str], work: Callable[[Sequence[str]], list[Result]], failure: Callable[[str, Exception], Result]
) -> list[Result]:
    """Return the result of ``work`` for each text, or of ``failure`` if ``work`` fails for the text even on its own.

    A `NaturalnessError` is raised, since it concerns the installation rather than a text.
    """
    try:
        return work(texts)
    except NaturalnessError:
        raise
    except Exception as error:
        if len(texts) == 1:
            return [failure(texts[0], error)]
        return [result for text in texts for result in robustly([text], work, failure)]


def batches(texts: Sequence[str], size: int, characters: int) -> Iterator[list[str]]:
    """Yield batches of at most ``size`` texts and ``characters`` characters; a longer text gets its own batch."""
    batch: list[str] = []
    letters = 0
    for text in texts:
        if batch and (len(batch) == size or letters + len(text) > characters):
            yield batch
            batch, letters = [], 0
        batch.append(text)
        letters += len(text)
    if batch:
        yield batch


class Labeller:
    """A callable that labels texts. It opens the model, groups and metrics of a job; networks open when first used.

    The constructor raises if anything is invalid, before any text is read.
    """

    def __init__(self, job: Job) -> None:
        self.model = model = open_model(job.model, changed_assets=job.changed_assets, score_anyway=job.score_anyway)
        fields = job.fields or model.fields(job.register)
        self.job = replace(job, fields=fields)
        _check_fields(self.job, model)
        named = [group for field in fields if field not in FIELDS for group in field_groups(field)]
        self.groups = resolve([*model.groups, *named])
        check_requirements(self.groups, language=pipeline_language(model.nlp))
        self.metrics = metrics_of_texts(job.metrics)
        names = [name for field in fields for name in ([field] if field in SINGLE else self._features(field))]
        self.columns = [*names, *(metric.name for metric in self.metrics)]
        if twice := sorted({name for name in self.columns if self.columns.count(name) > 1}):
            raise NaturalnessError(
                f"the column {twice[0]!r} was asked for twice; name each field and metric once "
                f"(by default, there are {', '.join(ALWAYS)})"
            )
        self._recent: Recent[Row] = Recent(REMEMBERED_TEXTS)
        self._parses = bool(self.metrics) or WHY in fields or any(map(needs_parse, self.groups))
        self._size = job.batch_size if self._parses else max(job.batch_size, UNPARSED)
        self._characters = self._size * (TEXT_CHARACTERS if self._parses else UNPARSED_CHARACTERS)

    def identity(self) -> Mapping[str, Any]:
        """Return everything, apart from the texts, that determines the values: job, model, assets and version."""
        fields = self.job.fields or ()
        return {
            "naturalness": __version__,
            "job": {name: value for name, value in asdict(self.job).items() if name != "batch_size"},
            "model": self.model.saved.checksum,
            "assets": versions_of([*self.groups, *resolve([VOICE][VOICE not in fields :])]),
            "metrics": [metric.signature for metric in self.metrics],
        }

    def __call__(self, texts: Sequence[str]) -> Columns:
        """Return the columns for texts, in order. A text that causes an error does not affect the others."""
        distinct = dict.fromkeys(texts)
        by_text = {text: row for text in distinct if (row := self._recent.get(text)) is not None}
        # Texts are sorted by length so that no batch waits for a single long text.
        new = sorted((text for text in distinct if text not in by_text), key=lambda text: (len(text), text))
        for batch in batches(new, self._size, self._characters):
            for text, row in zip(batch, robustly(batch, self._rows, self._failed_row), strict=True):
                by_text[text] = row
                self._recent.put(text, row)
        rows = [by_text[text] for text in texts]
        return {name: [row[i] for row in rows] for i, name in enumerate(self.columns)}

    def _rows(self, texts: Sequence[str]) -> list[Row]:
        with short_memory(nlp=self.model.nlp):
            docs = read_docs(texts, nlp=self.model.nlp, parsed=self._parses, batch_size=len(texts))
            rows = list(zip(*self._values(docs), strict=True))
            del docs
        return rows

    def _failed_row(self, text: str, error: Exception) -> Row:
        reason = f"no score: {type(error).__name__}: {error}".splitlines()[0][:MAX_REASON_CHARACTERS]
        return empty_row(self.columns, reason.encode("utf-8", "replace").decode())

    def _features(self, field: str) -> list[str]:
        return column_names(self.model.groups if field == FEATURES else resolve([field]))

    def _values(self, docs: list[Doc]) -> Iterator[Sequence[Any]]:
        """Yield the columns, in order."""
        fields = self.job.fields or ()
        if WHY in fields:
            from naturalness.explaining.explain import read_once

            docs = read_once(docs)
        judgement = judge_docs(self.model, docs, register=self.job.register, groups=self.groups)
        known = judgement.scores.columns([field for field in fields if field in VALUES])
        position = {name: i for i, name in enumerate(judgement.columns)}
        for field in fields:
            if field in known:
                yield [value or "" for value in known[field]] if field == LABEL else known[field]
            elif field in EXPLAINED:
                yield EXPLAINED[field](judgement)
            else:
                yield from (judgement.measured.table[:, position[name]].tolist() for name in self._features(field))
        for metric in self.metrics:
            values = np.asarray(metric.score(docs), dtype=np.float64)
            yield round_significant(np.where(np.isfinite(values), values, math.nan)).tolist()


def _check_fields(job: Job, model: NaturalnessModel) -> None:
    """Raise if a field needs a register or an adapted model, and the job has none."""
    fields = job.fields or ()
    axes = [field for field in (SOUND, FIT) if field in fields]
    if axes and model.kind is None:
        raise NaturalnessError(
            f"field {axes[0]!r} is an axis of adapted models, and model {job.model!r} is none; leave it out, or make "
            "one: naturalness adapt"
        )
    model.check_register(job.register)
    if not job.register and (asked := [field for field in WITHIN if field in fields]):
        raise NaturalnessError(f"field {asked[0]!r} needs `register`: a name, or {AUTO}")


def _unlike(judgement: Judgement) -> list[str]:
    """Return, in words, how each text differs from the training texts; empty if it has no score."""
    from naturalness.explaining.unlike import unlike

    model = judgement.model
    columns, usual = model.saved.description.columns, model.usual
    return [
        "" if math.isnan(value) else "; ".join(unlike(doc, row, columns, usual))
        for doc, row, value in zip(judgement.docs, judgement.table, judgement.overall, strict=True)
    ]


def _why(judgement: Judgement) -> list[str]:
    """Return, in words, the causes that lowered each score most; empty for a text that has no score."""
    from naturalness.explaining.explain import explain
    from naturalness.explaining.wording import why

    return [why(explanation, lowering=True) for explanation in explain(judgement)]


EXPLAINED: Mapping[str, Callable[[Judgement], Sequence[Any]]] = {
    LOW: lambda judgement: judgement.bounds[0],
    HIGH: lambda judgement: judgement.bounds[1],
    UNLIKE: _unlike,
    WHY: _why,
}
"""Functions that compute the values of the fields that `Scores` lacks, keyed by field."""
