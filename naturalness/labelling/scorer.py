"""Score batches of texts with a model that is opened once per process, and add the scores as columns."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from naturalness import __version__
from naturalness.data.batch import check_new_columns, check_text_column, make_batch
from naturalness.data.memory import table_of
from naturalness.english.registers import AUTO
from naturalness.errors import ModelError, NaturalnessError, UnknownName
from naturalness.features import EVERY, check_requirements, column_names, resolve, round_significant
from naturalness.features.ahead import prepare_ahead
from naturalness.features.base import FeatureGroup, needs_parse
from naturalness.features.measuring import UNPARSED
from naturalness.features.requirements import versions_of
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
from naturalness.judging.model import DEFAULT_MODEL, SHIPPED, default_fields, model_checksum, model_folder
from naturalness.judging.scores import VALUES
from naturalness.pipelines.scorer import NaturalnessModel, open_model
from naturalness.pipelines.shortcuts import MAX_MODELS
from naturalness.text.parsing import pipeline_language, read_docs, short_memory, working

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from naturalness.metrics import Metric

Columns = dict[str, list[Any]]
"""Values keyed by column name."""
Row = tuple[Any, ...]
"""Values of one row, in the order of the columns."""


@dataclass(frozen=True)
class Scorer:
    """A callable that adds scores to batches of texts; every text gets the same digits as with ``naturalness label``.

    A batch is a list of texts, a dict of columns, an Arrow table or record batch, or a pandas or Polars frame; the
    result is of the same kind, with the new columns. A list gives a dict of the new columns. A single Arrow or Polars
    column gives the new column or, if there are several, a column of structs.

    A text that cannot be scored gets a reason and no score: NaN, or null in Arrow and Polars. It does not affect other
    rows. The model is opened on first use, once per process; a pickled scorer holds its options only.

    >>> import naturalness
    >>> scorer = naturalness.Scorer(columns=["naturalness", "label"])
    >>> scorer(["She have no idea."])["label"]
    ['unnatural']
    """

    model: str | Path = DEFAULT_MODEL
    columns: Sequence[str] = ()
    """Names from `FIELDS` and names of feature groups, as for ``naturalness label --fields``, with the same default."""
    register: str | None = None
    """The register that scores refer to, or ``auto``; see `NaturalnessModel.score`."""
    metrics: Sequence[str] = field(default=(), kw_only=True)
    """Names of metrics that need only the text; each is a further column."""
    text_column: str = field(default="text", kw_only=True)
    prefix: str = field(default="", kw_only=True)
    """Prepended to the names of new columns."""
    score_anyway: bool = field(default=False, kw_only=True)
    """Whether texts that are not English prose are scored; see `load_model`."""
    changed_assets: bool = field(default=False, kw_only=True)
    """Whether assets may differ from those used in training; see `load_model`."""
    batch_size: int = field(default=64, kw_only=True)
    """The number of texts that are parsed together; it does not affect any value."""
    origin: str = field(default="", init=False, repr=False, compare=False)
    """The signature in the process that pickled the scorer."""

    def __post_init__(self) -> None:
        """Set the default columns."""
        for name in ("columns", "metrics"):
            if isinstance(names := getattr(self, name), str):
                raise TypeError(f"{name} is {names!r}; expected a list, such as [{names!r}]")
            object.__setattr__(self, name, tuple(names))
        object.__setattr__(self, "columns", self.columns or default_fields(self.model, self.register))

    @property
    def signature(self) -> str:
        """The settings that determine the scores: model, its checksum, register, `score_anyway` and version."""
        options = {
            "model": Path(self.model).name,
            "checksum": model_checksum(model_folder(self.model)),
            "register": self.register or "none",
            **({"scored": "anyway"} if self.score_anyway else {}),
            "v": __version__,
        }
        return "|".join(["naturalness", *(f"{name}:{value}" for name, value in options.items())])

    def __call__(self, data: Any) -> Any:
        """Return a batch with the new columns."""
        table = table_of(data, self.text_column)
        check_text_column(type(data).__name__, table.columns, self.text_column)
        with working():  # engines call from several threads, and a model serves one at a time
            opened = self._opened()
            rows = [{self.text_column: text} for text in table.cells(self.text_column)]
            batch = make_batch(rows, [""] * len(rows), table.columns, self.text_column, 0)
            check_new_columns(batch, dict.fromkeys(map(self.prefix.__add__, opened.columns), ()))
            columns = with_problems(opened(batch.texts), batch.problems)
        return table.append(
            {
                self.prefix + name: np.array(values, object if name in TEXTS else np.float64)
                for name, values in columns.items()
            }
        )

    @property
    def opened_model(self) -> NaturalnessModel:
        """The model, which is opened once per process."""
        return self._opened().model

    def open(self) -> OpenedScorer:
        """Load everything that scoring needs."""
        opened = OpenedScorer(self)
        prepare_ahead(opened.groups, nlp=opened.model.nlp)
        opened(["A sentence to begin with."])
        return opened

    def _opened(self) -> OpenedScorer:
        signature = self.signature
        if self.origin not in ("", signature):
            raise ModelError(
                f"this Scorer was made for {self.origin!r}, but this process has {signature!r}; install the same "
                "release and the same model on all machines"
            )
        return _open(replace(self, model=self._location), signature)

    @property
    def _location(self) -> str:
        """The model's name, or the path of its folder in a form that does not depend on the working directory."""
        return str(self.model) if self.model in SHIPPED else str(Path(self.model).resolve())

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "model": self._location, "origin": self.origin or self.signature}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)


@lru_cache(maxsize=MAX_MODELS)
def _open(scorer: Scorer, signature: str) -> OpenedScorer:
    """Return an opened scorer; it is opened again only if the model's files, and hence the signature, change."""
    return scorer.open()


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
        raise UnknownName("field", field, list(dict.fromkeys([*FIELDS, *EVERY]))) from None


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
                f"metric {metric.name!r} needs references beside the text; use the command naturalness compare, "
                "or name a metric that needs the text alone (naturalness label --help)"
            )
        check_available(metric)
    return metrics


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


class OpenedScorer:
    """A callable that scores texts, with an open model, groups and metrics; networks open when first used.

    The constructor raises if anything is invalid, before any text is read.
    """

    def __init__(self, scorer: Scorer) -> None:
        self.scorer, self.fields = scorer, scorer.columns
        self.model = open_model(scorer.model, changed_assets=scorer.changed_assets, score_anyway=scorer.score_anyway)
        _check_fields(scorer, self.model)
        named = [group for field in self.fields if field not in FIELDS for group in field_groups(field)]
        self.groups = resolve([*self.model.groups, *named])
        check_requirements(self.groups, language=pipeline_language(self.model.nlp))
        self.metrics = metrics_of_texts(scorer.metrics)
        names = [name for field in self.fields for name in ([field] if field in SINGLE else self._features(field))]
        self.columns = [*names, *(metric.name for metric in self.metrics)]
        if twice := sorted({name for name in self.columns if self.columns.count(name) > 1}):
            raise NaturalnessError(
                f"the column {twice[0]!r} was requested twice; name each field and metric once "
                f"(default columns: {', '.join(ALWAYS)})"
            )
        self._parses = bool(self.metrics) or WHY in self.fields or any(map(needs_parse, self.groups))

    def identity(self) -> Mapping[str, Any]:
        """Return everything, apart from the texts, that determines the values: options, model, assets and version."""
        return {
            "scorer": self.scorer.signature,
            "columns": self.columns,
            "assets": versions_of([*self.groups, *resolve([VOICE][VOICE not in self.fields :])]),
            "metrics": [metric.signature for metric in self.metrics],
        }

    def __call__(self, texts: Sequence[str]) -> Columns:
        """Return the columns for texts, in order. A text that causes an error does not affect the others."""
        size = self.scorer.batch_size if self._parses else max(self.scorer.batch_size, UNPARSED)
        characters = size * (TEXT_CHARACTERS if self._parses else UNPARSED_CHARACTERS)
        by_text: dict[str, Row] = {}
        # Texts are sorted by length so that no batch waits for a single long text.
        for batch in batches(sorted({*texts}, key=lambda text: (len(text), text)), size, characters):
            by_text |= zip(batch, robustly(batch, self._rows, self._failed_row), strict=True)
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
        fields = self.fields
        if WHY in fields:
            from naturalness.explaining.explain import read_once

            docs = read_once(docs)
        judgement = judge_docs(self.model, docs, register=self.scorer.register, groups=self.groups)
        known = judgement.scores.columns([name for name in fields if name in VALUES])
        position = {name: i for i, name in enumerate(judgement.columns)}
        for name in fields:
            if name in known:
                yield [value or "" for value in known[name]] if name == LABEL else known[name]
            elif name in EXPLAINED:
                yield EXPLAINED[name](judgement)
            else:
                yield from (judgement.measured.table[:, position[x]].tolist() for x in self._features(name))
        for metric in self.metrics:
            values = np.asarray(metric.score(docs), dtype=np.float64)
            yield round_significant(np.where(np.isfinite(values), values, math.nan)).tolist()


def _check_fields(scorer: Scorer, model: NaturalnessModel) -> None:
    """Raise if a field needs a register or an adapted model, and there is none."""
    axes = [field for field in (SOUND, FIT) if field in scorer.columns]
    if axes and model.kind is None:
        raise NaturalnessError(
            f"field {axes[0]!r} is an axis of adapted models, which model {model.name!r} is not; leave it out, or make "
            "one: naturalness adapt"
        )
    model.check_register(scorer.register)
    if not scorer.register and (asked := [field for field in WITHIN if field in scorer.columns]):
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
