"""What a report comes to, in sentences: how well they agree, and what to do about the rest."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from naturalness.pages.formats import between, decimal, enumeration, percent
from naturalness.pipelines.summary import rounded
from naturalness.reports.raters.categories import BETTER, WORSE, Rate
from naturalness.reports.raters.importance import Missed
from naturalness.reports.raters.judged import OUT_OF_FOLD
from naturalness.reports.raters.learning_curve import LITTLE, YES, LearningCurve
from naturalness.reports.raters.report import Report, known_figure

NAMED = 4
"""Categories that a sentence names."""
UNEVEN = 1.25
"""How many times more errors of one kind there must be than of the other to be worth telling."""
GAIN = 0.02
"""Accuracy that another threshold must bring to be proposed."""


def headline(report: Report) -> list[str]:
    """How well model and raters agree."""
    judge = "models of its kind" if report.how == OUT_OF_FOLD else "the model"
    right, order = known_figure(report, "accuracy"), known_figure(report, "spearman")
    if math.isnan(right.value):
        first = f"On {report.texts:,} texts that {judge} had not seen"
    else:
        first = (
            f"On {report.texts:,} texts that {judge} had not seen, {percent(right.value)} get the "
            f"raters’ label ({between(right.low, right.high, percent)}; always telling the "
            f"most frequent one: {percent(report.confusion.usual)})"
        )
    if not math.isnan(order.value):
        first += (
            f", and scores go with ratings at a Spearman correlation of {decimal(order.value, 2)} "
            f"({decimal(order.low, 2)} to {decimal(order.high, 2)})"
        )
    return [f"{first}.", _ceiling(report)]


def _ceiling(report: Report) -> str:
    if report.ceiling is None:
        return (
            "How far raters agree among themselves is not known, since the table has no several "
            "ratings of one text; so nobody can say how much of the disagreement is theirs."
        )
    best, own = known_figure(report, "spearman").ceiling, known_figure(report, "spearman").value
    if math.isnan(best):
        return "Raters agree among themselves so little that no judge could be told from chance."
    told = f"With ratings as blurred as these, a perfect judge would reach about {decimal(best, 2)}"
    right = known_figure(report, "accuracy").ceiling
    told += f" and {percent(right)} of labels" if not math.isnan(right) else ""
    near = " (so there is little left to gain)" if own >= 0.95 * best else ""
    return f"{told}{near}."


def advice(report: Report) -> list[str]:
    """What to look at first, a sentence or two each; always at least one."""
    found = [_direction(report), *_weak(report.rates), _causes(report), _more(report.learning_curve), _slips(report)]
    return [one for one in found if one]


def _direction(report: Report) -> str:
    high, low = report.too_high.total, report.too_low.total
    if not high + low:
        return "No text with a label was told another one." if report.labelled else ""
    best = report.classes[-1]
    two = len(report.classes) == 2
    kinds = (f"falsely {best}", f"falsely {report.classes[0]}") if two else ("too high", "too low")
    table, right = report.confusion, known_figure(report, "accuracy").value
    if max(high, low) < UNEVEN * min(high, low):
        return f"Its errors are balanced: {high:,} texts {kinds[0]}, {low:,} {kinds[1]}."
    side = "kind" if high > low else "strict"
    told = f"It errs on the {side} side: {high:,} texts {kinds[0]}, {low:,} {kinds[1]}."
    helps = (table.better > table.threshold) == (high > low)
    if helps and table.accuracy - right >= GAIN and not math.isnan(table.threshold):
        told += (
            f" With {best} from a naturalness of {decimal(table.better, 2)} on instead of "
            f"{decimal(table.threshold, 2)}, {percent(table.accuracy)} would have been right here "
            f"instead of {percent(right)}."
        )
    return told


def _weak(rates: Sequence[Rate]) -> list[str]:
    """The categories that are clearly worse, those with most errors beyond the usual first."""
    whole = rates[0].rate
    worse = sorted((one for one in rates if one.verdict == WORSE), key=lambda r: -(r.rate - whole) * r.texts)
    better = [one for one in rates if one.verdict == BETTER]
    if not worse and not better:
        return ["No category of texts is clearly harder for it than the rest."]
    told = []
    if worse:
        named = [f"{_name(one)} ({percent(one.rate)} wrong)" for one in worse]
        told.append(f"Clearly harder for it than the rest ({percent(whole)} over all): {enumeration(named, NAMED)}.")
    if better:
        better.sort(key=lambda one: (one.rate - whole) * one.texts)
        named = [f"{_name(one)} ({percent(one.rate)})" for one in better]
        told.append(f"Clearly easier: {enumeration(named, NAMED)}.")
    return told


def _name(rate: Rate) -> str:
    own = ("length", "clauses", "construction", "writing")
    if rate.dimension in own:
        return rate.name
    if rate.dimension == "found":
        return f"texts with {rate.name.removesuffix(' found')} found"
    return f"{rate.dimension} {rate.name}"


def _causes(report: Report) -> str:
    """Which cause separates wrong verdicts from right ones most."""
    best, worst = report.classes[-1], report.classes[0]
    missed = report.importances.missed
    silent = _largest(missed, "too_high")
    loud = _largest(missed, "too_low")
    told = []
    unit = report.importances.unit
    if silent:
        told.append(
            f"Texts wrongly called {best} stand out from those rightly called {worst} mostly by "
            f"{silent.title} (+{decimal(silent.too_high, 2)} {unit})"
        )
    if loud:
        told.append(
            f"{'texts' if told else 'Texts'} wrongly called {worst} from those rightly called "
            f"{best} mostly by {loud.title} ({decimal(loud.too_low, 2)} {unit})"
        )
    return f"{'; '.join(told)}." if told else ""


def _largest(missed: Sequence[Missed], kind: str) -> Missed | None:
    """The cause with the largest sure difference."""
    sign = 1 if kind == "too_high" else -1
    end = f"{kind}_low" if sign > 0 else f"{kind}_high"
    sure = [one for one in missed if sign * getattr(one, end) > 0]
    return max(sure, key=lambda one: sign * getattr(one, kind), default=None)


def _more(curve: LearningCurve | None) -> str:
    if curve is None or not curve.answer:
        return ""
    title = {"roc_auc": "ROC AUC", "spearman": "Spearman"}[curve.figure]
    told = f"twice as many would bring about {decimal(curve.gain)} {title} ({between(curve.low, curve.high)})"
    if curve.answer == YES:
        return f"More ratings of this kind would help a model that learns from them: {told}."
    if curve.answer == LITTLE:
        return (
            f"More ratings of this kind would hardly help a model that learns from them: {told}; "
            "better features, or less blurred ratings, would."
        )
    return f"Whether more ratings of this kind would help cannot be told yet: {told}."


def _slips(report: Report) -> str:
    many = report.suspects.total
    if not many:
        return ""
    share = percent(many / report.labelled)
    return (
        f"{many:,} labels ({share}) are contradicted with confidence by a model that had not seen "
        "them; the first of that list are worth a second look, for some may be slips."
    )


KEYS = {"predicted": "told", "single_rater": "one_rater"}
"""Names of fields that are called otherwise in JSON."""


def everything(report: Report) -> dict[str, Any]:
    """Return a report as plain data: numbers to six significant digits, None where undefined."""
    fields = asdict(report, dict_factory=lambda items: {KEYS.get(name, name): value for name, value in items})
    data: dict[str, Any] = rounded({"headline": headline(report), "advice": advice(report), **fields})
    return data
