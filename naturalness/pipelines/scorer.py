"""A saved model at work: texts in, naturalness, labels and reasons out. No scikit-learn."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

from naturalness.arrays import FloatArray, IntArray
from naturalness.data.frames import frame_of
from naturalness.errors import LARGE_MISSING, ModelError, NaturalnessWarning, damage_as, excerpt, guess
from naturalness.explaining.causes import parts_of, readable
from naturalness.explaining.explanation import Explanations
from naturalness.explaining.shown import LOG_ODDS, POINTS
from naturalness.features import column_names, resolve, round_significant
from naturalness.features.ahead import prepare_ahead
from naturalness.features.base import FeatureGroup
from naturalness.features.describe import words_of
from naturalness.features.measuring import Measured, measure
from naturalness.features.people import PEOPLE, People, Standing, read_people, require_people
from naturalness.features.reference import REFERENCE, Usual, read_usual
from naturalness.features.selected import narrowed
from naturalness.features.texts import as_texts
from naturalness.files.folder import MANIFEST
from naturalness.files.resources import load_manifest, locate
from naturalness.files.storage import exists
from naturalness.pages.formats import beginning
from naturalness.pages.templating import render_part
from naturalness.pipelines.kind import KIND, Kind, both_parts, read_kind
from naturalness.pipelines.store import Saved, read_model, read_page
from naturalness.text.parsing import source_of

if TYPE_CHECKING:
    import pandas as pd
    from spacy.tokens import Doc

DEFAULT_MODEL = "default"
FAST_MODEL, LARGE_MODEL = "fast", "large"
SHIPPED: Mapping[str, str] = {DEFAULT_MODEL: "model", FAST_MODEL: "fast", LARGE_MODEL: "large"}
"""Models of the package and of the large one's, and the assets that they are."""
MAX_ROWS, MAX_CHARACTERS = 20, 160
"""Rows that a notebook shows of scores, and characters of a text."""


@dataclass(frozen=True, slots=True)
class Scores:
    """One entry per text, in order."""

    naturalness: list[float]
    """0..1, six significant digits; NaN where undefined."""
    labels: list[str | None]
    reasons: list[str]
    """Why there is no score, which group of features it was made without, or that the text is not
    English; else empty.
    """
    axes: Mapping[str, list[float]] = field(default_factory=dict)
    """Of a model that was adapted to a kind of texts: how ``sound`` each is, and how well it does ``fit``, 0..1."""
    standings: Sequence[Standing] = ()
    """Where each score stands in the register of its text; empty where no register was asked for."""
    texts: Sequence[str] = ()
    """The texts; empty where a table of features was scored."""
    threshold: float = 0.5
    """Naturalness from which on the model tells the better of two labels."""

    def __repr__(self) -> str:
        """How many texts, their mean, and how many have no score; of a single text, its score and label."""
        return f"Scores({self._summary()})"

    def _summary(self) -> str:
        scores = [value for value in self.naturalness if not math.isnan(value)]
        count = len(self.naturalness)
        if count == 1:
            return f"1 text: {scores[0]:.3f}, {self.labels[0]}" if scores else f"1 text, no score: {self.reasons[0]}"
        summary = f"{count:,} texts" + (f": {fmean(scores):.3f} on average" if scores else "")
        return summary + (f", {count - len(scores):,} without a score" if len(scores) < count else "")

    def _repr_html_(self) -> str:
        """What a notebook shows: the first texts with their scores, labels and reasons."""
        rows = range(min(MAX_ROWS, len(self.naturalness)))
        return render_part(
            "scores.html.j2",
            summary=self._summary(),
            texts=len(self.naturalness),
            axes=list(self.axes),
            within=bool(self.standings),
            reasons=any(self.reasons[i] for i in rows),
            rows=[
                {
                    "text": beginning(self.texts[i], MAX_CHARACTERS) if self.texts else i + 1,
                    "score": self.naturalness[i],
                    "good": self.naturalness[i] >= self.threshold,
                    "label": self.labels[i],
                    "axes": [values[i] for values in self.axes.values()],
                    "standing": self.standings[i] if self.standings else None,
                    "reason": self.reasons[i],
                }
                for i in rows
            ],
        )

    def _within(self) -> dict[str, list[Any]]:
        """Return the register of each text, and where its score stands there; nothing without registers."""
        names = ("register", "percentile") if self.standings else ()
        return {name: [getattr(standing, name) for standing in self.standings] for name in names}

    def to_pandas(self) -> pd.DataFrame:
        """Return a row per text: ``text``, ``naturalness``, ``label``, ``reason``, then axes and registers, if any."""
        columns: dict[str, Sequence[Any]] = {"text": self.texts} if self.texts else {}
        columns |= {"naturalness": self.naturalness, "label": self.labels, "reason": self.reasons}
        return frame_of({**columns, **self.axes, **self._within()})


class NaturalnessModel:
    """Scores texts with a saved model; the same text gets the same score in any company."""

    def __init__(
        self, saved: Saved, name: str, *, folder: Path | None = None, groups: Sequence[FeatureGroup] | None = None
    ) -> None:
        """``folder`` is where its files lie; None for a model that was never saved. ``groups`` are
        what it measures, where their names do not tell.
        """
        self.saved = saved
        self.name = name
        self.folder = folder
        self._groups = groups

    def __repr__(self) -> str:
        """Its name, whether it was adapted to a kind of texts, its labels, and the features that it reads."""
        description = self.saved.description
        labels = f"{' < '.join(self.classes)}" + (f" from {self.threshold:.3g}" if len(self.classes) == 2 else "")
        adapted = ", adapted to a kind of texts" if self.folder and (self.folder / KIND).is_file() else ""
        groups = ", ".join(description.groups)
        columns = f"{len(description.columns):,} features of {groups}"
        return f"NaturalnessModel({self.name!r}{adapted}: {labels}; {columns})"

    @cached_property
    def groups(self) -> list[FeatureGroup]:
        """The groups of features that it measures, with the columns that it reads alone."""
        description = self.saved.description
        return narrowed(resolve(self._groups or description.groups), description.columns)

    @property
    def nlp(self) -> str:
        """The spaCy pipeline that it reads with."""
        return self.saved.description.nlp

    @property
    def classes(self) -> tuple[str, ...]:
        """The labels that it tells, from worst to best."""
        return self.saved.description.classes

    @property
    def threshold(self) -> float:
        """The naturalness from which on it tells the better of two labels."""
        return self.saved.description.threshold

    @cached_property
    def positions(self) -> list[int]:
        """The numbers of its columns among those that its groups measure today."""
        description = self.saved.description
        here = {name: position for position, name in enumerate(column_names(self.groups))}
        gone = [name for name in description.columns if name not in here]
        if gone:
            raise ModelError(f"model {self.name!r} needs features that are not here: {gone[:3]}")
        return [here[name] for name in description.columns]

    def select(self, table: FloatArray) -> FloatArray:
        """Return its columns of a table of those that its groups measure."""
        return table[:, self.positions]

    @property
    def unit(self) -> str:
        """What contributions to its scores are counted in."""
        return POINTS if self.saved.description.verdict.rates else LOG_ODDS

    @cached_property
    def prepared(self) -> list[str]:
        """The names of its columns as its units read them."""
        return self.saved.compiled.preparation.names(list(self.saved.description.columns))

    @cached_property
    def parts(self) -> dict[str, IntArray]:
        """The causes that it reads, and which of its prepared columns belong to each."""
        return parts_of(self.prepared)

    @cached_property
    def readable(self) -> dict[int, str]:
        """Its prepared columns that tell a reader something by themselves, and what."""
        return readable(self.prepared, self.groups)

    @cached_property
    def words(self) -> dict[str, str]:
        """What each column that its groups measure is called for people."""
        return words_of(self.groups)

    @cached_property
    def usual(self) -> Usual | None:
        """What is usual in its training texts; None where its folder does not say."""
        data = read_page(self.folder, REFERENCE) if self.folder else None
        if data is None:
            return None
        with damage_as(ModelError, f"{self.folder}/{REFERENCE}", "copy the whole folder again"):
            return read_usual(data)

    @cached_property
    def kind(self) -> Kind | None:
        """The kind of texts that it was adapted to; None for any other model."""
        data = read_page(self.folder, KIND) if self.folder else None
        if data is None:
            return None
        with damage_as(ModelError, f"{self.folder}/{KIND}", "copy the whole folder again"):
            both_parts(self.saved.compiled)
            return read_kind(data)

    @cached_property
    def people(self) -> People | None:
        """How sentences by people score, by register; None where its folder does not say."""
        data = read_page(self.folder, PEOPLE) if self.folder else None
        if data is None:
            return None
        with damage_as(ModelError, f"{self.folder}/{PEOPLE}", "copy the whole folder again"):
            return read_people(data)

    def score(
        self, texts: Sequence[str] | Sequence[Doc], *, batch_size: int = 64, register: str | None = None
    ) -> Scores:
        """Naturalness, label and reason of each text (or Doc parsed by its pipeline); None and NaN are empty texts.

        With a ``register`` (``"books"``, ``"speech"`` …, or ``"auto"``: guessed text by text) the score is that
        within the register, and ``standings`` say where it stands among sentences by people.
        """
        texts_or_docs = _listed(texts)
        measured = measure(texts_or_docs, self.groups, nlp=self.nlp, batch_size=batch_size)
        plain = [_original(text) for text in texts_or_docs]
        scores = replace(self.judge_measured(replace(measured, table=self.select(measured.table))), texts=plain)
        return self.within(scores, plain, register) if register else scores

    def within(self, scores: Scores, texts: Sequence[str], register: str) -> Scores:
        """Return the scores within a register, or with ``"auto"`` within that of each text."""
        people = require_people(self.people, self.name)
        registers = people.names(texts, register)
        standings = [people.standing(score, name) for score, name in zip(scores.naturalness, registers, strict=True)]
        return replace(
            scores,
            naturalness=[standing.naturalness for standing in standings],
            labels=[self._label(standing, label) for standing, label in zip(standings, scores.labels, strict=True)],
            standings=standings,
        )

    def _label(self, standing: Standing, label: str | None) -> str | None:
        """Return the label of a score within its register; of more than two labels the one that it had."""
        if label is None or len(self.classes) > 2:
            return label
        return self.classes[int(standing.naturalness >= self.threshold)]

    def judge_measured(self, measured: Measured) -> Scores:
        """Naturalness, label and reason of each row of its columns."""
        naturalness, labels = self.judge(measured.table)
        undefined = [bool(reason) for reason in measured.reasons]
        axes = self.kind.axes(self.saved.compiled, measured.table) if self.kind else {}

        def defined(values: FloatArray) -> list[float]:
            return [math.nan if bad else float(v) for v, bad in zip(values, undefined, strict=True)]

        return Scores(
            defined(naturalness),
            [None if bad else label for label, bad in zip(labels, undefined, strict=True)],
            [why or gap for why, gap in zip(measured.reasons, measured.gaps, strict=True)],
            {name: defined(round_significant(values)) for name, values in axes.items()},
            threshold=self.threshold,
        )

    def judge(self, table: FloatArray) -> tuple[FloatArray, list[str]]:
        """Naturalness (0..1, six significant digits) and label of each row of a table of
        its columns."""
        values = self.saved.compiled.decide(table)
        verdict = self.saved.description.verdict
        naturalness = verdict.naturalness(values)
        labels = verdict.predictions(values, naturalness)
        return round_significant(naturalness), [self.classes[label] for label in labels]

    def explain(
        self, texts: Sequence[str] | Sequence[Doc], *, edits: int = 0, batch_size: int = 64, register: str | None = None
    ) -> Explanations:
        """Why each text (or Doc parsed by its pipeline) has its score, where, and with ``edits`` (up to 3) what would
        raise it.

        ``register`` is as in `score`; causes explain the score without regard to it.
        """
        from naturalness.explaining.explain import explain_docs, explain_texts

        if edits < 0:
            raise ValueError(f"edits is {edits}; expected how many to look for, or 0 for none")
        texts_or_docs = _listed(texts)
        if texts_or_docs and not isinstance(texts_or_docs[0], str):
            return explain_docs(self, texts_or_docs, edits=edits, register=register)
        return explain_texts(self, texts_or_docs, edits=edits, batch_size=batch_size, register=register)

    def knows(self, text: str) -> bool:
        """Whether it was trained on this text, however it is typed."""
        return text in self.saved.seen


def _listed(texts: Any) -> list[Any]:
    """Return texts or Docs as a list, with empty texts for None and NaN; raises TypeError where they are neither."""
    if isinstance(texts, Iterable) and not hasattr(texts, "__len__"):
        texts = list(texts)
    texts_or_docs = as_texts(texts, gaps=True)
    if texts_or_docs is None:
        first = f"; text 0 is {type(texts[0]).__name__}: {excerpt(texts[0])}" if isinstance(texts, list | tuple) else ""
        raise TypeError(f"expected texts or parsed Docs, found {type(texts).__name__}{first}")
    return texts_or_docs


def _original(text: str | Doc) -> str:
    """Return a text as it was written."""
    return text if isinstance(text, str) else source_of(text).original


def installed() -> tuple[str, ...]:
    """Return the names of the models that ship and are here: the large one's package may not be."""
    return tuple(name for name, asset in SHIPPED.items() if name != LARGE_MODEL or asset in load_manifest())


def model_folder(name: str | Path) -> Path:
    """Where a model lies: the names in `SHIPPED` are shipped ones, anything else is a folder."""
    asset = SHIPPED.get(name) if isinstance(name, str) else None
    if asset is not None:
        if name == LARGE_MODEL and asset not in load_manifest():
            beside = f"; write ./{name} for the folder of that name" if exists(Path(name) / MANIFEST) else ""
            raise ModelError(f"the model {name!r} is not installed; {LARGE_MISSING}{beside}")
        return locate(asset)
    folder = Path(name)
    if not exists(folder) and (meant := guess(str(name), sorted({*SHIPPED, *_models_beside(folder)} - {str(name)}))):
        raise ModelError(f"no model at {str(name)!r}{meant}")
    return folder


def _models_beside(folder: Path) -> list[str]:
    """Return the models in the folder of another, by the path that leads to that."""
    return [str(manifest.parent) for manifest in folder.parent.glob(f"*/{MANIFEST}")]


def load_model(name: str | Path = DEFAULT_MODEL, *, changed_assets: bool = False) -> NaturalnessModel:
    """Open a model: ``"default"`` and ``"fast"`` ship, ``"large"`` in a package of its own; anything else is a folder.

    ``"fast"`` reads a narrow network, ``"large"`` one of twice as many layers as the default's. A folder of one's
    own of such a name is reached as ``"./fast"``, or as a `Path`.

    Refuses a damaged or forged folder, and one that was trained with other assets than those
    here, unless ``changed_assets`` accepts that its scores then differ. Where rules have changed
    since, it scores with those of today, and a `NaturalnessWarning` says which changed.
    """
    model = open_model(name, changed_assets=changed_assets)
    prepare_ahead(model.groups, nlp=model.nlp)
    return model


def open_model(name: str | Path = DEFAULT_MODEL, *, changed_assets: bool = False) -> NaturalnessModel:
    """The same model, whose networks are opened when they are first needed, if they are."""
    folder = model_folder(name)
    saved = read_model(folder, changed_assets=changed_assets)
    if saved.changes:
        warnings.warn(
            f"model {str(name)!r} was trained with {'; '.join(saved.changes)}. It scores with what is here, so texts "
            "that these rules concern may have other scores than at its training; train it again to be rid of this",
            NaturalnessWarning,
            stacklevel=3,
        )
    return NaturalnessModel(saved, str(name), folder=folder)
