"""Faults of learners that the rules find: `python -m benchmarks.faults`.

faults.tsv holds sentences of our own, each with one fault, and beside it the correction. A fault is found if a rule is
sure of an error in the sentence (severity *error*). The two parts have the same kinds of faults: the rules were
extended with *tuned* in view; *held* was written when they were finished, and nothing was changed because of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.report import context, markdown_table, write
from naturalness.features.rules import rule_checker
from naturalness.text.matches import Match
from naturalness.text.parsing import parse

FILE = Path(__file__).with_suffix(".tsv")
PARTS = ("tuned", "held")


class Fault(NamedTuple):
    """A sentence with one fault, and its correction."""

    part: str
    kind: str
    wrong: str
    right: str


class Result(NamedTuple):
    """The matches in a sentence and in its correction."""

    fault: Fault
    in_wrong: Sequence[Match]
    in_right: Sequence[Match]

    @property
    def is_found(self) -> bool:
        """Whether a rule is sure of an error in the wrong sentence."""
        return any(match.severity == "error" for match in self.in_wrong)

    @property
    def is_repaired(self) -> bool:
        """Whether the first suggestion of a match turns the wrong sentence into the correction."""
        wrong = self.fault.wrong
        repairs = [wrong[: m.start] + m.suggestions[0] + wrong[m.end :] for m in self.in_wrong if m.suggestions]
        return self.fault.right in repairs


def read_faults() -> list[Fault]:
    """Return all faults, in the order of the file."""
    rows = FILE.read_text(encoding="utf-8").splitlines()[1:]
    return [Fault(*row.split("\t")) for row in rows]


def measured(faults: Sequence[Fault]) -> list[Result]:
    """Return the matches of each fault and of its correction."""
    wrong, right = (rule_checker().check(parse([fault[side] for fault in faults])) for side in (2, 3))
    return [Result(f, w.matches, r.matches) for f, w, r in zip(faults, wrong, right, strict=True)]


def counts(results: Iterable[Result]) -> list[str]:
    """Return how many faults of each part are found."""
    parts = [[result for result in results if result.fault.part == part] for part in PARTS]
    return [f"{sum(result.is_found for result in part)} of {len(part)}" for part in parts]


def summary(results: Sequence[Result]) -> str:
    """Return the table of faults found, repaired by the first suggestion, and of alarms in corrections, by part."""
    rows = []
    for part in PARTS:
        of_part = [result for result in results if result.fault.part == part]
        repaired = sum(result.is_repaired for result in of_part)
        alarms = sum(bool(result.in_right) for result in of_part)
        rows.append([part, len(of_part), sum(result.is_found for result in of_part), repaired, alarms])
    return markdown_table(["part", "faults", "found", "repaired", "corrections with a match"], rows)


def main() -> None:
    """Command line."""
    results = measured(read_faults())
    kinds = dict.fromkeys(result.fault.kind for result in results)
    by_kind = [[kind, *counts([result for result in results if result.fault.kind == kind])] for kind in kinds]
    about = context(command="python -m benchmarks.faults", faults=len(results), rules=rule_checker().signature)
    tables = f"{summary(results)}\n{markdown_table(['kind of fault, found', *PARTS], by_kind)}"
    write("faults", "Faults of learners that the rules find", tables, {"context": about, "kinds": by_kind})


if __name__ == "__main__":
    main()
