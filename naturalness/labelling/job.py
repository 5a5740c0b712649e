"""A labelling job: its options, and the columns that it adds."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
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
    NATURALNESS,
    PERCENTILE,
    REASON,
    REGISTER,
    SINGLE,
    SOUND,
    TEXTS,
    UNLIKE,
    VOICE,
    WHY,
)
from naturalness.judging.judgement import Judgement, judge_docs
from naturalness.judging.model import DEFAULT_MODEL, model_checksum, model_folder
from naturalness.models.networks import CPU, use_device
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
    fields: tuple[str, ...] = ALWAYS
    """Names from `FIELDS` and names of feature groups, in the order of their columns."""
    metrics: tuple[str, ...] = ()
    register: str | None = None
    """The register that scores refer to, or ``auto``; see `NaturalnessModel.score`."""
    batch_size: int = 64
    """The number of texts that are parsed together; on the CPU it does not affect any value."""
    device: str = CPU
    """The device for networks: ``cpu``, or ``cuda`` for an NVIDIA GPU; see `networks.use_device`."""
    score_anyway: bool = False
    """Whether texts that are not English prose are scored; see `load_model`."""

    def open(self) -> Labeller:
        """Load everything that labelling needs."""
        labeller = Labeller(self)
        labeller.warm()
        return labeller


@dataclass(frozen=True, slots=True)
class Opened:
    """A job with its opened model, feature groups and metrics."""

    job: Job
    model: NaturalnessModel
    groups: tuple[FeatureGroup, ...]
    """The groups that the model needs, followed by the groups named by fields."""
    metrics: tuple[Metric, ...]

    def columns(self) -> list[str]:
        """Return the names of the columns in order."""
        names: list[str] = []
        for field in self.job.fields:
            if field in SINGLE:
                names.append(field)
            elif field == FEATURES:
                names += column_names(self.model.groups)
            else:
                names += column_names(resolve([field]))
        return distinct([*names, *(metric.name for metric in self.metrics)])


def distinct(names: list[str]) -> list[str]:
    """Return the names of new columns; raise if one occurs twice."""
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise NaturalnessError(
            f"the column {twice[0]!r} was asked for twice; name each field and metric once "
            f"(by default, there are {', '.join(ALWAYS)})"
        )
    return names


def empty_row(columns: Sequence[str], reason: str) -> Row:
    """Return the values of a text that cannot be judged."""
    return tuple(reason if name == REASON else "" if name in TEXTS else math.nan for name in columns)


def with_problems(columns: Columns, problems: Sequence[str]) -> Columns:
    """Return the columns, in which a row with a problem has the values of a text that cannot be judged."""
    for i, problem in enumerate(problems):
        if problem:
            for values, value in zip(columns.values(), empty_row(list(columns), problem), strict=True):
                values[i] = value
    return columns


def open_job(job: Job) -> Opened:
    """Open the model, groups and metrics of a job; raise if anything is invalid, before any text is read."""
    use_device(job.device)
    model = open_model(job.model, changed_assets=job.changed_assets, score_anyway=job.score_anyway)
    named = [group for field in job.fields if field not in FIELDS for group in field_groups(field)]
    groups = resolve([*model.groups, *named])
    check_requirements(groups, language=pipeline_language(model.nlp))
    metrics = metrics_of_texts(job.metrics)
    axes = [field for field in (SOUND, FIT) if field in job.fields]
    if axes and model.kind is None:
        raise NaturalnessError(
            f"field {axes[0]!r} is an axis of adapted models, and model {job.model!r} is none; leave it out, or make "
            "one: naturalness adapt"
        )
    if job.register is not None:
        model.known_people.names([], job.register)
    elif asked := [field for field in (REGISTER, PERCENTILE) if field in job.fields]:
        raise NaturalnessError(f"field {asked[0]!r} needs `register`: a name, or {AUTO}")
    opened = Opened(job, model, tuple(groups), tuple(metrics))
    opened.columns()
    return opened


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
        if metric.set_dependent:
            raise NaturalnessError(
                f"metric {metric.name!r} depends on the rows scored together, so a text would not "
                "have one value; use `compare`"
            )
        check_available(metric)
    return metrics


def identity(opened: Opened) -> Mapping[str, Any]:
    """Return everything, apart from the texts, that determines the values: job, model, assets and version."""
    job = asdict(opened.job)
    job.pop("batch_size")
    return {
        "naturalness": __version__,
        "job": {name: list(v) if isinstance(v, tuple) else v for name, v in job.items()},
        "model": model_checksum(model_folder(opened.job.model)),
        "assets": versions_of([*opened.groups, *resolve([VOICE][VOICE not in opened.job.fields :])]),
        "metrics": [metric.signature for metric in opened.metrics],
    }


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
    """A callable that labels texts; it opens its job once per process."""

    def __init__(self, job: Job) -> None:
        self.opened = open_job(job)
        self.model = self.opened.model
        prepare_ahead(self.opened.groups, nlp=self.model.nlp)
        self.columns = self.opened.columns()
        self._recent: Recent[Row] = Recent(REMEMBERED_TEXTS)
        self._parses = bool(self.opened.metrics) or any(map(needs_parse, self.opened.groups))
        self._size = job.batch_size if self._parses else max(job.batch_size, UNPARSED)
        self._characters = self._size * (TEXT_CHARACTERS if self._parses else UNPARSED_CHARACTERS)

    def __call__(self, texts: Sequence[str]) -> Columns:
        """Return the columns for texts, in order. A text that causes an error does not affect the others."""
        distinct = dict.fromkeys(texts)
        by_text = {text: row for text in distinct if (row := self._recent.get(text)) is not None}
        new = [text for text in distinct if text not in by_text]
        # Texts are sorted by length so that no batch waits for a single long text.
        new.sort(key=lambda text: (len(text), text))
        for batch in batches(new, self._size, self._characters):
            for text, row in zip(batch, robustly(batch, self._rows, self._failed_row), strict=True):
                by_text[text] = row
                self._recent.put(text, row)
        rows = [by_text[text] for text in texts]
        return {name: [row[i] for row in rows] for i, name in enumerate(self.columns)}

    def warm(self) -> None:
        """Load everything that labelling needs."""
        self(["A sentence to begin with."])

    def _rows(self, texts: Sequence[str]) -> list[Row]:
        with short_memory(nlp=self.model.nlp):
            docs = read_docs(texts, nlp=self.model.nlp, parsed=self._parses, batch_size=len(texts))
            rows = list(zip(*self._values(docs), strict=True))
            del docs
        return rows

    def _failed_row(self, text: str, error: Exception) -> Row:
        reason = f"no score: {type(error).__name__}: {error}".splitlines()[0][:MAX_REASON_CHARACTERS]
        return empty_row(self.columns, reason.encode("utf-8", "replace").decode())

    def _values(self, docs: list[Doc]) -> Iterator[Sequence[Any]]:
        """Yield the columns; features are measured only if a field needs them."""
        job = self.opened.job
        if job.fields:
            yield from fields_of(
                judge_docs(self.model, docs, register=job.register, groups=self.opened.groups), job.fields
            )
        yield from metric_columns(self.opened.metrics, docs)


def metric_columns(metrics: Sequence[Metric], docs: Sequence[Doc]) -> Iterator[list[float]]:
    """Yield the values of each metric, rounded to six significant digits; NaN if undefined."""
    for metric in metrics:
        values = np.asarray(metric.score(docs), dtype=np.float64)
        yield round_significant(np.where(np.isfinite(values), values, math.nan)).tolist()


def fields_of(judgement: Judgement, fields: Sequence[str]) -> Iterator[Sequence[Any]]:
    """Yield the columns of fields, in order."""
    for field in fields:
        if field == REASON and VOICE in fields:
            yield judgement.scores.all_reasons
        elif field in SINGLE_VALUES:
            yield SINGLE_VALUES[field](judgement)
        elif field in (SOUND, FIT):
            yield judgement.scores.axes[field].tolist()
        else:
            names = column_names(judgement.model.groups if field == FEATURES else resolve([field]))
            positions = {name: i for i, name in enumerate(judgement.columns)}
            yield from (judgement.measured.table[:, positions[name]].tolist() for name in names)


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
    """Return, in words, the causes that lowered each score most; empty for a text that has no score.

    Contributions are those of an explanation, except that overall soundness is divided by the detector's evidence
    alone.
    """
    from naturalness.explaining.causes import SOUNDNESS, cause_title
    from naturalness.explaining.contributions import share_out
    from naturalness.explaining.explain import meanings_of
    from naturalness.explaining.naming import FAULTLESS, divided, evidence
    from naturalness.explaining.wording import in_words
    from naturalness.models.detector import NOTHING, detect
    from naturalness.text.parsing import are_english

    saved, parts = judgement.model.saved, meanings_of(judgement.model).parts
    titles = [cause_title(cause) for cause in parts]
    rows = saved.compiled.preparation.apply(judgement.table)
    added = share_out(saved.compiled, rows, saved.background.rows, list(parts.values())).values
    faultless = FAULTLESS[judgement.model.unit] * (SOUNDNESS in parts)
    detected = detect(judgement.docs) if are_english(judgement.docs) else [NOTHING] * len(judgement.docs)
    shares = [
        divided(dict(zip(parts, row, strict=True)), evidence(words, ()), faultless)
        for row, words in zip(added.tolist(), detected, strict=True)
    ]
    return [
        "" if math.isnan(value) else in_words(titles, [min(added, 0.0) for added in share.values()])
        for share, value in zip(shares, judgement.overall, strict=True)
    ]


SINGLE_VALUES: Mapping[str, Callable[[Judgement], Sequence[Any]]] = {
    NATURALNESS: lambda judgement: judgement.scores.naturalness.tolist(),
    VOICE: lambda judgement: judgement.scores.voice.tolist(),
    LABEL: lambda judgement: [label or "" for label in judgement.scores.labels],
    REASON: lambda judgement: judgement.scores.reasons,
    LOW: lambda judgement: judgement.bounds[0],
    HIGH: lambda judgement: judgement.bounds[1],
    REGISTER: lambda judgement: [standing.register for standing in judgement.scores.standings],
    PERCENTILE: lambda judgement: [standing.percentile for standing in judgement.scores.standings],
    UNLIKE: _unlike,
    WHY: _why,
}
"""Functions that compute the values of single-column fields from a judgement, keyed by field."""
