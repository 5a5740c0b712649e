"""A report on rated texts, as plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from naturalness import __version__
from naturalness.arrays import IntArray
from naturalness.data.compared import SEVERAL, SYSTEM, Joined
from naturalness.pipelines.fitting import Settings
from naturalness.pipelines.learning import Rated
from naturalness.reports.raters.cases import MAX_LISTED, Case, choose, explained, make_cases
from naturalness.reports.raters.categories import Rate, categorise, find_rates
from naturalness.reports.raters.figures import (
    TITLES,
    CalibrationFigures,
    Confusion,
    LabelHistogram,
    by_label,
    find_calibration,
    find_confusion,
)
from naturalness.reports.raters.judged import JudgedTexts
from naturalness.reports.raters.learning_curve import LearningCurve, find_learning_curve, plain_settings
from naturalness.statistics.agreement import Agreement, agree
from naturalness.statistics.bootstrap import Interval

Progress = Callable[[str, int, int], None]
MIN_AGREED = 30
"""The smallest number of texts with several ratings at which the agreement of raters, and the ceiling that it sets,
are reported.
"""


@dataclass(frozen=True, slots=True)
class Listed:
    """The listed texts of one kind, and the total number of texts of that kind."""

    total: int
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class RatersReport:
    """A report on where a model and the raters of a table disagree, and why; undefined numbers are NaN."""

    table: str
    model: str
    how: str
    """How it was ensured that the judging models had not seen the texts: ``unseen`` (not in their training data) or
    ``out of fold`` (cross-fitting).
    """
    texts: int
    seen: int
    """The number of texts left out because the model was trained on them."""
    labelled: int
    rated: int
    sources: int
    classes: tuple[str, ...]
    unit: str
    """The unit of the causes' contributions."""
    rates_texts: bool
    """Whether the model predicts ratings; naturalness is then not a probability."""
    notes: tuple[str, ...]
    figures: Mapping[str, Interval]
    """The figures of agreement, keyed by name (`figures.TITLES`)."""
    confusion: Confusion
    calibration: CalibrationFigures
    labels: tuple[LabelHistogram, ...]
    rates: tuple[Rate, ...]
    learning_curve: LearningCurve | None
    no_learning_curve: str
    """The reason why there is no learning curve; empty if there is one."""
    agreement: Agreement | None
    """The agreement of raters; None if fewer than `MIN_AGREED` texts have several ratings."""
    too_high: Listed
    """Texts that get a better label than the raters gave."""
    too_low: Listed
    """Texts that get a worse label than the raters gave."""
    version: str


def make_report(
    judged: JudgedTexts,
    joined: Joined,
    rows: IntArray,
    figures: Mapping[str, Interval],
    *,
    table: str,
    model: str,
    learnable: Rated,
    notes: Sequence[str] = (),
    learner: Settings | None = None,
    progress: Progress = lambda stage, done, total: None,
) -> RatersReport:
    """Return the report on judged texts; ``rows`` are their indices in ``joined``.

    ``learnable`` has the texts for the learning curve, and ``learner`` the settings: pass the model's own settings if
    it was trained on this table; the default is `plain_settings`.
    """
    singles = joined.singles and [joined.singles[row] for row in rows]
    raters = joined.raters and [joined.raters[row] for row in rows]
    agreement = agree(singles, raters) if singles else None
    categories = categorise(
        judged.data.texts, _columns(joined, rows), nlp=judged.models[0].nlp, advance=partial(progress, "parsing")
    )
    advance = partial(progress, "learning from parts")
    curve = find_learning_curve(learnable, learner or plain_settings(learnable), advance=advance)
    chosen = choose(judged, judged.too_high), choose(judged, judged.too_low)
    listed = sorted({int(row) for kind in chosen for row in kind[:MAX_LISTED]})
    explanations = explained(judged, listed, partial(progress, "explaining"))
    too_high, too_low = (
        Listed(len(kind), make_cases(judged, kind[:MAX_LISTED].tolist(), explanations, joined, rows)) for kind in chosen
    )
    return RatersReport(
        table=table,
        model=model,
        how=judged.how,
        texts=len(judged.naturalness),
        seen=judged.seen,
        labelled=int(judged.known.sum()),
        rated=int((~np.isnan(judged.data.ratings)).sum()),
        sources=len(np.unique(judged.data.groups)),
        classes=judged.data.classes,
        unit=judged.models[0].unit,
        rates_texts=any(m.saved.description.kind == "regressor" for m in judged.models),
        notes=tuple(notes),
        figures={name: figures[name] for name in TITLES},
        confusion=find_confusion(judged),
        calibration=find_calibration(judged),
        labels=by_label(judged),
        rates=find_rates(judged, categories),
        learning_curve=None if isinstance(curve, str) else curve,
        no_learning_curve=curve if isinstance(curve, str) else "",
        agreement=agreement if agreement and agreement.items >= MIN_AGREED else None,
        too_high=too_high,
        too_low=too_low,
        version=__version__,
    )


def _columns(joined: Joined, rows: IntArray) -> dict[str, Sequence[str]]:
    """Return the columns to group texts by, including the column of systems; each has two or more values."""
    systems = {} if joined.systems is None else {SYSTEM: [name or SEVERAL for name in joined.systems]}
    columns = {name: [values[row] for row in rows] for name, values in (systems | joined.by).items()}
    return {name: values for name, values in columns.items() if len(set(values)) > 1}
