"""A report on rated texts as plain data, with misjudged texts and written conclusions (`templates/advice.txt.j2`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np

from naturalness import __version__
from naturalness.arrays import BoolArray, IntArray
from naturalness.data.compared import SEVERAL, SYSTEM, Joined
from naturalness.explaining.causes import cause_title
from naturalness.explaining.explanation import Explanation
from naturalness.pages.templating import render_lines
from naturalness.pipelines.evaluation import FIGURE_TITLES
from naturalness.pipelines.fitting import Settings
from naturalness.pipelines.learning import Rated
from naturalness.pipelines.summary import rounded
from naturalness.progress import Progress, silent
from naturalness.reports.raters.categories import BETTER, NO_FINDINGS, WORSE, Rate, categorise, find_rates
from naturalness.reports.raters.figures import FIGURES, CalibrationFigures, Confusion, find_calibration, find_confusion
from naturalness.reports.raters.judged import Advance, JudgedTexts
from naturalness.reports.raters.learning_curve import LearningCurve, find_learning_curve, plain_settings
from naturalness.statistics.agreement import Agreement, agree
from naturalness.statistics.bootstrap import Interval, too_few

MAX_LISTED = 50
"""The largest number of texts in each list."""
BATCH = 16


@dataclass(frozen=True, slots=True)
class Case:
    """A listed text with the labels given by the raters and by the model, and its explanation."""

    row: int
    """The number of the text's first row in the file, counted from 1."""
    naturalness: float
    """The naturalness, 0..1, predicted by a model that was not trained on the text."""
    predicted: str
    label: str
    """The label given by the raters."""
    rating: float
    """The rating; NaN if unrated."""
    single: tuple[float, ...]
    """The individual ratings; empty if there are none."""
    system: str
    """The system that wrote the text; empty if unknown."""
    cause: str
    """The cause that lowers the score most; empty if none lowers it."""
    explanation: Explanation


def choose(judged: JudgedTexts, wrong: BoolArray) -> IntArray:
    """Return the indices of wrong predictions, sorted by the distance between predicted and given label, then by
    confidence.
    """
    rows = np.flatnonzero(wrong)
    apart = np.abs(judged.predicted - judged.data.labels)[rows].astype(np.float64)
    higher = judged.predicted[rows] > judged.data.labels[rows]
    sure = np.where(higher, judged.naturalness[rows], 1 - judged.naturalness[rows])
    return rows[np.lexsort((rows, -sure, -apart))]


def explained(judged: JudgedTexts, rows: Sequence[int], advance: Advance) -> dict[int, Explanation]:
    """Explain texts, each with the model that judged it, and return the explanations keyed by row."""
    explanations: dict[int, Explanation] = {}
    advance(0, len(rows))
    for number, model in enumerate(judged.models):
        judged_rows = [row for row in rows if judged.judge[row] == number]
        for start in range(0, len(judged_rows), BATCH):
            rows_of_batch = judged_rows[start : start + BATCH]
            batch = model.explain([judged.data.texts[row] for row in rows_of_batch])
            explanations |= dict(zip(rows_of_batch, batch, strict=True))
            advance(len(explanations), len(rows))
    return explanations


def make_cases(
    judged: JudgedTexts,
    rows: Sequence[int],
    explanations: dict[int, Explanation],
    joined: Joined,
    joined_rows: IntArray,
) -> tuple[Case, ...]:
    """Return a case for each of ``rows``; ``joined_rows`` maps each judged text to its row in ``joined``."""
    classes = judged.data.classes
    return tuple(
        Case(
            joined.rows[at] + 1,
            float(judged.naturalness[row]),
            classes[judged.predicted[row]],
            classes[judged.data.labels[row]] if judged.data.labels[row] >= 0 else "",
            float(judged.data.ratings[row]),
            tuple(float(v) for v in joined.singles[at] if v == v) if joined.singles else (),
            (joined.systems[at] or "") if joined.systems else "",
            cause_title(explanations[row].cause),
            explanations[row],
        )
        for row, at in zip(rows, joined_rows[rows].tolist(), strict=True)
    )


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
    """The figures of agreement, keyed by name."""
    confusion: Confusion
    calibration: CalibrationFigures
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
    progress: Progress = silent,
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
        figures={name: figures[name] for name in FIGURES},
        confusion=find_confusion(judged),
        calibration=find_calibration(judged),
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
    systems = {} if joined.systems is None else {SYSTEM: [SEVERAL if name is None else name for name in joined.systems]}
    columns = {name: [values[row] for row in rows] for name, values in (systems | joined.by).items()}
    return {name: values for name, values in columns.items() if len(set(values)) > 1}


MAX_NAMED = 4
"""The largest number of categories that a sentence names."""
MIN_ERROR_RATIO = 1.25
"""The smallest ratio between the numbers of the two kinds of errors at which one kind is said to prevail."""
MIN_ACCURACY_GAIN = 0.02
"""The smallest gain in accuracy at which another threshold is proposed."""


def headline(report: RatersReport) -> list[str]:
    """Return two sentences on how well the model and the raters agree."""
    return _sentences(report, "headline")


def advice(report: RatersReport) -> list[str]:
    """Return one or more conclusions, the most important first; each is one or two sentences."""
    return _sentences(report, "advice")


def conclusions(report: RatersReport) -> list[str]:
    """Return the sentences of `headline` and `advice`."""
    return [*headline(report), *advice(report)]


def _sentences(report: RatersReport, part: str) -> list[str]:
    def excess(rate: Rate) -> float:
        """Return how many more errors a category has than it would have at the average rate."""
        return (rate.rate - report.rates[0].rate) * rate.texts

    return render_lines(
        "advice.txt.j2",
        part=part,
        report=report,
        **{name: report.figures[name] for name in ("accuracy", "spearman", "pearson")},
        few=too_few(report.sources),
        worse=sorted((rate for rate in report.rates if rate.verdict == WORSE), key=excess, reverse=True),
        better=sorted((rate for rate in report.rates if rate.verdict == BETTER), key=excess),
        curve=report.learning_curve,
        titles=FIGURE_TITLES,
        name_of=_name,
        max_named=MAX_NAMED,
        min_error_ratio=MIN_ERROR_RATIO,
        min_accuracy_gain=MIN_ACCURACY_GAIN,
    )


def _name(rate: Rate) -> str:
    """Return the name of a category as used inside a sentence."""
    if rate.dimension == "length":
        return rate.name
    if rate.dimension in ("clauses", "writing"):
        return f"texts with {rate.name}"
    if rate.dimension == "found":
        return "texts without a finding" if rate.name == NO_FINDINGS else f"texts with a finding of {rate.name}"
    return f"{rate.dimension} {rate.name or '(empty)'}"


def everything(report: RatersReport) -> dict[str, Any]:
    """Return a report as plain data; numbers have six significant digits, and undefined numbers are None."""
    data: dict[str, Any] = rounded({"headline": headline(report), "advice": advice(report), **asdict(report)})
    return data
