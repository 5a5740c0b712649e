"""Score batches of a data pipeline with a model that is opened once per process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from naturalness import __version__
from naturalness.data.batch import check_new_columns, check_text_column, make_batch
from naturalness.data.formats import Location
from naturalness.data.memory import table_of
from naturalness.errors import ModelError
from naturalness.judging.fields import ALWAYS, TEXTS, WITHIN
from naturalness.judging.model import DEFAULT_MODEL, SHIPPED, model_checksum, model_folder
from naturalness.labelling.job import Job, Labeller, with_problems
from naturalness.pipelines.scorer import NaturalnessModel
from naturalness.pipelines.shortcuts import MAX_MODELS
from naturalness.text.parsing import working


@dataclass(frozen=True, eq=False)
class Scorer:
    """A callable that adds scores to batches of texts; every text gets the same digits as with ``naturalness label``.

    A batch is a list of texts, a dict of columns, an Arrow table or record batch, or a pandas or Polars frame; the
    result is of the same kind, with the new columns. A list gives a dict of the new columns. A single Arrow, pandas or
    Polars column gives the new column or, if there are several, a column of structs (in pandas, a frame).

    A text that cannot be scored gets a reason and no score: NaN, or null in Arrow and Polars. It does not affect other
    rows. The model is opened on first use, once per process; a pickled scorer holds its options only.

    >>> import naturalness
    >>> scorer = naturalness.Scorer(columns=["naturalness", "label"])
    >>> scorer(["She have no idea."])["label"]
    ['unnatural']
    """

    model: str | Path = DEFAULT_MODEL
    columns: Sequence[str] = ()
    """Fields, as for ``naturalness label --fields``, with the same default, but without the axes of adapted models."""
    register: str | None = None
    """The register that scores refer to, or ``auto``; see `NaturalnessModel.score`."""
    text_column: str = field(default="text", kw_only=True)
    prefix: str = field(default="", kw_only=True)
    """Prepended to the names of new columns."""
    score_anyway: bool = field(default=False, kw_only=True)
    """Whether texts that are not English prose are scored; see `load_model`."""
    origin: str = field(default="", init=False, repr=False, compare=False)
    """The signature in the process that pickled the scorer."""

    def __post_init__(self) -> None:
        """Set the default columns."""
        object.__setattr__(self, "columns", self.columns or (*ALWAYS, *(WITHIN if self.register else ())))

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
        where = Location(type(data).__name__, "parquet", None)
        check_text_column(where, table.columns, self.text_column)
        with working():  # engines call from several threads, and a model serves one at a time
            labeller = self._opened()
            rows = [{self.text_column: text} for text in table.cells(self.text_column)]
            batch = make_batch(rows, [""] * len(rows), table.columns, self.text_column, 0)
            check_new_columns(batch, dict.fromkeys(map(self.prefix.__add__, labeller.columns), ()))
            columns = with_problems(labeller(batch.texts), batch.problems)
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

    def _opened(self) -> Labeller:
        signature = self.signature
        if self.origin not in ("", signature):
            raise ModelError(
                f"this Scorer was made for {self.origin!r}, but here is {signature!r}; install the same release and "
                "the same model on all machines"
            )
        if isinstance(self.columns, str):
            raise TypeError(f"columns is {self.columns!r}; expected a list, such as [{self.columns!r}]")
        job = Job(self._location, fields=tuple(self.columns), register=self.register, score_anyway=self.score_anyway)
        return _open(job, signature)

    @property
    def _location(self) -> str:
        """The model's name, or the path of its folder in a form that does not depend on the working directory."""
        return str(self.model) if self.model in SHIPPED else str(Path(self.model).resolve())

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "model": self._location, "origin": self.origin or self.signature}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)


@lru_cache(maxsize=MAX_MODELS)
def _open(job: Job, signature: str) -> Labeller:
    """Return an open labeller; it is opened again only if the model's files, and hence the signature, change."""
    return job.open()
