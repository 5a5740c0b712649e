"""Quality of corrections: `python -m benchmarks.edits EDITS CORPORA`.

The test thirds of three sets of edited sentences show which changes of the package people made too, and which of
theirs were made (`training.mender.edits`). In ErAConD all sentences count, without and with changes of case,
punctuation and spacing; in TETRA those with an edit of grammar, other edits counting neither way; in Harper's tests,
which are its home ground, tidy pairs, at most ten of a rule. Sentences that should stay as they are: Harper's, and
people's in held-out corpora. The curve keeps the steps of a repair that are at least so probable.

Last, held-out sentences with one damage each. The exact repair is an edit after which the text is what was written, but
for white space. `repair_judgements.json` has readers' judgements of repairs and of fixes by `check --diff`. *Right*:
people would write it so; *better*: each change is right, but faults remain; *wrong*: a change is wrong, or alters the
meaning.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.explanations.cases import REPORTED, Case, generated
from benchmarks.false_alarms import held_out
from benchmarks.report import markdown_table, write
from naturalness import explain, load_model
from naturalness.checking.checker import FileChecker
from naturalness.checking.fixes import SURE_TO_FIX, apply_fixes, sure_fixes
from naturalness.checking.sources import make_source
from naturalness.explaining.explanation import Edit
from naturalness.explaining.rewriting import replaced
from training.arguments import command_parser
from training.mender.edits import Edited
from training.mender.sets import ERACOND, by_kind, changed, compare, corrected_sets, left_alone, plain, total

MAX_SHOWN = 3
JUDGED = Path(__file__).with_name("repair_judgements.json")
THRESHOLDS = (0.35, 0.5, 0.7, 0.8, SURE_TO_FIX, 0.95, 0.98, 0.99)
OF_REGISTER, DAMAGED = 100, 300
COLUMNS = ("set", "system", "sentences", "changed", "precision", "recall", "F0.5", "seconds / 100")
Steps = Sequence[Edit]
Corrections = Callable[[Sequence[str]], Sequence[str]]


def timed(function: Callable[[Sequence[str]], Any], texts: Sequence[str]) -> tuple[Any, float]:
    """Return a function's value and the processor seconds per hundred texts, including those of ended children."""
    before = sum(os.times()[:4])
    value = function(texts)
    return value, 100 * (sum(os.times()[:4]) - before) / len(texts)


@cache
def steps_of(texts: tuple[str, ...]) -> list[Steps]:
    """Return the steps of each text's repair."""
    return [one.repair.steps if one.repair else () for one in explain(texts, edits=1)]


def applied(texts: Sequence[str], steps: Sequence[Steps], least: float = 0.0) -> list[str]:
    """Return texts after those steps that have at least a given probability."""
    chosen = ([(e.start, e.end, e.after) for e in edits if e.probability >= least] for edits in steps)
    return list(map(replaced, texts, chosen))


def fixed(texts: Sequence[str]) -> list[str]:
    """Return texts as corrected by `check --fix`, each in a separate file."""
    checker, sources = (
        FileChecker(load_model(), sure=SURE_TO_FIX),
        [make_source(f"{n}.txt", text) for n, text in enumerate(texts)],
    )
    made = sure_fixes(checker.check(sources))
    return [apply_fixes(source, [fix for fix in made if fix.source is source]) for source in sources]


OURS: Mapping[str, Corrections] = {"repair": lambda texts: applied(texts, steps_of(tuple(texts))), "--fix": fixed}
"""The repair of an explanation, and what `check --fix` makes of texts."""


def scores(named: Mapping[str, Sequence[Edited]], systems: Mapping[str, Corrections]) -> tuple[list[Any], list[Any]]:
    """Return rows of precision, recall, F0.5 and seconds by set and system, and rows by kind of change."""
    whole, kinds = [], []
    for name, rows in named.items():
        texts = [row.text for row in rows]
        for system, corrections in systems.items():
            outputs, seconds = timed(corrections, texts)
            verdicts = compare(name, rows, outputs)
            counts = total(verdicts)
            share = changed(texts, outputs)
            whole.append([name, system, len(rows), share, counts.precision, counts.recall, counts.f(), seconds])
            kinds += [
                [name, system, kind, of.right + of.missed, of.right + of.wrong, of.precision, of.recall]
                for kind, of in by_kind(rows, verdicts).items()
            ]
    return whole, kinds


def curve(named: Mapping[str, Sequence[Edited]], clean: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Return rows of figures at each threshold: by set, by kind of edit, and by source of sentences left alone."""
    lines, right = [], defaultdict(list)
    for name, rows in named.items():
        texts = [row.text for row in rows]
        steps = steps_of(tuple(texts))
        at = [total(compare(name, rows, applied(texts, steps, least))) for least in THRESHOLDS]
        lines.append([name, *(f"{counts.precision:.2f} / {counts.recall:.2f}" for counts in at)])
        for row, edits in zip(rows, steps, strict=True):
            for edit in edits:
                counts = total(compare(name, [row], applied([row.text], [[edit]])))
                if counts.right or counts.wrong:
                    right[edit.kind].append((edit.probability, not counts.wrong))
    for kind, made in sorted(right.items()):
        kept = [[is_right for probability, is_right in made if probability >= least] for least in THRESHOLDS]
        lines.append([kind, *(f"{np.mean(of):.2f} ({len(of)})" if of else "" for of in kept)])
    for name, lone in clean.items():
        steps = steps_of(tuple(lone))
        lines.append([name, *(f"{changed(lone, applied(lone, steps, least)):.1%}" for least in THRESHOLDS)])
    return lines


def undone(drawn: Sequence[Case]) -> list[list[Any]]:
    """Return rows of the shares of damages undone by the first edit and by one of `MAX_SHOWN`, by kind."""
    places: dict[str, list[int]] = defaultdict(list)
    for case, one in zip(drawn, explain([case.text for case in drawn], edits=MAX_SHOWN), strict=True):
        right = [plain(edit.text) == plain(case.sound) for edit in one.edits]
        for name in (case.kind, "all"):
            places[name].append(right.index(True) if any(right) else MAX_SHOWN)
    rows = sorted((name, np.array(at)) for name, at in places.items())
    return [[name, len(at), float(np.mean(at == 0)), float(np.mean(at < MAX_SHOWN))] for name, at in rows]


def main() -> None:
    """Run the command."""
    options = command_parser(__doc__, "edits", "corpora").parse_args()
    explain(["All that is opened when it is first used."], edits=1)
    named, clean = corrected_sets(options.edits, "test"), {"Harper, left alone": left_alone(options.edits, "test")}
    named["ErAConD, every change"] = named[ERACOND]
    clean |= {name: lines[:OF_REGISTER] for name, lines in held_out(options.corpora).items()}
    whole, kinds = scores(named, OURS)
    drawn = generated(options.corpora, DAMAGED, REPORTED)
    judged = json.loads(JUDGED.read_text(encoding="utf-8"))
    tables: dict[str, tuple[Sequence[str], list[list[Any]]]] = {
        "Sentences corrected by people": (COLUMNS, whole),
        "Share changed of sentences that should stay as they are": (
            ["source", "sentences", *OURS],
            [
                [name, len(texts), *(f"{changed(texts, corrections(texts)):.1%}" for corrections in OURS.values())]
                for name, texts in clean.items()
            ],
        ),
        "By the probability that an edit needs: precision / recall, precision (edits), share changed": (
            ["", *(f"{least:.0%}" for least in THRESHOLDS)],
            curve(named, clean),
        ),
        "By kind of change": (["set", "system", "kind", "by people", "made", "precision", "recall"], kinds),
        "Damages undone": (["damage", "texts", "repair first", f"among {MAX_SHOWN}"], undone(drawn)),
        "Repairs and fixes of earlier releases, judged by reading": (
            ["", *next(iter(judged.values()))],
            [[name, *row.values()] for name, row in judged.items()],
        ),
    }
    text = "\n".join(f"## {title}\n\n{markdown_table(*table)}" for title, table in tables.items())
    title = "Corrections beside those by people"
    write(
        "edits", title, text, {"tables": tables}, command="python -m benchmarks.edits EDITS CORPORA", sure=SURE_TO_FIX
    )


if __name__ == "__main__":
    main()
