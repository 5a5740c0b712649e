"""What a report comes to: in sentences, and as JSON."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from naturalness.pages.formats import between, decimal, defined, enumeration, percent, with_capital
from naturalness.pipelines.summary import rounded
from naturalness.reports.raters.categories import BETTER, NO_FINDINGS, WORSE, Rate
from naturalness.reports.raters.importance import Missed
from naturalness.reports.raters.judged import OUT_OF_FOLD
from naturalness.reports.raters.learning_curve import LITTLE, YES, LearningCurve
from naturalness.reports.raters.report import Report, known_figure
from naturalness.statistics.bootstrap import too_few

MAX_NAMED = 4
"""Categories that a sentence names."""
MIN_ERROR_RATIO = 1.25
"""How many times more errors of one kind there must be than of the other to be worth mentioning."""
MIN_ACCURACY_GAIN = 0.02
"""Gain in accuracy from which another threshold is proposed."""


def headline(report: Report) -> list[str]:
    """Say how well model and raters agree, in two sentences."""
    judge = "models of its kind" if report.how == OUT_OF_FOLD else "the model"
    accuracy, order = known_figure(report, "accuracy"), known_figure(report, "spearman")
    first = f"On {report.texts:,} text{'s'[: report.texts != 1]} that {judge} had not seen"
    if not math.isnan(accuracy.value):
        interval = f"{between(accuracy.low, accuracy.high, percent)}; " if defined(accuracy.low) else ""
        first += (
            f", {percent(accuracy.value)} of predicted labels match the raters’ "
            f"({interval}always predicting the most frequent label: {percent(report.confusion.usual)})"
        )
    if not math.isnan(order.value):
        interval = f"; {decimal(order.low, 2)} to {decimal(order.high, 2)}" if defined(order.low) else ""
        first += f", and scores correlate with ratings at {decimal(order.value, 2)} (Spearman{interval})"
    if few := too_few(report.sources):
        first += f"; no intervals: {few}"
    return [f"{first}.", _ceiling(report)]


def _ceiling(report: Report) -> str:
    if report.ceiling is None:
        return (
            "How well raters agree with each other is unknown, as the table does not have several ratings of "
            "one text; so there is no telling how much of the disagreement is theirs."
        )
    spearman, accuracy = known_figure(report, "spearman"), known_figure(report, "accuracy")
    if math.isnan(spearman.ceiling):
        return "Raters agree with each other so little that no judge could do better than chance."
    sentence = f"With ratings as noisy as these, a perfect judge would reach about {decimal(spearman.ceiling, 2)}"
    if not math.isnan(accuracy.ceiling):
        sentence += f" and {percent(accuracy.ceiling)} of labels"
    if spearman.value >= 0.95 * spearman.ceiling:
        sentence += " (so there is little left to gain)"
    return f"{sentence}."


def advice(report: Report) -> list[str]:
    """Say what to look at first, a sentence or two each; always at least one."""
    lines = [
        _direction(report),
        *_categories(report.rates),
        _causes(report),
        _more_ratings(report.learning_curve),
        _slips(report),
    ]
    return [line for line in lines if line]


def _direction(report: Report) -> str:
    high, low = report.too_high.total, report.too_low.total
    if not high + low:
        return "Every predicted label matches the raters’." if report.labelled else ""
    best = report.classes[-1]
    kinds = (f"falsely {best}", f"falsely {report.classes[0]}") if len(report.classes) == 2 else ("too high", "too low")
    confusion, accuracy = report.confusion, known_figure(report, "accuracy").value
    first = f"{high:,} text{'s'[: high != 1]} {kinds[0]}"
    if max(high, low) < MIN_ERROR_RATIO * min(high, low):
        return f"Errors are balanced: {first}, {low:,} {kinds[1]}."
    side = "lenient" if high > low else "strict"
    sentence = f"The model errs on the {side} side: {first}, {low:,} {kinds[1]}."
    helps = (confusion.better > confusion.threshold) == (high > low)
    if helps and confusion.accuracy - accuracy >= MIN_ACCURACY_GAIN and not math.isnan(confusion.threshold):
        sentence += (
            f" With {best} from a naturalness of {decimal(confusion.better, 2)} instead of "
            f"{decimal(confusion.threshold, 2)}, {percent(confusion.accuracy)} would have been right here "
            f"instead of {percent(accuracy)}."
        )
    return sentence


def _categories(rates: Sequence[Rate]) -> list[str]:
    """Name the categories that are clearly worse or better, those with most errors beyond the usual first."""
    total = rates[0].rate
    worse = sorted((rate for rate in rates if rate.verdict == WORSE), key=lambda r: -(r.rate - total) * r.texts)
    better = sorted((rate for rate in rates if rate.verdict == BETTER), key=lambda r: (r.rate - total) * r.texts)
    if not worse and not better:
        return ["No category of texts is clearly harder than the rest."]
    lines = []
    if worse:
        names = [f"{_name(rate)} ({percent(rate.rate)} wrong)" for rate in worse]
        lines.append(f"Clearly harder than the rest ({percent(total)} overall): {enumeration(names, MAX_NAMED)}.")
    if better:
        names = [f"{_name(rate)} ({percent(rate.rate)} wrong)" for rate in better]
        lines.append(f"Clearly easier: {enumeration(names, MAX_NAMED)}.")
    return lines


def _name(rate: Rate) -> str:
    if rate.dimension in ("length", "clauses", "construction", "writing"):
        return rate.name
    if rate.dimension == "found":
        return "texts without a finding" if rate.name == NO_FINDINGS else f"texts with a finding of {rate.name}"
    return f"{rate.dimension} {rate.name}"


def _causes(report: Report) -> str:
    """Name the cause that separates wrong verdicts from right ones most."""
    best, worst, unit = report.classes[-1], report.classes[0], report.importances.unit
    lenient, strict = (_strongest(report.importances.missed, kind) for kind in ("too_high", "too_low"))
    clauses = []
    if lenient:
        clauses.append(
            f"texts wrongly called {best} differ from those correctly called {worst} mostly by "
            f"{lenient.title} (+{decimal(lenient.too_high, 2)} {unit})"
        )
    if strict:
        clauses.append(
            f"texts wrongly called {worst} differ from those correctly called "
            f"{best} mostly by {strict.title} ({decimal(strict.too_low, 2)} {unit})"
        )
    sentence = "; ".join(clauses)
    return f"{with_capital(sentence)}." if sentence else ""


def _strongest(missed: Sequence[Missed], kind: str) -> Missed | None:
    """Return the cause with the largest difference whose interval leaves out 0."""
    sign = 1 if kind == "too_high" else -1
    end = f"{kind}_low" if sign > 0 else f"{kind}_high"
    sure = [cause for cause in missed if sign * getattr(cause, end) > 0]
    return max(sure, key=lambda cause: sign * getattr(cause, kind), default=None)


def _more_ratings(curve: LearningCurve | None) -> str:
    if curve is None or not curve.answer:
        return ""
    title = {"roc_auc": "ROC AUC", "spearman": "Spearman"}[curve.figure]
    gain = f"twice as many would add about {decimal(curve.gain)} {title} ({between(curve.low, curve.high)})"
    if curve.answer == YES:
        return f"More ratings of this kind would help a model that learns from them: {gain}."
    if curve.answer == LITTLE:
        return (
            f"More ratings of this kind would hardly help a model that learns from them: {gain}; "
            "better features, or less noisy ratings, would."
        )
    return f"Whether more ratings of this kind would help is not yet clear: {gain}."


def _slips(report: Report) -> str:
    total = report.suspects.total
    if not total:
        return ""
    share = percent(total / report.labelled)
    if total == 1:
        return (
            f"1 label ({share}) is confidently contradicted by a model that had not seen it; it deserves a second "
            "look, as it may be a slip."
        )
    return (
        f"{total:,} labels ({share}) are confidently contradicted by a model that had not seen them; the first in that "
        "list deserve a second look, as some may be slips."
    )


def everything(report: Report) -> dict[str, Any]:
    """Return a report as plain data: numbers to six significant digits, None where undefined."""
    data: dict[str, Any] = rounded({"headline": headline(report), "advice": advice(report), **asdict(report)})
    return data
