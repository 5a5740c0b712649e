"""Measure whether explanations name an error and its position: `python -m benchmarks.explanations CORPORA`.

Held-out sentences of all registers, each damaged once (each kind of `adapting.kinds` equally often), and 120
sentences written by hand with one error each. An error is *noticed* where it lowers naturalness by `NOTICED` or more;
for those, the figures are how often it names the right cause, its first finding has exactly the right kind,
and it marks the place (`judging` has the definitions). Further figures are the reports in sentences without the error,
and the cost of explaining compared with scoring.

Results are reported and written for seed 0. Another seed draws other sentences for inspection and tuning: nothing is
written, and the handwritten sentences are not used.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.explanations import tables
from benchmarks.explanations.cases import REPORTED, Case, generated, handwritten
from benchmarks.explanations.cost import Cost, cost
from benchmarks.explanations.judging import Judged, judge
from benchmarks.report import write
from naturalness.explaining.explanation import Explanation
from naturalness.judging.model import DEFAULT_MODEL
from naturalness.pipelines.scorer import NaturalnessModel, load_model
from training.arguments import command_parser

TIMED = 100


@dataclasses.dataclass(frozen=True, slots=True)
class Measured:
    """Cases with their explanations; cases without a score are left out."""

    cases: list[Case]
    judged: list[Judged]
    explained: list[Explanation]
    """Explanations of the texts with the error."""
    sound: list[Explanation]
    """Explanations of the same texts without the error."""
    deviation: float
    """The largest difference between an explanation's naturalness and the score alone."""


def measure(model: NaturalnessModel, cases: Sequence[Case]) -> Measured:
    """Score and explain cases, and judge the explanations."""
    wrong, right = [case.text for case in cases], [case.sound for case in cases]
    scores = [model.score(texts).naturalness for texts in (wrong, right)]
    explained, sound = model.explain(wrong), model.explain(right)
    falls = [after - before for before, after in zip(*scores, strict=True)]
    defined = [i for i, fall in enumerate(falls) if fall == fall]
    apart = [
        abs(explanation.naturalness - score)
        for explanations, alone in zip((explained, sound), scores, strict=True)
        for explanation, score in zip(explanations, alone, strict=True)
        if score == score
    ]
    return Measured(
        [cases[i] for i in defined],
        [judge(cases[i], explained[i], falls[i]) for i in defined],
        [explained[i] for i in defined],
        [sound[i] for i in defined],
        max(apart),
    )


def write_cases(path: Path, measured: Measured) -> None:
    """Write each case with its explanation for inspection; it is corpus text, so do not commit it."""
    with path.open("w", encoding="utf-8") as file:
        for case, judged, explained in zip(measured.cases, measured.judged, measured.explained, strict=True):
            row = {
                **dataclasses.asdict(case),
                **dataclasses.asdict(judged),
                "naturalness": explained.naturalness,
                "findings": [dataclasses.asdict(finding) for finding in explained.findings],
                "contributions": {part.cause: part.value for part in explained.contributions},
            }
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def main() -> None:
    """Run the command."""
    parser = command_parser(__doc__, "corpora")
    parser.add_argument("--model", default=DEFAULT_MODEL)
    parser.add_argument("-n", type=int, default=200, help="sentences to damage, at least")
    parser.add_argument("--seed", type=int, default=REPORTED)
    parser.add_argument("--cases", type=Path, help="write the generated cases here, to look at")
    options = parser.parse_args()
    model = load_model(options.model)
    sets = {"generated": measure(model, generated(options.corpora, options.n, options.seed))}
    if options.cases:
        write_cases(options.cases, sets["generated"])
    if options.seed != REPORTED:
        print(_body(sets, {}))
        return
    sets["by hand"] = measure(model, handwritten())
    every = [case.text for case in sets["generated"].cases]
    timed = every[:: max(1, len(every) // TIMED)][:TIMED]  # of all kinds
    seconds = cost(model, timed)
    data: dict[str, Any] = {
        **{
            name: {"cases": len(m.cases), "deviation_from_score": m.deviation, **tables.figures(m.judged, m.sound)}
            for name, m in sets.items()
        },
        "contradictions": {name: tables.contradicted(every) for name, every in _explained(sets).items()},
        "cost": {name: {**dataclasses.asdict(c), "ratio": c.ratio} for name, c in seconds.items()},
    }
    body = _body(sets, seconds)
    write(
        "explanations",
        "Do explanations name the error and its position?",
        body,
        data,
        command=" ".join(["python -m benchmarks.explanations CORPORA", *_options(options)]),
        data="*.dev.txt.xz of the corpora; benchmarks/explanations/handwritten.jsonl",
        seed=options.seed,
        model=options.model,
        timed_texts=len(timed),
        threads=os.environ.get("OMP_NUM_THREADS", "as many as cores"),
    )


def _body(sets: Mapping[str, Measured], seconds: Mapping[str, Cost]) -> str:
    pairs = {name: (measured.judged, measured.sound) for name, measured in sets.items()}
    return tables.body(pairs, seconds, _explained(sets))


def _explained(sets: Mapping[str, Measured]) -> dict[str, list[Explanation]]:
    """Return the explanations by set, with and without the error."""
    return {
        f"{name}, {what} the error": every
        for name, measured in sets.items()
        for what, every in (("with", measured.explained), ("without", measured.sound))
    }


def _options(options: argparse.Namespace) -> list[str]:
    """Return the options that differ from their defaults."""
    model = [f"--model {options.model}"] if options.model != DEFAULT_MODEL else []
    return [*model, f"-n {options.n}"]


if __name__ == "__main__":
    main()
