"""Shares of cases by kind of error, as figures and as Markdown."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.explanations.cost import Cost
from benchmarks.explanations.judging import CAUSES, Judged, contradictions, marked_words, sure, words_of
from benchmarks.report import by_name, markdown_table
from naturalness.explaining.explanation import Explanation
from naturalness.statistics.measures import wilson

NOTICED = 0.05
"""An error that lowers naturalness by this much is noticed."""
CAUSE_BAR, PLACE_BAR, COST_BAR = 60, 70, 5
"""The goals: percent, percent, ratio."""
Sets = Mapping[str, tuple[Sequence[Judged], Sequence[Explanation]]]
"""By set: the judged cases, and the explanations of their sound versions."""
Explained = Mapping[str, Sequence[Explanation]]
"""By set: explanations of the texts with and without the error."""


def noticed(cases: Sequence[Judged]) -> list[Judged]:
    """Return the cases whose error lowers naturalness by `NOTICED` or more."""
    return [case for case in cases if case.fall >= NOTICED]


def mean(values: Sequence[float]) -> float:
    """Return the mean in percent; NaN without values."""
    known = [value for value in values if value == value]
    return 100 * sum(known) / len(known) if known else math.nan


def shares(cases: Sequence[Judged]) -> dict[str, Any]:
    """Return the number of cases, the percentage noticed, and the percentages of those that are right."""
    seen = noticed(cases)
    return {
        "cases": len(cases),
        "noticed": mean([case.fall >= NOTICED for case in cases]),
        "cause": mean([case.cause_right for case in seen]),
        "kind": mean([case.kind_right for case in seen]),
        "place": mean([case.span_right for case in seen]),
        "place by chance": mean([case.span_by_chance for case in seen]),
        "words marked": mean([case.marked for case in seen]),
    }


def alarms(sound: Sequence[Explanation]) -> dict[str, Any]:
    """Return what explanations report in sound texts."""
    every = [words_of(explanation.text) for explanation in sound]
    marked = [
        len(marked_words(words, explanation)) / len(words) if sure(explanation) else 0.0
        for words, explanation in zip(every, sound, strict=True)
    ]
    return {
        "texts": len(sound),
        "with a sure finding": mean([bool(sure(explanation)) for explanation in sound]),
        "with any finding": mean([bool(explanation.findings) for explanation in sound]),
        "sure findings in 100 texts": mean([len(sure(explanation)) for explanation in sound]),
        "words marked by them": mean(marked),
        "said to be unlike training": mean([bool(explanation.unlike) for explanation in sound]),
    }


def contradicted(explained: Sequence[Explanation]) -> dict[str, int]:
    """Return the number of texts with a named cause, and of those where it contradicts the listed causes."""
    named = [contradictions(explanation) for explanation in explained if explanation.cause]
    return {
        "texts": len(explained),
        "with a cause named": len(named),
        "not in the line of causes": sum(missing for missing, _ in named),
        "raised the score": sum(raised for _, raised in named),
    }


def figures(cases: Sequence[Judged], sound: Sequence[Explanation]) -> dict[str, Any]:
    """Return all figures of a set as plain data, in percent."""
    by_kind = {kind: shares(of_kind(cases, kind)) for kind in CAUSES if of_kind(cases, kind)}
    averages: dict[str, Any] = {
        "all": shares(cases),
        "by kind": by_kind,
        "by source": {name: shares(part) for name, part in _by_source(cases).items()},
        "without the error": alarms(sound),
    }
    return {name: _rounded(value) for name, value in averages.items()}


def of_kind(cases: Sequence[Judged], kind: str) -> list[Judged]:
    """Return the cases of one kind of error."""
    return [case for case in cases if case.kind == kind]


def _by_source(cases: Sequence[Judged]) -> dict[str, list[Judged]]:
    return {
        "with a sure finding": [case for case in cases if case.by_finding],
        "without one": [case for case in cases if not case.by_finding],
    }


def body(sets: Sets, seconds: Mapping[str, Cost], explained: Explained) -> str:
    """Return the page below its title."""
    parts = [("Results against the goals", headline(sets, seconds))]
    parts += [(f"By kind, {name}", kind_table(cases)) for name, (cases, _) in sets.items()]
    parts += [
        ("Causes of noticed errors, with and without a sure finding", source_table(sets)),
        ("In the same texts without the error", alarm_table(sets)),
        ("Does the named cause contradict the list below it?", contradiction_table(explained)),
    ]
    if seconds:
        parts.append(("Time in milliseconds per text", cost_table(seconds)))
    return NOTE + "".join(f"\n## {title}\n\n{table}" for title, table in parts)


NOTE = (
    f"Percentages. An error counts as noticed if it lowers naturalness by {NOTICED} or more; cause, kind and "
    "place refer to noticed errors. *Cause*: the first cause named fits the kind of error. *Kind*: the "
    "first finding has exactly this kind. *Place*: the displayed marks (the sure findings, otherwise the "
    "first) share a word with the error, or are next to the gap; marks on more than half of the words do "
    "not count. *By chance*: the same marks at random positions in the text. The shipped models were "
    "trained on other sentences of the same corpora with damage by the same generator, so the handwritten "
    "sentences are the fairer test.\n"
)


def headline(sets: Sets, seconds: Mapping[str, Cost]) -> str:
    """Return the table of cause, place and cost against their goals."""
    rows: list[list[Any]] = []
    for name, (cases, _) in sets.items():
        seen = noticed(cases)
        for what, hits, bar in (
            ("cause", sum(case.cause_right for case in seen), CAUSE_BAR),
            ("place", sum(case.span_right for case in seen), PLACE_BAR),
        ):
            low, high = wilson(hits, len(seen)) if seen else (math.nan, math.nan)
            rows.append(
                [
                    f"{what} right, {name}",
                    f">= {bar} %",
                    f"{shares(cases)[what]:.1f} %",
                    f"{100 * low:.0f} to {100 * high:.0f}",
                    len(seen),
                ]
            )
    for name, second in seconds.items():
        rows.append([f"cost of explaining / scoring, texts {name}", f"<= {COST_BAR}", f"{second.ratio:.2f}", "", None])
    return markdown_table(["what", "bar", "measured", "95 %", "noticed cases"], rows)


def kind_table(cases: Sequence[Judged]) -> str:
    """Return a table with a row for each kind of error."""
    parts = {kind: of_kind(cases, kind) for kind in CAUSES} | {"all": cases}
    return by_name("error", {kind: _whole(shares(part)) for kind, part in parts.items() if part})


def source_table(sets: Sets) -> str:
    """Return how often the cause is right with and without a sure finding."""
    rows = [
        [name, source, len(noticed(part)), shares(part)["cause"]]
        for name, (cases, _) in sets.items()
        for source, part in _by_source(cases).items()
    ]
    return markdown_table(["set", "texts", "cases", "cause right"], rows)


def alarm_table(sets: Sets) -> str:
    """Return the table of findings in sound texts."""
    return by_name("set", {name: _whole(alarms(sound)) for name, (_, sound) in sets.items()})


def contradiction_table(explained: Explained) -> str:
    """Return the table of contradictions, in numbers of texts."""
    return by_name("set", {name: contradicted(every) for name, every in explained.items()})


def cost_table(seconds: Mapping[str, Cost]) -> str:
    """Return a table of milliseconds per text."""
    return markdown_table(
        ["texts", "score", "explain", "ratio"],
        [[name, 1000 * c.score, 1000 * c.explain, c.ratio] for name, c in seconds.items()],
    )


def _whole(shares: Mapping[str, Any]) -> dict[str, Any]:
    """Round to whole percentages, since more digits would be noise."""
    return {name: round(value) if value == value else value for name, value in shares.items()}


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    if isinstance(value, float):
        return round(value, 2) if value == value else None
    return value
