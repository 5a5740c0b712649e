"""The sets on which corrections are scored, with the sentences and changes that count."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from training.mender.edits import Edited, Tally, Verdict, kind_of, read_edits, tokens, verdict

ERACOND, TETRA, HARPER = "ErAConD", "TETRA, grammar", "Harper"
OF_RULE = 10
"""The largest number of Harper's pairs of one rule; some rules have hundreds."""


def corrected_sets(folder: Path, part: str = "development") -> dict[str, list[Edited]]:
    """Return the sentences of a part that editors read: all of ErAConD's, those of TETRA with an error of grammar, and
    Harper's tidy pairs.
    """
    eracond, tetra, harper = (read_edits(folder, source, part) for source in ("eracond", "tetra", "harper"))
    rules: dict[str, list[Edited]] = defaultdict(list)
    for row in harper:
        if row.real and row.text not in row.references:
            rules[row.group].append(row)
    few = [row for rows in rules.values() for row in rows[:OF_RULE]]
    return {ERACOND: eracond, TETRA: [row for row in tetra if row.real], HARPER: few}


def left_alone(folder: Path, part: str = "development") -> list[str]:
    """Return Harper's tidy sentences that should not be changed."""
    return [row.text for row in read_edits(folder, "harper", part) if row.real and row.text in row.references]


def compare(name: str, rows: Sequence[Edited], outputs: Sequence[str]) -> list[Verdict]:
    """Compare outputs for a set with the corrections by people; in ErAConD, trivial changes count neither way."""
    return [
        verdict(row.text, output, row.references, row.allowed, real_only=name == ERACOND)
        for row, output in zip(rows, outputs, strict=True)
    ]


def total(verdicts: Sequence[Verdict]) -> Tally:
    """Return the counts over sentences."""
    return sum((each.tally for each in verdicts), Tally())


def by_kind(rows: Sequence[Edited], verdicts: Sequence[Verdict]) -> dict[str, Tally]:
    """Return the counts by kind of change, in alphabetical order."""
    counts: dict[str, Tally] = defaultdict(Tally)
    for row, judged in zip(rows, verdicts, strict=True):
        source = tokens(row.text)
        for field, changes in judged._asdict().items():
            for change in changes:
                counts[kind_of(source, change)] += Tally(**{field: 1})
    return dict(sorted(counts.items()))


def changed(texts: Sequence[str], outputs: Sequence[str]) -> float:
    """Return the share of texts that differ in more than white space."""
    return sum(plain(text) != plain(output) for text, output in zip(texts, outputs, strict=True)) / len(texts)


def plain(text: str) -> str:
    """Return a text with its white space normalised."""
    return " ".join(text.split())
