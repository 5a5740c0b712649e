"""What `check` and other checkers flag: `python -m benchmarks.checkers RATINGS CORPORA [NODE_PACKAGES]`.

Sentences by people that nothing learned from, and the same with one and two generated errors; sentences written by
hand with one error, and without it; both halves of the minimal pairs; sentences of learners (GUG) that people rated
low and high. For each checker the share of sentences in which it says anything. The generator is ours and the
detector learned from its like, so the sentences by hand and by learners are the fairer test.
`benchmarks/checkers/others.py` says where the others come from. Without NODE_PACKAGES `check` alone is measured, and
the rows of the others, which do not depend on our models, stay as they are.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from benchmarks.checkers.others import Flags, others, versions
from benchmarks.explanations.cases import handwritten
from benchmarks.false_alarms import damaged, held_out, with_errors
from benchmarks.minimal_pairs import read_pairs
from benchmarks.report import RESULTS, context, markdown_table, write
from naturalness.cli.options import FALSE_ALARMS
from naturalness.judging.opened import installed
from naturalness.judging.people import require_people
from naturalness.pipelines.scorer import load_model
from training.arguments import command_parser
from training.default_model.sets import read_set

OPTIONS = {"default": "", "fast": " --fast", "large": " --model large"}
"""The options of `check` that select each model."""
GUG = "gug.grammaticality.tsv"
LOW, HIGH = 2.0, 3.5
"""Ratings of four: at most, at least."""
EACH, LEARNERS = 100, 300
"""Sentences of a register; of learners, rated low and high."""


def sets(ratings: Path, corpora: Path) -> dict[str, list[str]]:
    """Return the sentences by kind, sound ones before wrong ones."""
    registers = {name: lines[:EACH] for name, lines in held_out(corpora).items()}
    cases, pairs, gug = handwritten(), read_pairs(), read_set(ratings / GUG)
    rated = list(zip(gug.texts, gug.ratings.tolist(), strict=True))
    return {
        "by people": [text for lines in registers.values() for text in lines],
        **{
            f"{n} generated error{'s'[: n > 1]}": [text for lines in registers.values() for text in damaged(lines, n)]
            for n in (1, 2)
        },
        "by hand, sound": [case.sound for case in cases],
        "by hand, one error": [case.text for case in cases],
        "pairs, right": [pair.good for pair in pairs],
        "pairs, wrong": [pair.bad for pair in pairs],
        "learners, rated high": [text for text, rating in rated if rating >= HIGH][:LEARNERS],
        "learners, rated low": [text for text, rating in rated if rating <= LOW][:LEARNERS],
    }


def ours(which: str, *, rules: bool) -> Flags:
    """Return a function that says which texts `check` flags at its default, with one of the shipped models."""
    model = load_model(which)
    minimum = require_people(model.people, which).threshold(FALSE_ALARMS)

    def flags(texts: Sequence[str]) -> list[bool]:
        wrong = with_errors(list(texts)) if rules else frozenset[str]()
        scores = model.score(list(texts)).naturalness
        return [score < minimum or text in wrong for text, score in zip(texts, scores, strict=True)]

    return flags


def main() -> None:
    """Command line."""
    parser = command_parser(__doc__, "ratings", "corpora")
    parser.add_argument(
        "packages", type=Path, nargs="?", help="folder in which npm has installed harper.js and write-good"
    )
    options = parser.parse_args()
    texts = sets(options.ratings, options.corpora)
    checkers: dict[str, Flags] = {
        f"check{OPTIONS[which]}{' --rules' if rules else ''}": ours(which, rules=rules)
        for which in installed()
        for rules in (False, True)
    }
    shares: dict[str, dict[str, float]] = {}
    last = json.loads((RESULTS / "checkers.json").read_text(encoding="utf-8"))
    for name, flags in {**checkers, **(others(options.packages) if options.packages else {})}.items():
        shares[name] = {which: round(sum(flags(lines)) / len(lines), 4) for which, lines in texts.items()}
        print(name, shares[name], flush=True)
    if not options.packages:
        shares |= {name: by for name, by in last["shares"].items() if not name.startswith("check")}
    header = ["checker", *texts]
    rows = [["*sentences*", *(f"{len(lines):,}" for lines in texts.values())]]
    rows += [[name, *(f"{share:.0%}" for share in by.values())] for name, by in shares.items()]
    about = context(
        command="python -m benchmarks.checkers RATINGS CORPORA NODE_PACKAGES",
        versions=versions(options.packages) if options.packages else last["context"]["versions"],
        sentences={name: len(lines) for name, lines in texts.items()},
    )
    named = ", ".join(f"{name} {number}" for name, number in about["versions"].items())
    title = "Share of sentences with an alarm, by checker"
    write("checkers", title, markdown_table(header, rows) + f"\n{named}.\n", {"context": about, "shares": shares})


if __name__ == "__main__":
    main()
